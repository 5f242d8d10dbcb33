"""Asking and telling: pending, late, repeated, contradicted, cancelled, corrected."""

import math

import pytest

from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.study import (
    Bernoulli,
    Bounded,
    ConflictError,
    Gaussian,
    Study,
    StudyClosedError,
)
from goodarm.study.storage import Store


def test_asks_in_a_row_spread_as_the_rule_implies(study: Study) -> None:
    same = Experiment(["low", "mid", "high"], 0.5, 0.5, seed=7)
    asked = study.ask(9)
    expected = [same.ask() for _ in range(9)]
    assert [trial.arm for trial in asked] == [study.settings.arms[a or 0] for a in expected]
    assert {trial.arm for trial in asked[:3]} == {"low", "mid", "high"}
    assert len({trial.arm for trial in asked[3:]}) > 1
    assert [trial.number for trial in asked] == list(range(1, 10))


def test_asking_one_by_one_is_asking_at_once(store: Store) -> None:
    def made(name: str) -> Study:
        return Study.create(name, list("ABCDE"), 0.0, Gaussian(1.0), storage=store, seed=3)

    one, other = made("one"), made("other")
    for round_ in range(4):
        singles, batch = [one.ask() for _ in range(6)], other.ask(6)
        assert [t.arm for t in singles] == [t.arm for t in batch]
        for trial in batch:
            value = float(trial.number % 5) - 2.0 + round_ / 10
            one.tell(trial.number, value)
            other.tell(trial, value)


def test_outcomes_come_late_out_of_order_or_never(study: Study) -> None:
    first, second, third = study.ask(3)
    study.tell(third, 1)
    study.tell(first, 0)
    assert [t.number for t in study.pending] == [second.number]
    assert [(a.count, a.pending) for a in study.evidence] == [(1, 0), (0, 1), (1, 0)]
    more = study.ask(5)
    study.tell(more[-1], 1)
    study.tell(second, 1)
    assert study.status().trials == 4
    assert study.verify().ok


def test_the_same_value_again_is_nothing_another_is_a_conflict(study: Study) -> None:
    trial = study.ask()
    study.tell(trial, 1)
    before = study.head
    assert study.tell(trial, 1.0).value == 1.0
    assert study.tell(trial.number, 1).status == "told"
    with pytest.raises(ConflictError, match="trial 1 has the outcome 1, not 0"):
        study.tell(trial, 0)
    assert study.head == before


def test_a_key_belongs_to_one_request(study: Study) -> None:
    study.tell("mid", 1, key="robot-1/17")
    study.ask(3, key="batch")
    for other in ({"n": 2}, {"n": 4}, {"n": 3, "arm": "mid"}, {"n": 3, "lease": 60}):
        with pytest.raises(ConflictError, match="'batch' was used before"):
            study.ask(**other, key="batch")
    with pytest.raises(ConflictError, match="used before"):
        study.ask(key="robot-1/17")
    study.ask(2, arm="mid", lease=60, key="chosen")
    assert [t.arm for t in study.ask(2, arm="mid", lease=60, key="chosen")] == ["mid", "mid"]
    with pytest.raises(ConflictError, match="'chosen' was used before"):
        study.ask(2, arm="mid", lease=61, key="chosen")


def test_a_key_makes_any_request_repeatable(study: Study) -> None:
    told = study.tell("mid", 1, key="robot-1/17")
    assert study.tell("mid", 1, key="robot-1/17").number == told.number
    asked = study.ask(3, key="batch")
    assert study.ask(3, key="batch") == asked
    study.stop("lunch", key="s")
    study.extend(key="e")
    study.extend(key="e")
    study.stop("lunch", key="s")
    assert not study.finished
    head = study.head
    with pytest.raises(ConflictError, match="'robot-1/17' was used before"):
        study.tell("mid", 0, key="robot-1/17")
    with pytest.raises(ConflictError, match="was used before"):
        study.tell(asked[0], 1, key="robot-1/17")
    assert study.head == head
    assert study.status().trials == 1


def test_an_outcome_that_was_not_asked_for_counts(study: Study) -> None:
    trial = study.ask()
    told = study.tell("high", 1, note="by hand")
    assert (told.number, told.asked_at) == (2, None)
    assert [t.number for t in study.pending] == [trial.number]
    assert study.evidence[2].count == 1
    assert any("chosen by a person" in c.text for c in study.status().cautions)
    assert study.ask(arm="high").arm == "high"
    assert study.verify().ok


