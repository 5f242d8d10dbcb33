"""The protocol: what was declared before the first outcome, and nothing that came after."""

import re
from pathlib import Path

import pytest

from goodarm.study import Study
from goodarm.study.log.events import read_event
from goodarm.study.report.protocol import asked, good


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study.create(
        "s <1>", ["a & b", "c"], 0.5, "bernoulli", delta=0.05, budget=40, seed=9, by="Ada",
        storage=tmp_path / "s.db",
    )  # fmt: skip


def words(study: Study, harmless) -> str:
    text = study.protocol_text()
    harmless(text)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.partition("<body>")[2]))


def test_it_is_fixed_by_the_event_before_the_first_outcome(study, harmless) -> None:
    assert study.head in words(study, harmless)
    study.amend(0.6, reason="typo")
    study.ask(2)
    before = study.head
    said = words(study, harmless)
    assert before in said
    assert "above 0.6" in said, "a change before any outcome is part of what was declared"
    study.tell(1, 1)
    study.amend(0.3, reason="too strict")
    study.extend(trials=10)
    said = words(study, harmless)
    assert before in said
    assert study.head not in said
    assert "above 0.6" in said
    assert "above 0.3" not in said
    for departure in ("bar now 0.3", "too strict", "10 more trials"):
        assert departure in said.partition("Departures")[2]
    seq = int(re.search(r"hash of event (\d+)", said)[1])
    stored = study.events()[seq - 1]
    assert (stored.hash, read_event(stored.text).kind) == (before, "asked")


def test_it_says_what_was_declared(study, harmless) -> None:
    said = words(study, harmless)
    for part in ("a &amp; b", "40 trials", "seed 9", "at most 5 %", "by Ada", "mixture"):
        assert part in said, part
    assert "Departures" not in said, "there is nothing yet to depart from"


TWO = ["x:bernoulli>=0.3", "y:bernoulli<=0.1"]


@pytest.mark.parametrize(
    ("arms", "declared", "question", "rule"),
    [
        ("a", {"threshold": 2, "outcome": "gaussian:1"}, "Is a good?", "is above 2"),
        (
            "ab",
            {"threshold": 2, "outcome": "gaussian", "goal": "below"},
            "Which one of 2",
            "below 2",
        ),
        (
            "ab",
            {"criteria": TWO, "question": "all"},
            "Which of 2",
            "x at least 0.3 and y at most 0.1",
        ),
        (
            "abc",
            {"threshold": 0.5, "outcome": "bernoulli", "question": "top:2"},
            "Which 2 of 3",
            "0.5",
        ),
        ("ab", {"threshold": 2, "outcome": "poisson", "question": "in-order"}, "Which is the", "2"),
        (
            "ab",
            {"control": "a", "lift": 0.1, "outcome": "bernoulli"},
            "Which one of",
            "control being a",
        ),
    ],
)
def test_every_question_is_a_sentence(tmp_path, harmless, arms, declared, question, rule) -> None:
    study = Study.create("q", list(arms), delta=0.1, storage=tmp_path / "q.db", **declared)
    assert asked(study.settings).startswith(question)
    assert rule in good(study.settings)
    assert rule in words(study, harmless)
