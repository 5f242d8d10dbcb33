"""Arms that draw from recorded outcomes."""

import math

import numpy as np
import pytest

from goodarm import InputError, Instance, simulate
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

DATA = {"a": [0.0, 1.0, 1.0, 4.0], "b": [2.0, 2.5], "c": [0.5]}


def test_means_scale_and_names() -> None:
    instance = Instance.from_data(DATA, threshold=1.0)
    assert instance.means.tolist() == [1.5, 2.25, 0.5]
    assert set(instance.sigmas) == {2.0}  # half of 4 − 0
    assert instance.names == ("a", "b", "c")
    assert instance.good_arms == (0, 1)
    assert set(Instance.from_data(DATA, 1.0, bounds=(0, 10)).sigmas) == {5.0}


def test_draws_are_the_recorded_outcomes_in_equal_shares() -> None:
    instance = Instance.from_data(DATA, threshold=1.0)
    steps = list(trace(make_job("Unif", instance, "anytime", 6000, seed=2), 0))
    for arm, values in enumerate(DATA.values()):
        drawn = [step.value for step in steps if step.arm == arm]
        assert set(drawn) == set(values)
        for value in set(values):
            share = values.count(value) / len(values)
            error = math.sqrt(share * (1 - share) / len(drawn))
            assert abs(drawn.count(value) / len(drawn) - share) <= 4 * error


def test_compiled_equals_plain() -> None:
    instance = Instance.from_data(DATA, threshold=1.0)
    result = simulate(instance, "APGAI", delta=0.1, runs=20, cap=500, seed=3)["APGAI"]
    job = make_job("APGAI", instance, "fixed-confidence", 500, seed=3, delta=0.1)
    for number in range(20):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_csv(tmp_path) -> None:
    path = tmp_path / "past.csv"
    path.write_text("arm,value,when\nx,1,monday\ny,0,tuesday\nx,0.5,friday\n")
    instance = Instance.from_data(path, threshold=0.5)
    assert instance.name == "past"
    assert [v.tolist() for v in instance.outcomes] == [[1.0, 0.5], [0.0]]


def test_a_header_may_be_written_in_capitals(tmp_path) -> None:
    path = tmp_path / "past.csv"
    path.write_text("Arm,Value\nx,1\nY,0\n")
    assert Instance.from_data(path, threshold=0.5).names == ("x", "Y")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({}, "no outcome"),
        ({"a": []}, "no outcome"),
        ({"a": [math.nan, 1.0]}, "finite"),
        ({"a": [1.0, 1.0]}, "all outcomes are equal"),
        ({"a": [True, 1.0]}, "give 1 or 0"),
    ],
)
def test_wrong_data(source: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance.from_data(source, threshold=0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "header with arm and value"),
        ("arm,value\nx,high\n", "line 2"),
        ("arm,value\n,1\n", "line 2"),
        ("arm,value\nx,1\nx,0,5\n", "line 3: it has 3 cells.*write 0.5 with a point"),
        ("arm,value\nx,1\nx\n", "line 3: it has 1 cell"),
    ],
)
def test_wrong_csv(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "past.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        Instance.from_data(path, threshold=0.5)


def test_bounds_must_hold() -> None:
    with pytest.raises(InputError, match="not inside"):
        Instance.from_data(DATA, threshold=1.0, bounds=(0.0, 3.0))


def test_equality_looks_at_the_outcomes() -> None:
    one = Instance.from_data({"a": [0.0, 1.0, 2.0]}, 0.5)
    other = Instance.from_data({"a": [0.0, 0.5, 2.5]}, 0.5, bounds=(0.0, 2.5))
    assert one == Instance.from_data({"a": np.array([0.0, 1.0, 2.0])}, 0.5)
    assert one != other
