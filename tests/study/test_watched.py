"""Broken assumptions show in a study's status, report and command line, with their remedy."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

from goodarm import Study
from goodarm.outcomes import parse_outcome
from goodarm.outcomes.poisson import Poisson
from goodarm.outcomes.watches.contract import Watch


def warnings(study: Study) -> list[str]:
    return [c.text for c in study.status().cautions if c.level == "warning"]


def make(tmp_path: Path, outcome: str, threshold: float, **more: object) -> Study:
    model = parse_outcome(outcome)
    storage = tmp_path / "s.db"
    return Study.create("s", ["red", "blue"], threshold, model, storage=storage, **more)


CHANCE = np.random.default_rng(1)
CASES = {
    "counts": (
        "poisson",
        3.0,
        [("red", x) for x in CHANCE.negative_binomial(1.5, 1 / 3, 200).tolist()],
        ("those of 'red' have a variance of", "bounded"),
    ),
    "durations": (
        "exponential",
        1.0,
        [("blue", x) for x in CHANCE.gamma(0.4, 2.5, 200).tolist()],
        ("those of 'blue' have a standard deviation of", "Bounded(lo=0)"),
    ),
    "batches": (
        "bernoulli",
        0.04,
        [("red", x, 1000) for x in CHANCE.binomial(1000, CHANCE.beta(20, 480, 60)).tolist()],
        ("those of 'red' have a variance of", "its mean, under bounded:0:1"),
    ),
    "drift": (
        "bernoulli",
        0.5,
        [("blue", float(i >= 100)) for i in range(200)],
        ("The outcomes of 'blue' have changed: 0 % of the first", "begin a new study"),
    ),
    "drift of a bounded outcome": (
        "bounded:0:1",
        0.5,
        [("red", 0.2 if i < 100 else 0.8) for i in range(200)],
        ("0 % of the first 91 were above 0.5", "begin a new study"),
    ),
    "drift of a rate": (
        "poisson",
        2.0,
        [("red", 1 + (i % 2) + 4 * (i >= 64), 0.5) for i in range(128)],
        ("a rate of 3 in the first 32 units of exposure, and of 11 in the 32", "new study"),
    ),
    "drift of durations": (
        "exponential:4",
        2.0,
        [("red", 1.0 if i < 64 else 3.0) for i in range(128)],
        ("a mean of 1 in the first 64, and of 3 in the 64 after them", "new study"),
    ),
    "drift of a mean": (
        "gaussian:1",
        0.0,
        [("red", 0.5 if i < 64 else 1.5) for i in range(128)],
        ("a mean of 0.5 in the first 64, and of 1.5 in the 64 after them", "new study"),
    ),
    "scatter": (
        "gaussian:0.1",
        0.0,
        [("red", x) for x in CHANCE.normal(0.0, 0.5, 30).tolist()],
        ("The outcomes of 'red' scatter by", "or with none (gaussian)"),
    ),
    "skewness": (
        "gaussian",
        1.0,
        [("blue", x) for x in CHANCE.lognormal(0.0, 1.0, 100).tolist()],
        ("The outcomes of 'blue' are skewed: their skewness is", "symmetric"),
    ),
    "few values": (
        "gaussian",
        0.5,
        [("red", float(i % 2)) for i in range(40)],
        ("40 outcomes of 'red' have only 2 distinct values", "bernoulli"),
    ),
    "lopsided": (
        "symmetric",
        1.0,
        [("red", x) for x in CHANCE.lognormal(0.0, 1.5, 500).tolist()],
        ("The outcomes of 'red' are not symmetric", "bounded"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_doubted_is_said_with_its_remedy(tmp_path: Path, name: str) -> None:
    outcome, threshold, told, words = CASES[name]
    study = make(tmp_path, outcome, threshold)
    assert warnings(study) == []
    study.tell_many(told, sure=True)
    found = [text for text in warnings(study) if words[0] in text]
    assert found, warnings(study)
    assert all(word in found[0] for word in (*words, "confidence"))
    again = Study.load("s", storage=tmp_path / "s.db")
    assert warnings(again) == warnings(study)  # from the checkpoint
    assert again.verify().ok


def test_the_order_of_telling_is_no_drift(tmp_path: Path) -> None:
    """Failures are told first: in the order of asking, nothing has changed."""
    chance, study = random.Random(3), make(tmp_path, "bernoulli", 0.5)
    values = {trial.number: float(chance.random() < 0.5) for trial in study.ask(200)}
    for number in sorted(values, key=lambda number: values[number]):
        study.tell(number, values[number])
    assert warnings(study) == []


def test_outcomes_that_are_as_declared_are_not_doubted(tmp_path: Path) -> None:
    study = make(tmp_path, "poisson", 3.0)
    study.tell_many([("red", x) for x in CHANCE.poisson(3.0, 500).tolist()])
    assert warnings(study) == []


@pytest.mark.parametrize("wrong", [math.nan, ZeroDivisionError])
def test_a_watch_that_fails_breaks_no_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: float | type[Exception]
) -> None:
    class Failing(Watch):
        name = "failing"
        memory = 1

        def see(self, state: list[float], arm: int, value: float, size: float) -> None:
            state[0] += 1.0
            if value == 13.0:
                state[0] = math.nan
                if wrong is ZeroDivisionError:
                    raise wrong

        def doubt(self, states: object, K: int, names: object = None) -> str | None:
            assert isinstance(states, dict)
            return f"seen: {1.0 / (states[0][0] - 2.0)}"

    monkeypatch.setattr(Poisson, "watches", lambda self, threshold: (Failing(),))
    study = make(tmp_path, "poisson", 1.0)
    study.tell_many([("red", x) for x in (1, 13, 2)])  # of which it can see two
    assert warnings(study) == []
    study.tell_many([("red", 3)])
    assert warnings(study) == ["seen: 1.0"]
    assert warnings(Study.load("s", storage=tmp_path / "s.db")) == ["seen: 1.0"]


@pytest.mark.parametrize(
    ("outcome", "threshold", "told"),
    [
        ("poisson", 1.0, [(1, 1e9)] * 16 + [(1, 1e-9)] * 7),
        ("gaussian", 0.0, [(1e-110 * (i % 7 - 2), 1) for i in range(30)]),
        ("gaussian", 0.0, [(2e99 * (i % 7 - 2), 1) for i in range(30)]),
    ],
)
def test_extreme_outcomes_break_no_study(
    tmp_path: Path, outcome: str, threshold: float, told: list[tuple[float, float]]
) -> None:
    study = make(tmp_path, outcome, threshold)
    for value, size in told:
        study.tell("red", value, size=size, sure=True)
    found = warnings(study)
    assert warnings(Study.load("s", storage=tmp_path / "s.db")) == found
