"""Small slips of the pen that no other test of the same part would notice, one test for each."""

import json
import math
import statistics
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from goodarm.errors import InputError
from goodarm.study import Bernoulli, ConflictError, Gaussian, Study, StudyClosedError
from goodarm.study.actions import FEW_ARMS
from goodarm.study.log import checkpoint
from goodarm.study.log.events import Stored, digest, read_event
from goodarm.study.log.kinds import kind_of
from goodarm.study.log.kinds.of_studies import check_creation
from goodarm.study.log.verify import Audit
from goodarm.study.report.futures import End
from goodarm.study.report.futures_one_bar import OneBarFutures
from goodarm.study.report.status_text import picture
from goodarm.study.settings import Settings
from goodarm.study.storage import Store

Rechain = Callable[[list[Stored], Callable[[int, dict[str, Any]], object]], list[Stored]]


def found(events: Iterable[Stored], uuid: str | None = None) -> list[tuple[int, str]]:
    return [(p.seq, p.text) for p in Audit(events, uuid).run({}, None).problems]


def test_an_audit_looks_at_the_column_of_keys(study: Study, tmp_path: Path) -> None:
    study.tell("low", 1, key="plate 7")
    log = study.events()
    assert found(log) == []
    assert log[1].key == "key/plate 7"
    forged = [log[0], log[1]._replace(key="key/plate 8")]
    assert found(forged) == [(2, "its columns differ from its text")]


def test_an_audit_notices_the_events_of_another_study(study: Study, rechained: Rechain) -> None:
    study.tell("low", 1)
    log, uuid = study.events(), study._ledger.row.uuid

    def foreign(from_: int) -> list[Stored]:
        return rechained(log, lambda seq, e: e.update(study="0" * 32) if seq >= from_ else None)

    assert found(foreign(9), uuid) == []
    assert found(foreign(2), uuid) == [(2, "it belongs to another study")]
    assert found(foreign(2)) == [(2, "it belongs to another study")]
    assert found(foreign(1), uuid) == [(1, "it belongs to another study")]


def test_an_audit_notices_a_key_that_is_used_twice(study: Study, rechained: Rechain) -> None:
    """The tables refuse it; a file, or a table without its constraints, does not."""
    study.tell("low", 1, key="one")
    study.tell("low", 1, key="two")
    log = rechained(
        study.events(), lambda seq, e: e.update(key="key/one") if e["key"] == "key/two" else None
    )
    ((seq, text),) = found(log)
    assert seq == 3
    assert "the key 'key/one' is used twice" in text


def test_an_audit_knows_the_one_form_of_an_event(study: Study) -> None:
    """The same data written in another way would have another hash: there is one way."""
    study.tell("low", 1)
    first, last = study.events()
    text = last.text.replace('":', '": ', 1)
    assert json.loads(text) == json.loads(last.text)
    assert found([first, last._replace(text=text, hash=digest(text))]) == [
        (2, "its text is not in canonical form")
    ]


def test_the_key_of_a_request_is_not_another_arms(study: Study) -> None:
    study.tell("low", 1, key="plate 7")
    with pytest.raises(ConflictError, match="'plate 7' was used before, for event 2"):
        study.tell("mid", 1, key="plate 7")
    assert study.tell("low", 1, key="plate 7").number == 1
    assert study.seq == 2


def test_the_key_of_a_request_is_not_another_trials(study: Study) -> None:
    first, second = study.ask(arm="low"), study.ask(arm="low")
    study.tell(first, 1, key="reading")
    with pytest.raises(ConflictError, match="'reading' was used before"):
        study.tell(second, 1, key="reading")
    assert [trial.number for trial in study.pending] == [second.number]
    assert study.tell(first, 1, key="reading").number == first.number


def test_a_change_that_is_refused_halfway_leaves_nothing_behind(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.0, "gaussian", storage=sqlite)
    study.tell("A", 1.5)
    with pytest.raises(InputError, match="need a known standard deviation"):
        study.amend(0.4, "protocol", boundary="glr")
    study.tell("A", 0.5)
    assert study.status().threshold == 0.0
    assert study.status() == Study.load("s", sqlite).status()
    assert study.verify().ok


def test_a_trial_that_nobody_asked_for_cannot_be_cancelled_half_told(sqlite: str) -> None:
    both = ["works:bernoulli>=0.3", "harms:bernoulli<=0.4"]
    study = Study.create("s", ["A"], storage=sqlite, criteria=both)
    study.tell("A", {"works": 1})
    with pytest.raises(ConflictError, match="trial 1 was told, not asked for; retract its outcome"):
        study.cancel(1)
    assert study.tell(1, {"harms": 0}).status == "told"


