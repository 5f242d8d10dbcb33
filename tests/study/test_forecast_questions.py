"""Forecasts of studies that ask more than whether one option clears one bar."""

import random
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from goodarm.inquiry import Inquiry
from goodarm.outcomes.contract import Reading
from goodarm.study import Study
from goodarm.study.evidence import ManyBars
from goodarm.study.report import forecast as forecasts
from goodarm.study.report.status_text import forecast_text

QUESTIONS = runpy.run_path(str(Path(__file__).with_name("test_questions.py")))
KINDS_OF_STUDY, made, play = (QUESTIONS[name] for name in ("KINDS_OF_STUDY", "made", "play"))


@pytest.mark.parametrize("kind", KINDS_OF_STUDY)
def test_every_question_can_be_forecast(kind: str, sqlite: str) -> None:
    study, chance = made(kind, sqlite), random.Random(kind)
    first = study.forecast(runs=12, horizon=300)
    play(study, 30, chance)
    study.add_arm("e", "a fifth", threshold=0.5 if kind == "order" else None)
    study.retire_arm("d", "out of stock")
    study.ask(2)
    later = study.forecast(runs=12, horizon=300)
    for said in (first, later):
        low, median, high = (301 if n is None else n for n in (said.low, said.median, said.high))
        assert 0 < low <= median <= high
        assert said.finished + said.unfinished == pytest.approx(1.0)
        assert sum(said.answers.values()) == pytest.approx(said.finished)
    named = {name for answer in later.answers for name in answer.split(", ") if name}
    assert named <= {"a", "b", "c", "e"}, "not the one that is gone"
    assert Study.load(kind, sqlite).forecast(runs=12, horizon=300) == later
    assert later != first
    assert ("measurements" in later.assumes) == (kind == "criteria")
    assert "more trials until 90 % confidence" in forecast_text(later)


def test_a_forecast_ends_with_every_arm_of_the_answer(sqlite: str) -> None:
    study = made("all", sqlite)
    for arm, good in zip("abcd", (29, 28, 1, 2), strict=True):
        study.tell(arm, good, size=30)
    assert (study.forecast().median, study.forecast().answers) == (0, {"a, b": 1.0})
    strict = study.forecast(delta=1e-9, runs=20, horizon=2_000)
    assert strict.low > 0, "the study is not done at that δ, though each arm was at its own"
    assert strict.answers["a, b"] > 0.9
    assert study.forecast(delta=0.5, runs=5).median == 0
    assert "ends with: a, b 60 %; none is good 40 %\n" in forecast_text(
        replace(strict, answers={"a, b": 0.6, "": 0.4}, unfinished=0.0)
    )


def test_a_study_without_a_delta_can_be_forecast(sqlite: str) -> None:
    study = made("top", sqlite, delta=None)
    for arm, mean in zip("abcd", (-1.5, 2.0, 2.5, -1.0), strict=True):
        for step in (-1.0, -0.5, 0.5, 1.0):
            study.tell(arm, mean + step)
    said = study.forecast(runs=20)
    assert said.delta == 0.05
    assert max(said.answers, key=lambda answer: said.answers[answer]) == "a, d"
    assert study.forecast(0.2, runs=20).median <= said.median


def test_pending_trials_are_answered_first_with_what_they_lack(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = made("criteria", sqlite)
    first, *_ = [study.ask(arm=arm) for arm in "cab"]
    study.tell(first, {"harms": 0})
    entered: list[tuple[int, int]] = []
    enter = Inquiry.enter

    def noted(self: Inquiry, arm: int, told: Reading, measure: int = 0, more: bool = False) -> None:
        entered.append((arm, measure))
        enter(self, arm, told, measure, more)

    monkeypatch.setattr(Inquiry, "enter", noted)
    study.forecast(runs=1, horizon=20)
    assert entered[:5] == [(2, 0), (0, 0), (0, 1), (1, 0), (1, 1)]


def test_what_is_dear_is_played_less_often_and_less_far(sqlite: str) -> None:
    arms = [f"arm {number}" for number in range(60)]
    study = Study.create(
        "s", arms, outcome="bernoulli", control="arm 0", margin=0.1, delta=0.05, storage=sqlite
    )
    study.tell_many([(arm, number % 2) for number, arm in enumerate(arms)])
    said = study.forecast(runs=18)
    assert forecasts.FEWEST <= said.runs < 18
    assert said.horizon < forecasts.NEAR_HORIZON
    assert study.forecast(runs=2, horizon=20).runs == 2


@pytest.mark.parametrize("kind", ["criteria", "control"])
def test_a_forecast_changes_nothing(kind: str, sqlite: str) -> None:
    study = made(kind, sqlite)
    play(study, 30, random.Random(1))
    before = study._ledger.look(lambda fold: (fold.next_arm(), fold.evidence.state()))
    study.forecast(runs=3, horizon=100)
    study.forecast(delta=0.3, runs=3, horizon=100)
    assert study._ledger.look(lambda fold: (fold.next_arm(), fold.evidence.state())) == before


def really(study: Study, means: dict[str, tuple[float, ...]], number: int) -> int:
    """How many more trials the study takes if these are the means: its inquiry, played on."""
    chance = random.Random(number)

    def look(fold: Any) -> int:
        assert isinstance(fold.evidence, ManyBars)
        inquiry = fold.evidence.future(fold.roster, fold.settings.delta, number)
        for step in range(1, 5_001):
            arm = inquiry.next_arm(())
            for measure, mean in enumerate(means[inquiry.arms[arm]]):
                value = inquiry.criteria[measure].outcome.draw_outcome(arm, mean, 0.01, chance)
                inquiry.enter(arm, Reading(value), measure, more=True)
            inquiry.judge()
            if inquiry.finished:
                return step
        raise AssertionError("it takes too long")

    return study._ledger.look(look)


MEANS = {
    "all": {"a": (0.7,), "b": (0.3,), "c": (0.75,), "d": (0.25,)},
    "criteria": {"a": (0.5, 0.05), "b": (0.5, 0.4), "c": (0.1, 0.05), "d": (0.55, 0.05)},
    "control": {"a": (0.6,), "b": (0.3,), "c": (0.1,), "d": (0.7,)},
}


@pytest.mark.parametrize("kind", MEANS)
def test_where_the_means_are_known_a_forecast_is_what_comes(kind: str, sqlite: str) -> None:
    """Many outcomes say what the means are; the study wants to be surer than they make it."""
    means = MEANS[kind]
    study = Study.create(
        kind, list("abcd"), delta=1e-20, seed=5, storage=sqlite, **KINDS_OF_STUDY[kind]
    )
    names = [criterion.name for criterion in study.settings.every_criterion]
    for arm, of in means.items():
        told: Any = dict(zip(names, (round(mean * 400) for mean in of), strict=True))
        size: Any = dict.fromkeys(names, 400)
        if not study.settings.criteria:
            (told,), size = told.values(), 400
        study.tell(arm, told, size=size, sure=True)
    said = study.forecast(runs=40, horizon=5_000)
    lengths = sorted(really(study, means, number) for number in range(11))
    assert said.low <= lengths[5] <= said.high
    assert said.median == pytest.approx(lengths[5], rel=0.3)
