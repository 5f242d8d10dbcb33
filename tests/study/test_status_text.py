"""The status as text: it fits a terminal, no number is cut, and it says what holds."""

import unicodedata

import pytest

from goodarm.study import Bernoulli, Bounded, Gaussian, Study
from goodarm.study.report.status_text import picture, sure_at, what_holds
from goodarm.wording import figure

LONG = "a very long name of an arm that fits into no column of any table whatsoever"


def told(sqlite: str, arms: list[str], outcome: object, **options: object) -> Study:
    study = Study.create("s", arms, 0.5, outcome, storage=sqlite, seed=1, **options)  # type: ignore[arg-type]
    study.tell_many([(arm, float(i % 2)) for arm in arms for i in range(12)], sure=True)
    return study


@pytest.mark.parametrize(
    ("arms", "outcome", "options"),
    [
        (["A", "B"], Bernoulli(), {"delta": 0.05}),
        ([LONG, "漢字" * 30, "B"], Gaussian((1e-6, 3e9, 1.0)), {"delta": 1e-7}),
        ([f"arm {i}" for i in range(50)], Bounded(-123456, 987654), {"goal": "below"}),
        (["A"], Bernoulli(), {"boundary": "glr", "delta": 0.001}),
    ],
)
def test_it_fits_eighty_columns_and_no_number_is_cut(
    sqlite: str, arms: list[str], outcome: object, options: dict[str, object]
) -> None:
    study = told(sqlite, arms, outcome, **options)
    study.ask(3) if not study.finished else study.extend(trials=5)
    for simultaneous in (False, True):
        status = study.status(simultaneous)
        text = picture(status)
        for line in text.splitlines():
            if line.startswith("  next "):  # that arm is named in full, however long it takes
                continue
            wide = sum(unicodedata.east_asian_width(c) in "WF" for c in line)
            assert len(line) + wide <= 80, line
        first = status.arms[0]
        for number in (first.mean, first.low, first.high):
            assert number is None or f" {figure(number)} " in text


@pytest.mark.parametrize(
    ("K", "goal", "said"),
    [
        (1, "above", "each of the two limits holds at 95 %"),
        (2, "above", "lower limits hold together at 95 %, upper ones for each arm alone at 97.5 %"),
        (
            10,
            "above",
            "lower limits hold together at 95.8 %, upper ones for each arm alone at 98.7 %",
        ),
        (
            10,
            "below",
            "upper limits hold together at 95.8 %, lower ones for each arm alone at 98.7 %",
        ),
    ],
)
def test_it_says_which_limits_hold_together(sqlite: str, K: int, goal: str, said: str) -> None:
    study = told(sqlite, [f"a{i}" for i in range(K)], Bernoulli(), delta=0.05, goal=goal)
    assert what_holds(study.status()) == said
    assert f"  {said}\n" in picture(study.status())
    assert what_holds(study.status(simultaneous=True)) == "all limits hold together at 95 %"


def test_the_papers_limits_hold_together(sqlite: str) -> None:
    study = told(sqlite, ["A", "B"], Bernoulli(), delta=0.05, boundary="glr")
    status = study.status()
    assert what_holds(status) == "all limits hold together at 95 %"
    assert f"a full bar: |W| = {status.boundary:.4g}, which 95 % needs" in picture(status)


def test_a_bar_is_full_exactly_when_the_arm_is_named_or_ruled_out(sqlite: str) -> None:
    study = Study.create("s", ["A", "B", "C"], 0.5, Bernoulli(), 0.05, storage=sqlite, seed=1)
    study.tell_many([("A", 0), *[("B", 0)] * 12, ("C", 1)])
    text = picture(study.status())
    assert study.evidence[1].share <= -1.0
    assert [line.count("█") > 0 for line in text.splitlines() if "│" in line] == [
        False,
        False,
        True,
        False,
    ]
    assert "a full bar: named, or ruled out, at 95 %" in text


def test_outcomes_that_wait_are_counted_apart(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.5, Bernoulli(), 0.05, storage=sqlite, seed=1)
    first, second, third = study.ask(3)
    study.tell(third, 1)
    study.tell(second, 1)
    text = picture(study.status())
    assert "2+1~2" in text
    assert "trials      2, 1 pending (+), 2 waiting (~)" in text
    study.tell(first, 1)
    assert "waiting (~)" not in picture(study.status())


def test_levels_are_rounded_down_and_never_to_certainty() -> None:
    assert [sure_at(x) for x in (0.05, 0.05 * (1 / 3), 0.1 + 0.2, 1e-6, 1e-300)] == [
        "95 %",
        "98.3 %",
        "70 %",
        "99.9999 %",
        "> 99.9999 %",
    ]