@pytest.mark.parametrize("runs", [1, 7, 10, 25])
def test_a_forecast_gives_the_quantiles_that_it_says(
    runs: int, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = [(37 * number) % 101 for number in range(1, runs + 1)]
    monkeypatch.setattr(
        OneBarFutures,
        "play",
        lambda self, number, horizon: End(lengths[number - 1], (0,)),
    )
    said = study.forecast(runs=runs, horizon=1_000)
    for value, share in ((said.low, 0.1), (said.median, 0.5), (said.high, 0.9)):
        assert value is not None
        # The smallest length that so large a share of the futures does not exceed.
        assert sum(length <= value for length in lengths) >= share * runs
        assert sum(length < value for length in lengths) < share * runs


def test_a_forecast_answers_what_is_pending_first(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [trial.arm for arm in ("high", "high", "low", "high") for trial in [study.ask(arm=arm)]]
    drawn: list[int] = []
    draw = Bernoulli.draw_outcome

    def noted(self: Bernoulli, arm: int, *rest: Any) -> float:
        drawn.append(arm)
        return draw(self, arm, *rest)

    monkeypatch.setattr(Bernoulli, "draw_outcome", noted)
    study.forecast(0.05, runs=1, horizon=50)
    assert [study.settings.arms[arm] for arm in drawn[:4]] == asked


def test_the_scatter_after_a_retraction_is_that_of_what_stands(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.0, Gaussian(1), storage=sqlite)
    values = [0.3, -1.2, 2.0, 0.9]
    for value in values:
        study.tell("A", value)
    study.retract(2, "spilt")
    scatter = study._ledger.look(lambda fold: fold.evidence.past(0, 0).scatter)
    assert math.isclose(scatter, statistics.stdev([0.3, 2.0, 0.9]), rel_tol=1e-12)


def test_a_study_that_went_on_goes_on_from_its_checkpoint(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 1)
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), 0.05, storage=sqlite, seed=1)
    study.tell_many([("A", 1)] * 12)
    assert study.status().state == "decided"
    study.extend(reason="out of curiosity")
    again = Study.load("s", Store(sqlite))
    saved = again._ledger.read(lambda t: t.checkpoint(again._ledger.row.id))
    assert saved is not None
    assert (saved[0], json.loads(saved[2])["going_on"]) == (again.seq, True)
    assert again.status().state == "open"
    assert again.ask().number == 13


def test_suggestions_that_expired_make_room_for_others(store: Store, clock: Any) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=store, budget=3, lease=60)
    study.ask(3)
    clock.move(seconds=61)
    assert [trial.number for trial in study.ask(3)] == [4, 5, 6]
    assert [trial.status for trial in study.trials] == ["expired"] * 3 + ["open"] * 3


def test_a_renewed_lease_ends_when_it_was_said(store: Store, clock: Any) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=store, lease=60)
    trial = study.ask()
    study.renew(trial, 300)
    clock.move(seconds=200)
    study.ask()
    assert study.trial(1).status == "open"
    clock.move(seconds=101)
    study.ask()
    assert study.trial(1).status == "expired"


def test_a_trial_says_who_told_its_outcome(sqlite: str) -> None:
    Study.create("s", ["A"], 0.5, Bernoulli(), storage=sqlite, by="Ann").ask()
    told = Study.load("s", sqlite, by="Bo").tell(1, 1)
    assert (told.by, Study.load("s", sqlite).trial(1).by) == ("Bo", "Bo")


def test_a_budget_of_one_is_one(sqlite: str) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=sqlite, budget=1)
    study.ask()
    with pytest.raises(StudyClosedError, match="0 trials are left"):
        study.ask()


def test_notes_and_doubts_about_a_measurement_name_it(sqlite: str) -> None:
    criteria = ["minutes:bounded:0>=5", "faults:poisson<=9"]
    study = Study.create("s", ["A"], storage=sqlite, criteria=criteria, decide="as-told")
    for number in range(40):
        study.tell("A", {"minutes": 5.0, "faults": 60 * (number % 2)}, sure=True)
    said = [caution.text for caution in study.status().cautions]
    assert any(text.startswith("minutes: Without an upper bound") for text in said), said
    assert any(text.startswith("faults: ") and "vary" in text for text in said), said


def test_the_way_to_an_answer_is_kept_for_every_question(sqlite: str) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=sqlite, question="all")
    for number in range(8):
        study.tell("A", 1)
        study.tell("B", number % 2)
    points = study._ledger.look(lambda fold: fold.evidence.trail())["points"]
    last = points[-1]
    assert last[0] == 16
    assert 0.5 < last[1] <= 1.0
    assert all(value == float(f"{value:.5g}") for value in last[1:])
    status = study.status()
    inquiry = study._ledger.look(lambda fold: fold.evidence.steering)
    assert [arm.W for arm in status.arms] == [inquiry.evidence(arm) for arm in (0, 1)]


def test_a_status_shows_itself_and_what_was_spent(sqlite: str) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=sqlite)
    study.tell("A", 1)
    assert "spent" not in picture(study.status())
    assert repr(study.status()).startswith("s: ")
    study.add_arm("C", "came", cost=2.5)
    study.tell("C", 1)
    assert "spent       3.5" in picture(study.status())


