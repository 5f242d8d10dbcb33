"""Studies that ask more than whether one option clears one bar: log, evidence, words."""

import random
from pathlib import Path

import pytest

from goodarm.errors import InputError
from goodarm.inquiry import Criterion, Inquiry
from goodarm.study import ConflictError, Study
from goodarm.study.log.checkpoint import read_checkpoint, write_checkpoint
from goodarm.study.log.events import read_event
from goodarm.study.log.export import read_export
from goodarm.study.log.verify import Audit, verify_file
from goodarm.study.report.status_text import picture

CRITERIA = ["works:bernoulli>=0.3", "harms:bernoulli<=0.2"]
KINDS_OF_STUDY = {
    "all": {"outcome": "bernoulli", "threshold": 0.5, "question": "all"},
    "top": {"outcome": "gaussian:1", "threshold": 0.5, "question": "top:2", "goal": "below"},
    "order": {"outcome": "bernoulli", "threshold": [0.3, 0.4, 0.5, 0.6], "question": "in-order"},
    "criteria": {"criteria": CRITERIA, "question": "all", "reserve": 0.1},
    "control": {"outcome": "bernoulli", "control": "b", "margin": 0.05, "question": "all"},
    "lift": {"outcome": "poisson", "control": "a", "lift": 0.1, "decide": "as-told"},
}
RATES = {"a": 0.35, "b": 0.2, "c": 0.7, "d": 0.55, "e": 0.9}
DONE = "decided"


def made(kind: str, storage: str, delta: float | None = 0.1) -> Study:
    """A study of that kind."""
    return Study.create(
        kind, ["a", "b", "c", "d"], delta=delta, seed=5, storage=storage, **KINDS_OF_STUDY[kind]
    )


def outcome(study: Study, arm: str, chance: random.Random) -> float | dict[str, float]:
    """What comes out."""
    value = float(chance.random() < RATES[arm])
    if not study.settings.criteria:
        return value
    return {"works": value, "harms": float(chance.random() < 0.05)}


def play(study: Study, trials: int, chance: random.Random) -> int:
    """Make so many trials, or as many as it takes; three are open at a time, told backwards."""
    for made_so_far in range(0, trials, 3):
        if study.finished:
            return made_so_far
        for trial in reversed(study.ask(3)):
            study.tell(trial, outcome(study, trial.arm, chance))
    return trials


@pytest.mark.parametrize("kind", KINDS_OF_STUDY)
def test_a_study_of_every_kind_is_the_same_wherever_it_is_read(
    kind: str, sqlite: str, tmp_path: Path
) -> None:
    study, chance = made(kind, sqlite), random.Random(kind)
    play(study, 30, chance)
    study.add_arm("e", "a fifth", threshold=0.5 if kind == "order" else None)
    study.retire_arm("d", "out of stock")
    play(study, 90, chance)
    again = Study.load(kind, sqlite)
    assert again.status() == study.status()
    fold = again._ledger.look(lambda fold: fold)
    created = read_event(study.events(0, 1)[0].text)
    restored = read_checkpoint(write_checkpoint(fold), created, fold.head)
    assert restored is not None
    assert write_checkpoint(restored) == write_checkpoint(fold)
    assert restored.next_arm() == fold.next_arm()
    audit = study.verify()
    assert (audit.ok, audit.suggestions) == (True, len([t for t in study.trials if t.asked_at]))
    assert verify_file(study.export(tmp_path / "log.json")).ok
    assert "d" not in (*study.status().answers, *study.status().decisions)


@pytest.mark.parametrize("kind", ["all", "criteria", "control"])
def test_a_study_says_what_an_inquiry_says(kind: str, sqlite: str) -> None:
    study, chance = made(kind, sqlite), random.Random(3)
    settings = study.settings
    inquiry = Inquiry(
        settings.arms,
        settings.every_criterion,
        settings.question,
        0.1,
        settings.control,
        seed=5,
        reserve=settings.reserve,
    )
    while not study.finished:
        trial = study.ask()
        assert trial.arm == inquiry.arms[inquiry.ask() or 0]
        value = outcome(study, trial.arm, chance)
        study.tell(trial, value)
        inquiry.tell(trial.arm, value)
        if trial.number > 400:
            break
    status = study.status()
    standings = {arm.arm: arm.standing for arm in status.arms if arm.standing != "control"}
    assert standings == inquiry.standings
    assert status.confidence == pytest.approx(inquiry.confidence)
    assert status.answers == tuple(inquiry.arms[arm] for arm in inquiry.recommendation)
    assert (status.state == DONE) == inquiry.finished


