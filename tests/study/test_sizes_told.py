"""Outcomes told with a size: 37 of 1,000 is what a thousand outcomes are, bit for bit."""

import random
from pathlib import Path

import pytest

from goodarm import Bernoulli, Gaussian, InputError, Study
from goodarm.study import ConflictError


def new(folder: Path, name: str, **settings) -> Study:
    return Study.create(
        name, ["A", "B"], 0.3, Bernoulli(), 0.05, seed=3, storage=folder / "s.db", **settings
    )


def facts(study: Study) -> tuple:
    """Everything that outcomes decide, exactly."""

    def look(fold):
        certificates = [fold.evidence.counted.certificates(arm) for arm in range(2)]
        run = fold.evidence.experiment.run
        decided = fold.evidence.counted.conclusion if fold.evidence.counted.finished else "open"
        sums = list(run.counts), list(run.sums), list(run.gaps), list(run.tree)
        return sums, certificates, fold.evidence.limits(0, False), decided, fold.told, fold.state

    return study._ledger.look(look)


@pytest.mark.parametrize("decide", ["as-asked", "as-told"])
@pytest.mark.parametrize("goal", ["above", "below"])
def test_counts_equal_single_outcomes_bit_for_bit(tmp_path: Path, decide: str, goal: str) -> None:
    chance = random.Random(f"{decide}{goal}")
    for trial in range(6):
        singles = new(tmp_path, f"singles {trial}", decide=decide, goal=goal)
        counts = new(tmp_path, f"counts {trial}", decide=decide, goal=goal)
        for arm in ("A", "B", "A"):
            size = chance.choice([2, 30, 400])
            successes = sum(chance.random() < chance.choice([0.1, 0.4]) for _ in range(size))
            outcomes = [1] * successes + [0] * (size - successes)
            chance.shuffle(outcomes)
            singles.tell_many([(arm, x) for x in outcomes])
            counts.tell(arm, successes, size=size)
        assert facts(singles) == facts(counts)
        assert counts.verify().ok


def test_sizes_are_kept_repeated_corrected_and_retracted(tmp_path: Path) -> None:
    study = new(tmp_path, "s")
    told = study.tell("A", 37, size=1000, key="k")
    assert (told.value, told.size) == (37, 1000)
    assert study.tell("A", 37, size=1000, key="k") == told
    with pytest.raises(ConflictError):
        study.tell("A", 37, size=999, key="k")
    assert study.status().trials == 1000
    asked = study.ask()
    study.tell(asked, 5, size=8)
    with pytest.raises(ConflictError, match="has the outcome 5/8, not 5/9"):
        study.tell(asked, 5, size=9)
    assert study.correct(asked, 5, "typing", size=9).size == 9
    assert study.status().trials == 1009
    study.retract(told, "another dose")
    assert study.status().trials == 9
    assert study.verify().ok
    again = Study.load("s", storage=tmp_path / "s.db")
    assert again.status().trials == 9


@pytest.mark.parametrize(
    ("value", "size", "words"),
    [
        (3, 2, "3 of 2 is not a number of successes"),
        (-1, 2, "not a number of successes"),
        (0.5, 2, "not a number of successes"),
        (1, 0, "size: 0 is not a number of trials"),
        (1, 2.5, "not a number of trials"),
        (1, True, "size: True is not a number"),
        (1, "9", "size: '9' is not a number"),
        (2, 1, "neither 0 nor 1"),
    ],
)
def test_impossible_sizes_are_refused(tmp_path: Path, value, size, words: str) -> None:
    study = new(tmp_path, "s")
    with pytest.raises(InputError, match=words):
        study.tell("A", value, size=size)
    assert study.seq == 1


def test_a_model_without_sizes_says_so(tmp_path: Path) -> None:
    study = Study.create("g", ["A"], 0.0, Gaussian(1.0), storage=tmp_path / "s.db")
    with pytest.raises(InputError, match="but gaussian outcomes have none"):
        study.tell("A", 1.0, size=3)
    study.tell("A", 1.0, size=1)


def test_outcomes_are_typed_as_people_write_them() -> None:
    model = Bernoulli()
    assert model.read("37/1000") == (37, 1000)
    assert model.read(" 1 ") == (1, 1)
    assert model.write(model.read("37/1000")) == "37/1000"
    with pytest.raises(InputError, match="size: nothing was entered"):
        model.read("37/")