@pytest.mark.parametrize(
    ("arms", "fingerprint"), [(1_000, "6c367c1b5139e0ca"), (1_001, "98955211bb99ce3d")]
)
def test_large_studies_find_their_algorithm_again(arms: int, fingerprint: str) -> None:
    """What is rehearsed may not change, or no study of before would know its algorithm."""
    names = [f"arm {number}" for number in range(arms)]
    settings = Settings.declare(arms=names, threshold=0.5, outcome="bernoulli", algorithm="Unif")
    assert settings.fingerprint == fingerprint


def test_an_arm_that_was_retired_stays_so_when_outcomes_are_gone_through_anew(sqlite: str) -> None:
    study = Study.create("s", ["A", "B", "C"], 0.5, Bernoulli(), storage=sqlite, question="all")
    study.tell("A", 1)
    study.retire_arm("B", "sold out")
    study.retract(1, "spilt")
    assert study.status().arms[1].standing == "retired"
    assert {trial.arm for trial in study.ask(9)} == {"A", "C"}


def test_events_say_which_tags_there_are_now(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.5, Bernoulli(), storage=sqlite)
    study.tag(["blue"])
    study.tag(remove=["blue"])
    told = [read_event(one.text) for one in study.events()[1:]]
    assert [kind_of(event).details(event.body) for event in told] == ["now blue", "now none"]


def test_some_trials_are_those_with_these_numbers(study: Study) -> None:
    study.tell_many([("low", 1), ("mid", 0), ("high", 1)])
    study.ask()
    study.retract(2, "spilt")
    every = study.trials
    assert study.some_trials(2, 3) == every[1:3]
    assert study.some_trials(-5, 1) == every[:1]
    assert study.some_trials(1, 100) == every
    assert [trial.status for trial in every] == ["told", "retracted", "told", "open"]


@pytest.mark.parametrize("more", [0, 1])
def test_a_study_of_few_arms_names_them_all(sqlite: str, more: int) -> None:
    arms = [f"plate {number}" for number in range(FEW_ARMS + more)]
    study = Study.create("s", arms, 0.5, Bernoulli(), storage=sqlite)
    said = f"the study has {FEW_ARMS + 1} others" if more else f"known: {', '.join(arms)}"
    with pytest.raises(InputError, match=f"unknown arm 'X': {said}" if not more else said):
        study.tell("X", 1)


def test_each_measurement_has_a_bar_of_its_own(sqlite: str) -> None:
    criteria = ["minutes:bounded:0:60<=5", "faults:poisson<=9"]
    status = Study.create("s", ["A", "B"], storage=sqlite, criteria=criteria).status()
    assert (status.one_bar(), status.one_bar(0), status.one_bar(1)) == (5.0, 5.0, 9.0)
    assert [arm.count for arm in status.drawn_arms()] == [0, 0]


def test_an_outcome_says_where_it_comes_from(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.5, Bernoulli(), storage=sqlite)
    study.tell("A", 1)
    study.correct(1, 0, "misread")
    study.import_csv(StringIO("arm,value\nA,1\n"), "notebook")
    told = [read_event(one.text) for one in study.events() if one.kind == "told"]
    assert [kind_of(event).remark(event.body) for event in told] == ["", "correction", "imported"]


def test_sizes_of_several_measurements_are_told_together_as_one_by_one(sqlite: str) -> None:
    criteria = ["orders:bernoulli>=0.1", "faults:poisson<=9"]
    studies = [
        Study.create(name, ["A"], storage=sqlite, criteria=criteria, seed=1) for name in "st"
    ]
    values, sizes = {"orders": 6, "faults": 20}, {"orders": 40, "faults": 2.5}
    studies[0].tell("A", values, size=sizes)
    studies[1].tell_many([("A", values, sizes)])
    trials = [study.trial(1) for study in studies]
    assert trials[0].sizes == trials[1].sizes == sizes
    assert [study.evidence for study in studies] == [studies[0].evidence] * 2


def test_a_creation_that_names_no_format_has_the_first_one(study: Study) -> None:
    body = read_event(study.events()[0].text).body
    check_creation({what: value for what, value in body.items() if what != "format"})
    with pytest.raises(ValueError, match="its format is 2, not 1"):
        check_creation({**body, "format": 2})


def test_several_measurements_stay_apart_when_outcomes_are_gone_through_anew(store: Store) -> None:
    criteria = ["orders:bernoulli>=0.1", "faults:poisson<=9"]
    one, other = (
        Study.create(name, ["A"], storage=store, criteria=criteria, seed=1) for name in "st"
    )
    for faults in (4, 7, 2):
        one.tell("A", {"orders": 1, "faults": faults})
    one.retract(2, "spilt")
    for faults in (4, 2):
        other.tell("A", {"orders": 1, "faults": faults})
    assert one.evidence == other.evidence


def test_a_trial_says_when_each_outcome_was_told(store: Store, clock: Any) -> None:
    criteria = ["orders:bernoulli>=0.1", "faults:poisson<=9"]
    study = Study.create("s", ["A"], storage=store, criteria=criteria, seed=1)
    trial = study.ask()
    for values in ({"orders": 1}, {"faults": 4}):
        clock.move(seconds=60)
        study.tell(trial, values)
        told = study.trial(1).told_at
        assert told == read_event(study.events()[-1].text).at