def test_measurements_come_when_they_come(sqlite: str) -> None:
    study = made("criteria", sqlite)
    first, second = study.ask(arm="a"), study.ask(arm="a")
    assert study.tell(second, {"harms": 0}).status == "open"
    assert study.status().arms[0].waiting == 1  # the first was asked before it
    assert study.tell(first, {"works": 1, "harms": 0}).status == "told"
    status = study.status()
    assert (status.arms[0].waiting, status.pending, status.trials) == (0, 1, 2)
    assert [one.count for one in status.arms[0].measurements] == [1, 2]
    assert study.tell(second, {"harms": 0}).status == "open"  # the same, once more
    with pytest.raises(ConflictError, match="trial 2 has the outcome harms 0, not 1"):
        study.tell(second, {"harms": 1})
    cancelled = study.cancel(second, "the patient has left")
    assert (cancelled.status, cancelled.values) == ("cancelled", {"harms": 0.0})
    assert study.status().arms[0].measurements[1].count == 2
    assert study.verify().ok


def test_measurements_are_corrected_one_by_one_and_retracted_together(sqlite: str) -> None:
    study = made("criteria", sqlite)
    trial = study.ask(arm="a")
    study.tell(trial, {"works": 1, "harms": 1})
    assert study.correct(trial, {"harms": 0}, "typing").values == {"works": 1.0, "harms": 0.0}
    assert study.trial(1).status == "told"
    assert [one.mean for one in study.status().arms[0].measurements] == [1.0, 0.0]
    gone = study.retract(trial, "the sample was lost")
    assert (gone.status, gone.values) == ("retracted", None)
    assert study.status().trials == 0
    with pytest.raises(ConflictError, match="retracted"):
        study.tell(trial, {"works": 1})
    study.correct(trial, {"works": 0, "harms": 0}, "found again")
    assert study.trial(1).values == {"works": 0.0, "harms": 0.0}
    assert study.verify().ok


def test_a_batch_of_measurements_is_what_they_are_one_by_one(sqlite: str, tmp_path: Path) -> None:
    rows = [("a", {"works": 1, "harms": 0}), ("b", {"works": 0}), ("a", {"harms": 1, "works": 1})]
    study = made("criteria", sqlite)
    trials = study.tell_many(rows, key="sheet 1")
    assert [trial.number for trial in trials] == [1, 2, 3]
    assert trials[2].values == {"works": 1.0, "harms": 1.0}
    assert len(study.tell_many(rows, key="sheet 1")) == 3  # once
    one_by_one = Study.create(
        "one", ["a", "b", "c", "d"], delta=0.1, criteria=CRITERIA, storage=sqlite, reserve=0.1
    )
    for arm, values in rows:
        one_by_one.tell(arm, values)
    assert [a.measurements for a in study.evidence] == [a.measurements for a in one_by_one.evidence]
    asked = study.ask(2)
    study.tell_many([(asked[0], {"works": 1}), (asked[1], {"works": 0, "harms": 0})])
    assert [study.trial(t.number).status for t in asked] == ["open", "told"]
    assert study.verify().ok


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"threshold": 0.5}, "outcome: say what an outcome is"),
        ({"outcome": "bernoulli"}, "threshold: give the bar"),
        ({"outcome": "bernoulli", "threshold": 0.5, "question": "best"}, "question"),
        ({"outcome": "bernoulli", "threshold": [0.5, 0.4]}, "2 values, but the number of arms"),
        ({"outcome": "bernoulli", "control": "x", "margin": 0.1}, "unknown arm 'x'"),
        ({"outcome": "bernoulli", "margin": 0.1}, "control: name the arm"),
        ({"outcome": "bernoulli", "control": "a"}, "give one of threshold, margin"),
        ({"outcome": "bernoulli", "control": "a", "margin": 0.1, "threshold": 0.5}, "give one of"),
        ({"criteria": CRITERIA, "threshold": 0.5}, "threshold: leave it out"),
        ({"criteria": ["works"]}, "not NAME:MODEL>=BAR"),
        ({"criteria": [CRITERIA[0], CRITERIA[0]]}, "two of them are named 'works'"),
        ({"criteria": CRITERIA, "boundary": "glr"}, "boundary: the paper's 'glr'"),
        ({"criteria": CRITERIA, "reserve": 0.99}, "reserve"),
        ({"criteria": CRITERIA, "details": {"x": {"cost": 2}}}, "unknown arm 'x'"),
        ({"criteria": CRITERIA, "details": {"a": {"cost": -2}}}, "cost: -2 is not positive"),
        ({"criteria": CRITERIA, "details": {"a": {"price": 2}}}, "price"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    wrong: dict[str, object], message: str, sqlite: str
) -> None:
    with pytest.raises(InputError, match=message):
        Study.create("s", ["a", "b", "c"], storage=sqlite, **wrong)  # type: ignore[arg-type]