def test_a_lease_runs_out_and_a_late_outcome_still_counts_once(store: Store, clock: object) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=store, seed=1, lease=60)
    first = study.ask()
    assert study.ask(lease=3600).arm == "B"
    clock.move(seconds=59)  # type: ignore[attr-defined]
    assert study.pending[0].number == first.number
    clock.move(seconds=1)  # type: ignore[attr-defined]
    assert study.status().next_arm == "A"
    again = study.ask()
    assert (again.arm, [t.number for t in study.pending]) == ("A", [2, 3])
    assert study.trial(1).status == "expired"
    study.tell(first, 1)
    study.tell(first, 1)
    study.tell(again, 0)
    assert study.evidence[0].count == 2
    with pytest.raises(ConflictError):
        study.tell(first, 0)
    assert study.verify().ok


def test_cancelled_trials_stop_counting_but_take_a_late_outcome(study: Study) -> None:
    trial = study.ask()
    assert study.cancel(trial, "the plate broke").status == "cancelled"
    assert study.cancel(trial).reason == "the plate broke"
    assert study.pending == ()
    assert study.ask().arm == trial.arm
    study.tell(trial, 1)
    with pytest.raises(ConflictError, match="retract that instead"):
        study.cancel(trial)
    assert study.verify().ok


def test_retracting_and_correcting_rebuild_what_is_known(study: Study, store: Store) -> None:
    for value in (1, 0, 1):
        study.tell(study.ask(), value)
    study.retract(1, "wrong tube")
    study.retract(1, "wrong tube")
    assert study.evidence[0].count == 0
    assert study.trial(1).status == "retracted"
    with pytest.raises(ConflictError, match="correct it"):
        study.tell(1, 1)
    study.correct(2, 1, "typing mistake")
    study.correct(2, 1, "typing mistake")
    study.correct(1, 0, "found the tube")
    assert [(a.count, a.mean) for a in study.evidence] == [(1, 0.0), (1, 1.0), (1, 1.0)]
    with pytest.raises(InputError, match="tell it instead"):
        study.correct(study.ask(), 1, "too early")
    fresh = Study.load("doses", store)
    assert fresh.status() == study.status()
    assert study.verify().ok
    texts = " ".join(c.text for c in study.status().cautions)
    assert "2 outcomes were corrected" in texts
    assert "without a replacement" not in texts


def test_the_study_ends_by_itself_and_can_be_extended(url: str) -> None:
    study = Study.create("s", ["bad", "good"], 0.5, Bounded(0, 1), delta=0.1, storage=url, seed=1)
    status = study.run(lambda trial: 0.95 if trial.arm == "good" else 0.1, show_progress_bar=False)
    assert (status.state, status.decision) == ("decided", "good")
    assert status.confidence >= 0.9
    assert study.can_stop()
    assert not study.can_stop(1e-6)
    with pytest.raises(StudyClosedError, match="'good' is good"):
        study.ask()
    study.extend(trials=2)
    study.tell(study.ask(), 0.9)
    study.ask()
    with pytest.raises(StudyClosedError, match="0 trials are left"):
        study.ask()
    study.extend(delta=0.001, reason="the board wants more")
    assert study.status().state == "open"
    study.cancel_all("never done")  # later outcomes of its arm would wait for it
    assert study.run(lambda t: 0.9, show_progress_bar=False).state == "decided"
    study.extend()
    study.ask(50)
    study.stop("enough")
    with pytest.raises(StudyClosedError, match="stopped \\(enough\\)"):
        study.ask()
    study.tell(study.pending[0], 1.0)
    assert study.verify().ok


def test_a_budget_is_kept_and_extended(url: str) -> None:
    study = Study.create("s", ["A", "B"], 0.0, Gaussian(1), budget=3, storage=url, seed=1)
    trials = study.ask(2)
    with pytest.raises(StudyClosedError, match="1 trial is left, 2 asked for"):
        study.ask(2)
    study.cancel(trials[0])
    study.ask(2)
    assert study.status().state == "spent"
    study.extend(trials=1)
    assert study.ask()
    with pytest.raises(InputError, match="no limit"):
        Study.create("t", ["A"], 0.0, Gaussian(1), storage=url).extend(trials=3)


def test_goal_below_flips_the_sign_everywhere(url: str) -> None:
    up = Study.create("up", ["A", "B"], -2.0, Gaussian(1), 1e-9, storage=url, seed=5)
    down = Study.create(
        "down", ["A", "B"], 2.0, Gaussian(1), 1e-9, storage=url, seed=5, goal="below"
    )
    for number in range(12):
        one, other = up.ask(), down.ask()
        assert one.arm == other.arm
        value = 0.05 * number + (2.2 if one.arm == "A" else 1.5)
        up.tell(one, -value)
        down.tell(other, value)
    assert up.recommendation == down.recommendation
    assert up.confidence == down.confidence
    for a, b in zip(up.evidence, down.evidence, strict=True):
        assert (a.W, a.share, a.count) == (b.W, b.share, b.count)
        assert (a.mean, a.low, a.high) == (-(b.mean or 0), -(b.high or 0), -(b.low or 0))
    assert "below 2" in down.status().meaning
    assert down.history["value"].drop_nulls().max() > 0
    assert up.verify().ok
    assert down.verify().ok


