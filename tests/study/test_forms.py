"""Logs that someone has written anew, hashes and all: what cannot have happened is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goodarm.study import Bernoulli, Study
from goodarm.study.log.events import Stored, digest, read_event
from goodarm.study.log.verify import Audit
from goodarm.study.storage import Store

Rechain = Callable[[list[Stored], Callable[[int, dict[str, Any]], object]], list[Stored]]
LATER, BEFORE = "2026-01-02T00:00:00.000000Z", "2025-01-01T00:00:00.000000Z"


@pytest.fixture
def log(tmp_path: Path, clock: Any) -> list[Stored]:
    """Fifteen events with something of everything."""
    store = Store(tmp_path / "s.db", clock=clock)
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), 0.05, storage=store, seed=1, by="Ann")
    for value in (1, 0):
        study.tell(study.ask(), value, note="by hand")  # 2 to 5
    study.tell_many([("A", 1), ("B", 0)])  # 6, 7
    study.correct(1, 0, "typo")  # 8, 9
    study.retract(2, "spilt")  # 10
    study.ask(2, lease=60)  # 11, 12
    clock.move(seconds=61)
    study.ask()  # 13, 14 have expired; 15
    study.stop("enough")  # 16
    study.extend(trials=5)  # 17
    return study.events()


def problems(log: list[Stored]) -> list[tuple[int, str]]:
    return [(one.seq, one.text) for one in Audit(log).run({}, None).problems]


def test_the_log_itself_is_sound(log: list[Stored], rechained: Rechain) -> None:
    assert [event.kind for event in log[12:]] == [
        "expired",
        "expired",
        "asked",
        "stopped",
        "extended",
    ]
    assert problems(log) == []
    assert rechained(log, lambda seq, event: None) == log


ALTERED: dict[str, tuple[int, dict[str, Any], str]] = {
    # The event, what it says instead (None: nothing) of itself or in its body, and why it cannot.
    "a setting that there is not": (1, {"certain": True}, "'certain', which 'created' does not"),
    "a name with another direction": (1, {"name": "s\u202et"}, "control character"),
    "no name": (1, {"name": ""}, "name: '' is empty"),
    "no fingerprint": (1, {"fingerprint": []}, "fingerprint is [], which is no str"),
    "neither yes nor no": (1, {"by_cost": {}}, "by_cost is {}, which is no bool"),
    "something besides": (3, {"winner": "A"}, "'winner', which 'told' does not have"),
    "nothing, at length": (3, {"size": None}, "size is None, where it would be left out"),
    "a note that hides": (3, {"note": "a\u202eb"}, "control character"),
    "half a character": (3, {"note": "\ud800"}, "control character"),
    "a long note": (3, {"note": "x" * 10_001}, "10001 characters"),
    "a flag that is none": (2, {"chosen": "no"}, "chosen is 'no'"),
    "a flag that is not set": (3, {"imported": False}, "imported is False"),
    "no time of observation": (3, {"observed_at": "noon"}, "observed_at is 'noon'"),
    "no time": (3, {"at": "noon"}, "at is 'noon', which is no time"),
    "a day that was not": (3, {"at": "2026-02-30T00:00:00.000000Z"}, "which is no time"),
    "a number for a time": (3, {"at": 5}, "at is 5"),
    "nobody": (3, {"by": {}}, "by: {} is not text"),
    "a key that is none": (3, {"key": 5}, "its key is 5"),
    "the key of another trial": (3, {"key": "trial/9/told"}, "is that of another trial"),
    "the key of another event": (10, {"key": "event/3/retracted"}, "is that of another event"),
    "a batch that does not end": (7, {"more": True}, "announces more outcomes"),
    "no reason": (10, {"reason": None}, "it has no reason"),
    "another trial's outcome": (10, {"told": 6, "key": None}, "event 6 has told something else"),
    "no outcome": (10, {"told": 4, "key": None}, "event 4 has told nothing"),
    "a correction of another": (9, {"corrects": 6}, "event 6 has told something else"),
    "a correction of nothing": (9, {"corrects": 99}, "event 99 has told nothing"),
    "no correction": (9, {"corrects": None}, "does not correct it"),
    "a lease without an end": (11, {"expires_at": "never"}, "expires_at is 'never'"),
    "a lease over at once": (11, {"expires_at": BEFORE}, "its lease ended before it began"),
    "a lease that goes on": (11, {"expires_at": LATER}, "no lease that had run out"),
    "no lease": (11, {"expires_at": None}, "no lease that had run out"),
    "no more trials": (17, {"trials": 0}, "trials: 0 is outside 1 to 100000"),
    "endless trials": (17, {"trials": 10**30}, "is outside 1 to 100000"),
    "the same certainty": (17, {"delta": 0.05}, "the study had that δ already"),
}


@pytest.mark.parametrize("what", ALTERED)
def test_what_cannot_have_happened_is_found(
    what: str, log: list[Stored], rechained: Rechain
) -> None:
    number, said, why = ALTERED[what]

    def alter(seq: int, event: dict[str, Any]) -> None:
        if seq == number:
            for name, value in said.items():
                if name in event:
                    event[name] = value
                elif value is None and name != "size":
                    del event["body"][name]
                else:
                    event["body"][name] = value

    ((_, text),) = problems(rechained(log, alter))
    assert "it cannot have happened" in text
    assert why in text


INSERTED: dict[str, tuple[int, str, dict[str, Any], str]] = {
    # After that event, another one.
    "a trial of a stopped study": (16, "asked", {"trial": 8, "arm": "A"}, "it was stopped"),
    "a second end": (16, "stopped", {"reason": "enough"}, "was stopped already"),
    "nothing to extend": (15, "extended", {"reason": "more"}, "nothing to extend"),
    "the bar it had": (15, "amended", {"threshold": 0.5, "reason": "x"}, "nothing changes"),
    "no change": (15, "amended", {"reason": "x"}, "nothing changes"),
    "a lease of no trial": (15, "renewed", {"trial": 5, "expires_at": LATER}, "was not open"),
    "a shorter lease": (15, "renewed", {"trial": 7, "expires_at": BEFORE}, "before it began"),
}


@pytest.mark.parametrize("what", INSERTED)
def test_what_cannot_have_happened_then_is_found(
    what: str, log: list[Stored], rechained: Rechain
) -> None:
    after, kind, body, why = INSERTED[what]
    other = read_event(log[after - 1].text)._replace(seq=after + 1, kind=kind, body=body, key=None)
    ((seq, text),) = problems(rechained([*log[:after], other.stored()], lambda seq, event: None))
    assert seq == after + 1
    assert "it cannot have happened" in text
    assert why in text


def test_a_log_that_ends_within_a_batch_is_not_whole(log: list[Stored]) -> None:
    assert problems(log[:6]) == [(6, "the log ends although this event announces more outcomes")]


def test_more_trials_than_are_allowed_cannot_have_been_asked_for(
    log: list[Stored], rechained: Rechain
) -> None:
    forged = rechained(log, lambda seq, e: seq == 1 and e["body"].update(budget=3))
    ((seq, text),) = problems(forged)
    assert (seq, text) == (
        11,
        "it cannot have happened: the study took no more trials: it was spent",
    )


def test_an_event_that_is_nested_too_deeply_is_none(log: list[Stored]) -> None:
    deep = "[" * 100_000
    forged = [log[0], log[1]._replace(text=deep, hash=digest(deep))]
    assert problems(forged) == [(2, "it is not an event")]