def test_what_cannot_be_told_is_refused(sqlite: str) -> None:
    study = made("criteria", sqlite)
    for value, message in (
        (1, "several measurements; give each by its name: works, harms"),
        ({}, "no measurement is given"),
        ({"heals": 1}, "unknown measurement 'heals'"),
        ({"works": 2}, "works: value: 2 is neither 0 nor 1"),
    ):
        with pytest.raises(InputError, match=message):
            study.tell("a", value)  # type: ignore[arg-type]
    assert study.seq == 1
    with pytest.raises(InputError, match="one measurement"):
        made("all", sqlite).tell("a", {"outcome": 1})


def test_what_cannot_come_or_go_is_refused(sqlite: str) -> None:
    study = made("control", sqlite)
    study.retire_arm("c", "dear")
    for change, message in (
        (lambda: study.add_arm("a", "again"), "'a' was there already"),
        (lambda: study.add_arm("c", "again"), "'c' was retired before"),
        (lambda: study.add_arm("e", "x", threshold=0.3), "the same for all arms"),
        (lambda: study.retire_arm("b", "x"), "'b' is the control"),
        (lambda: study.retire_arm("c", "x"), "'c' was retired before"),
        (lambda: study.retire_arm("z", "x"), "unknown arm 'z'"),
        (lambda: study.amend(0.4, "x"), "keeps the bars it was created with"),
        (lambda: study.ask(arm="c"), r"'c' was retired \(dear\)"),
    ):
        with pytest.raises(InputError, match=message):
            change()
    study.retire_arm("a", "dear")
    with pytest.raises(InputError, match="'d' is the only one left"):
        study.retire_arm("d", "x")
    by_paper = Study.create("p", ["a", "b"], 0.5, "gaussian:1", storage=sqlite, boundary="glr")
    with pytest.raises(InputError, match="keeps its arms"):
        by_paper.add_arm("c", "x")


def test_a_plain_study_takes_more_arms_and_says_what_that_costs(sqlite: str) -> None:
    study = Study.create("s", ["a", "b"], 0.5, "bernoulli", 0.05, storage=sqlite, seed=2)
    for _ in range(30):
        study.tell("b", 0)
        study.tell("a", 0)
    assert study.status().decision is None
    assert study.status().state == DONE
    study.add_arm("c", "a new idea")
    status = study.status()
    assert (status.state, status.next_arm, status.risk) == ("open", "c", pytest.approx(0.05 / 0.9))
    while not study.finished:
        study.tell(study.ask(), 1)
    status = study.status()
    assert (status.decision, status.is_plain) == ("c", False)
    assert "at most 5.6 %" in status.meaning
    assert any("No share of δ was reserved" in caution.text for caution in status.cautions)
    assert study.verify().ok