def test_changing_the_threshold_or_delta_is_flagged(study: Study) -> None:
    study.amend(0.4, "misread the protocol")
    assert study.status().cautions == ()
    study.tell("low", 1)
    study.amend(0.3, "looks better")
    study.extend(delta=0.2)
    study.extend(delta=0.1)
    texts = [c.text for c in study.status().cautions if c.level == "warning"]
    assert len(texts) == 2
    assert "changed from 0.4 to 0.3 after 1 outcome" in texts[0]
    assert "from none to 0.2" in texts[1]
    assert pytest.approx(math.sqrt(-2 * math.log(0.3))) == study.evidence[0].W  # at the new bar
    assert study.verify().ok


def test_a_script_started_again_goes_on_with_its_study(url: str) -> None:
    def start(threshold: float = 0.5) -> Study:
        return Study.create(
            "s", ["A", "B"], threshold, Bernoulli(), storage=url, load_if_exists=True
        )

    start().tell("A", 1)
    assert start().status().trials == 1
    with pytest.raises(ConflictError, match="with threshold = "):
        start(0.6)
    with pytest.raises(ConflictError, match="there is a study 's' already"):
        Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=url)


def test_an_objective_that_fails_cancels_its_trial(study: Study) -> None:
    def fails(trial: object) -> float:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        study.run(fails, trials=3, show_progress_bar=False)
    assert study.trial(1).reason == "the objective raised ZeroDivisionError"
    with pytest.raises(InputError, match="never end"):
        study.run(lambda t: 1.0)
    assert study.run(lambda t: 1.0, trials=3, show_progress_bar=False).trials == 3


def test_a_key_makes_changes_of_trials_repeatable(study: Study) -> None:
    """Also after others have changed the same trial again."""
    first, second, third = study.ask(3)
    study.tell(first, 0)
    study.correct(first, 1, "typing", key="c")
    study.correct(first, 0, "it was right", key="d")
    head = study.head
    assert study.correct(first, 1, "typing", key="c").value == 0
    study.cancel(second, "spilt", key="x")
    assert study.cancel(second, "spilt", key="x").status == "cancelled"
    withdrawn = study.cancel_all("evening", key="all")
    assert [trial.number for trial in withdrawn] == [third.number]
    fourth = study.ask()
    assert study.cancel_all("evening", key="all") == withdrawn
    assert [trial.number for trial in study.pending] == [fourth.number]
    study.tell(second, 1)
    study.retract(second, "contaminated", key="r")
    study.correct(second, 1, "not after all")
    assert study.retract(second, "contaminated", key="r").status == "told"
    for wrong in (
        lambda: study.correct(first, 0, "typing", key="c"),
        lambda: study.correct(second, 1, "typing", key="c"),
        lambda: study.retract(first, "x", key="x"),
        lambda: study.cancel(fourth, "x", key="x"),
    ):
        with pytest.raises(ConflictError, match="used before"):
            wrong()
    assert study.head != head
    assert study.verify().ok


def test_a_key_makes_a_creation_repeatable(store: Store) -> None:
    declared = {"arms": ["a", "b"], "threshold": 0.5, "outcome": Bernoulli(), "storage": store}
    made = Study.create("s", **declared, key="k")
    assert Study.create("s", **declared, key="k").head == made.head
    made.ask()
    assert Study.create("s", **declared, key="k").pending == made.pending
    for other in (
        {"key": "another"},
        {"key": "k", "arms": ["a"]},
        {"key": "k", "delta": 0.2},
        {},
    ):
        with pytest.raises(ConflictError):
            Study.create("s", **{**declared, **other})


def test_many_who_look_at_the_same_state_see_it_worked_out_once(study, clock) -> None:
    study.tell("low", 1)
    trial = study.ask(lease=60)
    seen = study.status()
    assert study.status() is seen
    assert study.status(simultaneous=True) != seen
    clock.move(seconds=61)  # nothing happened but time: what was suggested may be suggested anew
    late = study.status()
    assert late is not seen
    assert late.next_arm == study.ask(lease=60).arm
    study.tell(trial, 0)
    assert study.status().trials == seen.trials + 1
