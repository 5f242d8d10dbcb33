import json
import math

import numpy as np
import pytest

from goodarm import InputError, Instance, instances, load_instance
from goodarm.instance import Arm
from goodarm.outcomes import Bernoulli, Gaussian

# Table of the paper: K, threshold, number of good arms.
PUBLISHED = {
    "Thr1": (10, 0.5, 5),
    "Thr2": (6, 0.35, 3),
    "Thr3": (10, 0.5, 3),
    "Med1": (5, 0.5, 1),
    "Med2": (7, 1.2, 2),
    "IsA1": (10, 0.0, 5),
    "NoA1": (5, 0.0, 0),
    "IsA2": (7, 0.0, 3),
    "NoA2": (4, 0.0, 0),
    "RealL": (18, 0.5, 6),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_papers_parameters(name: str) -> None:
    K, threshold, good = PUBLISHED[name]
    instance = instances[name]
    assert (instance.K, instance.threshold, len(instance.good_arms)) == (K, threshold, good)


def test_what_the_published_table_rounds() -> None:
    assert instances["IsA1"].means[1] == pytest.approx(0.5 - 1 / 9)
    rounded = [f"{mean:g}" for mean in np.round(instances["IsA1"].means, 2)]
    assert " ".join(rounded) == "0.5 0.39 0.28 0.17 0.06 -0.06 -0.17 -0.28 -0.39 -0.5"
    assert instances["NoA1"].means[1] == pytest.approx(-0.625)
    assert set(instances["Med2"].sigmas) == {1.2}


def test_real_life_instance_in_both_forms() -> None:
    bernoulli, gaussian = instances["RealL"], instances["RealL-gaussian"]
    assert bernoulli.means.min() == 0.0
    assert gaussian.means.min() == -0.12
    assert set(bernoulli.sigmas) == {0.5}
    assert set(gaussian.sigmas) == {1.0}
    assert bernoulli.good_arms == gaussian.good_arms


def test_families() -> None:
    two = instances["TwoG(100, 30)"]
    assert (two.K, len(two.good_arms), set(two.means)) == (100, 30, {0.5, -0.5})
    lin = instances["LinG:10:4"]
    assert lin.means[:4].tolist() == [0.5, 0.375, 0.25, 0.125]
    assert set(lin.means[4:]) == {-0.5}
    assert len(instances["TwoG:7:0"].good_arms) == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Thr9", "did you mean 'Thr"),
        ("TwoG:5:6", "6 good arms of 5"),
        ("TwoG:0:0", "0 arms"),
        ("TwoG:ten:2", "as in TwoG:100:30"),
        ("TwoG:5", "as in TwoG:100:30"),
        ("", "unknown instance"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        instances[name]
    assert name not in instances


def test_names_ignore_case() -> None:
    assert instances["reall-GAUSSIAN"] is instances["RealL-gaussian"]
    assert list(instances)[:2] == ["Thr1", "Thr2"]


def test_a_mean_at_the_threshold_is_good() -> None:
    assert Instance(0.5, [0.5, 0.4]).good_arms == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"means": []}, "at least one arm"),
        ({"means": [math.nan]}, "finite number"),
        ({"means": [math.inf]}, "finite number"),
        ({"means": ["a"]}, "not a number"),
        ({"means": [True]}, "not a number"),
        ({"means": [0.1], "threshold": math.nan}, "threshold"),
        ({"means": [0.1], "sigma": 0.0}, "not positive"),
        ({"means": [0.1], "sigma": -1.0}, "not positive"),
        ({"means": [0.1], "sigma": math.nan}, "finite number"),
        ({"means": [1.2], "kind": "bernoulli"}, "not between 0 and 1"),
        ({"means": [-0.1], "kind": "bernoulli"}, "not between 0 and 1"),
        ({"means": [0.1], "kind": "lognormal"}, "gaussian"),
        ({"means": [0.1, 0.2], "names": ["x", "x"]}, "its own name"),
        ({"means": [0.1, 0.2], "names": ["x"]}, "1 values for 2 means"),
        ({"means": [0.1, 0.2], "sigma": [1.0]}, "1 values for 2 means"),
        ({"means": [0.1], "names": [" "]}, "non-empty"),
    ],
)
def test_wrong_inputs(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance(**{"threshold": 0.0, **arguments})


def test_arms_of_different_kinds() -> None:
    arms = [Arm("a", 0.3, 0.5, "bernoulli"), Arm("b", 2.0, 3.0, "gaussian")]
    instance = Instance.from_arms(0.5, arms)
    assert instance.arms == tuple(arms)
    assert instance.gaps.tolist() == [-0.4, 0.5]
    assert load_instance(instance.to_dict()) == instance


def test_less_may_be_good() -> None:
    instance = Instance(0.5, [0.4, 0.5, 0.9], sigma=[1.0, 1.0, 2.0], goal="below")
    assert instance.good_arms == (0, 1)
    assert instance.gaps.tolist() == pytest.approx([0.1, 0.0, -0.2])
    assert load_instance(instance.to_dict()) == instance != Instance(0.5, [0.4, 0.5, 0.9])
    with pytest.raises(InputError, match="did you mean 'below'"):
        Instance(0.5, [0.4], goal="belwo")


def test_what_the_outcomes_are_taken_for() -> None:
    coins = Instance(0.5, [0.4, 0.6], kind="bernoulli")
    assert (coins.own_outcome, coins.sub_gaussian) == (Bernoulli(), Gaussian(0.5))
    numbers = Instance(0.5, [0.4, 0.6], sigma=[1.0, 2.0])
    assert numbers.own_outcome == numbers.sub_gaussian == Gaussian((1.0, 2.0))
    mixed = Instance(0.5, [0.4, 0.6], kind=["bernoulli", "gaussian"])
    assert mixed.own_outcome == Gaussian((0.5, 1.0))


def test_arrays_cannot_be_changed_by_accident() -> None:
    with pytest.raises(ValueError, match="read-only"):
        instances["Thr1"].means[0] = 3.0


def test_json_files(tmp_path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"threshold": 0.5, "means": [0.35, 0.65], "kind": "gaussian", "sigma": 2.0}')
    instance = load_instance(str(path))
    assert (instance.name, instance.sigmas.tolist()) == ("mine", [2.0, 2.0])
    path.write_text(json.dumps({"threshold": 0.5, "arms": [{"name": "x", "mean": 0.1}]}))
    assert load_instance(path).names == ("x",)
    assert load_instance(path, threshold=0.05).good_arms == (0,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[1]", "must be an object"),
        ('{"means": [1]}', "threshold is missing"),
        ('{"threshold": 0}', "either"),
        ('{"threshold": 0, "means": 3}', "not a list"),
        ('{"threshold": 0, "means": [0], "sigmaa": 1}', "unknown field 'sigmaa'"),
        ('{"threshold": 0, "arms": [{"name": "x"}]}', "mean is missing"),
        ('{"threshold": 0, "arms": [{"mean": 0, "kin": "x"}]}', "unknown field 'kin'"),
        ('{"threshold": 0, "arms": 4}', "list of objects"),
        ('{"threshold": 0, "means": [NaN]}', "finite number"),
    ],
)
def test_wrong_json(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        load_instance(path)


def test_csv_files(tmp_path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("name,mean,sigma,kind\na,0.2,,bernoulli\nb,0.7,2.5,gaussian\n")
    instance = load_instance(path, threshold=0.5)
    assert instance.arms == (Arm("a", 0.2, 0.5, "bernoulli"), Arm("b", 0.7, 2.5, "gaussian"))
    path.write_text("\ufeffname, mean, threshold\na, 0.2, 0.1\n", encoding="utf-8")
    assert load_instance(path).threshold == 0.1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,mean\na,0.1\n", "no threshold"),
        ("name,mu,threshold\na,0.1,0\n", "header with mean, .*; it has name, mu, threshold"),
        ("name,threshold\na,0\n", "must be a header with mean"),
        ("mean,threshold\nx,0\n", "line 2: mean: 'x' is not a number"),
        ("mean,threshold\n0.1,0\n0.2,1\n", "several values"),
        ("mean,threshold\n0.1\n", "it has 1 cell, the first line has 2"),
        ("mean,threshold\n", "no lines below the header"),
        ("mean,threshold\n0,5,0\n", "write 0.5 with a point"),
        ("", "must be a header with mean"),
    ],
)
def test_wrong_csv(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        load_instance(path)


def test_missing_and_binary_files(tmp_path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_instance(tmp_path / "absent.json")
    path = tmp_path / "binary.csv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load_instance(path)