def test_a_forged_measurement_or_arm_is_found(sqlite: str, tmp_path: Path) -> None:
    from goodarm.study.log.events import Stored, canonical, digest

    study = made("criteria", sqlite)
    study.tell(study.ask(), {"works": 1})
    study.retire_arm("b", "dear")
    study.tell(1, {"harms": 0})
    log = study.events()

    def forged(position: int, **changes: object) -> list[str]:
        """What an audit says where one event is other than it was, all hashes being right."""
        out: list[Stored] = []
        for stored in log:
            event = read_event(stored.text)
            wanted = changes if event.seq == position else {}
            body = {**event.body, **wanted}
            body = {name: v for name, v in body.items() if v is not None or name not in wanted}
            previous = out[-1].hash if out else event.previous
            text = canonical(event._replace(body=body, previous=previous)._asdict())
            out.append(stored._replace(text=text, hash=digest(text)))
        return [problem.text for problem in Audit(out).run({}, None).problems]

    assert forged(3) == []
    assert "other measurements than it says" in forged(3, awaited=None)[0]
    assert "unknown measurement 'cures'" in forged(3, measure="cures")[0]
    assert "unknown arm 'q'" in forged(4, arm="q")[0]
    assert "other measurements" in forged(5, measure="works")[0]
    assert "other measurements" in forged(5, awaited=True)[0]
    assert read_export(study.export(tmp_path / "s.json"))[0].head == study.head


def test_status_speaks_of_the_question(sqlite: str) -> None:
    study = made("criteria", sqlite)
    play(study, 900, random.Random(1))
    status = study.status()
    said = picture(status)
    assert "looking for every good option: works at least 0.3 and harms at most 0.2" in " ".join(
        said.split()
    )
    assert "harms at most 0.2: a " in " ".join(said.split())
    assert status.criteria == ("works at least 0.3", "harms at most 0.2")
    assert status.question == "all"


def test_costs_are_added_up(sqlite: str) -> None:
    details = {"a": {"cost": 2.5, "label": "The first"}, "b": {"note": "in the cellar"}}
    study = Study.create("s", ["a", "b"], 0.5, "bernoulli", storage=sqlite, details=details)
    study.tell_many([("a", 1), ("a", 0), ("b", 1)])
    status = study.status()
    assert status.spent == 6.0
    assert [arm.label for arm in status.arms] == ["The first", None]
    assert status.arms[1].note == "in the cellar"
    assert status.is_plain  # what a trial costs changes no bar
    assert Study.load("s", sqlite).settings == study.settings


def test_criteria_are_read_and_said() -> None:
    read = [
        ("works: bernoulli >= 0.3", "works at least 0.3"),
        ("days:gaussian:2<=7", "days at most 7"),
        ("rate:bernoulli>=control", "rate at least the control's mean + 0"),
        ("rate:bernoulli>=control - 0.02", "rate at least the control's mean − 0.02"),
        ("days:gaussian:2<=control-1", "days at most the control's mean − 1"),
        ("events:poisson<=control*0.9", "events at most 0.9 times the control's mean"),
    ]
    for text, said in read:
        criterion = Criterion.parse(text)
        assert criterion.describe() == said
        assert Criterion.from_data(criterion.to_data()) == criterion


def test_who_asks_an_answered_study_hears_the_whole_answer(sqlite: str) -> None:
    study = made("all", sqlite)
    while not study.finished:
        for trial in study.ask(4):
            study.tell(trial, float(trial.arm in "cd"))
    with pytest.raises(InputError, match="has its answer: 'c', 'd' are good; extend it"):
        study.ask()


def test_a_trial_counts_against_the_budget_whatever_was_measured_of_it(sqlite: str) -> None:
    study = Study.create("s", ["a"], criteria=CRITERIA, storage=sqlite, budget=4, seed=1)
    study.ask(3)
    study.tell(1, {"works": 1})
    study.tell(2, {"harms": 0})
    status = study.status()
    assert (status.trials, status.pending) == (2, 3)
    with pytest.raises(InputError, match="1 trial is left"):
        study.ask(2)
    study.ask()
    assert study.status().state == "spent"
    study.cancel(2)
    assert (study.status().trials, study.status().state) == (2, "spent")
    study.tell(1, {"harms": 0})
    study.retract(1, "mixed up")
    assert study.status().trials == 1
    assert study.verify().ok


def test_bars_of_options_that_came_later_are_among_those_that_are_told(sqlite: str) -> None:
    study = made("order", sqlite)
    study.add_arm("e", "new", threshold=0.9)
    study.retire_arm("a", "dear")
    (said,) = study.status().criteria
    assert said == "outcome at least a bar of its own (0.4 to 0.9)"
    study.tell("e", 1)
    assert said in study.status().meaning
    assert study.verify().ok
