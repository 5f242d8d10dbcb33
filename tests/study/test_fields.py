"""A refusal begins with the name of the field, and what was said with a request is in the log."""

import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from goodarm.errors import InputError
from goodarm.study import Bernoulli, Studies, Study

Call = Callable[[Study], object]
EMPTY: Any = ""
WORD: Any = "x"
REFUSED: dict[str, tuple[str, Call]] = {
    "Study.load: name": ("name", lambda s: Study.load(EMPTY, s._ledger.store)),
    "Study.load: by": ("by", lambda s: Study.load("s", s._ledger.store, by=EMPTY)),
    "Studies.open: name": ("name", lambda s: Studies(s._ledger.store).open(EMPTY)),
    "Studies.open: by": ("by", lambda s: Studies(s._ledger.store).open("s", EMPTY)),
    "create: name": ("name", lambda s: create(s, EMPTY)),
    "create: by": ("by", lambda s: create(s, "t", by=EMPTY)),
    "create: key": ("key", lambda s: create(s, "t", key=EMPTY)),
    "create: command": ("command", lambda s: create(s, "t", command=EMPTY)),
    "ask: n": ("n", lambda s: s.ask(WORD)),
    "ask: arm": ("arm", lambda s: s.ask(arm=EMPTY)),
    "ask: lease": ("lease", lambda s: s.ask(lease=WORD)),
    "ask: key": ("key", lambda s: s.ask(key=EMPTY)),
    "tell: trial": ("trial", lambda s: s.tell(0, 1)),
    "tell: arm": ("arm", lambda s: s.tell(EMPTY, 1)),
    "tell: value": ("value", lambda s: s.tell("A", WORD)),
    "tell: at": ("at", lambda s: s.tell("A", 1, at="noon")),
    "tell: note": ("note", lambda s: s.tell("A", 1, note=EMPTY)),
    "tell: key, of an arm": ("key", lambda s: s.tell("A", 1, key=EMPTY)),
    "tell: key, of a trial": ("key", lambda s: s.tell(2, 1, key=EMPTY)),
    "tell_many: key": ("key", lambda s: s.tell_many([("A", 1)], key=EMPTY)),
    "cancel: reason": ("reason", lambda s: s.cancel(2, EMPTY)),
    "cancel: key": ("key", lambda s: s.cancel(2, key=EMPTY)),
    "cancel_all: reason": ("reason", lambda s: s.cancel_all(EMPTY)),
    "cancel_all: key": ("key", lambda s: s.cancel_all(key=EMPTY)),
    "retract: reason": ("reason", lambda s: s.retract(1, EMPTY)),
    "retract: key": ("key", lambda s: s.retract(1, "spilt", EMPTY)),
    "correct: reason": ("reason", lambda s: s.correct(1, 0, EMPTY)),
    "correct: note": ("note", lambda s: s.correct(1, 0, "misread", note=EMPTY)),
    "correct: key": ("key", lambda s: s.correct(1, 0, "misread", key=EMPTY)),
    "renew: lease": ("lease", lambda s: s.renew(2, WORD)),
    "renew: no lease": ("lease", lambda s: s.renew(2, None)),  # type: ignore[arg-type]
    "extend: trials": ("trials", lambda s: s.extend(WORD)),
    "extend: delta": ("delta", lambda s: s.extend(delta=WORD)),
    "extend: reason": ("reason", lambda s: s.extend(5, reason=EMPTY)),
    "extend: key": ("key", lambda s: s.extend(5, key=EMPTY)),
    "amend: threshold": ("threshold", lambda s: s.amend(WORD, "better")),
    "amend: reason": ("reason", lambda s: s.amend(0.6, EMPTY)),
    "amend: key": ("key", lambda s: s.amend(0.6, "better", EMPTY)),
    "rename: name": ("name", lambda s: s.rename(EMPTY)),
    "rename: reason": ("reason", lambda s: s.rename("t", EMPTY)),
    "rename: key": ("key", lambda s: s.rename("t", key=EMPTY)),
    "archive: reason": ("reason", lambda s: s.archive(EMPTY)),
    "archive: key": ("key", lambda s: s.archive(key=EMPTY)),
    "unarchive: reason": ("reason", lambda s: s.unarchive(EMPTY)),
    "unarchive: key": ("key", lambda s: s.unarchive(key=EMPTY)),
    "tag: add": ("tags", lambda s: s.tag([EMPTY])),
    "tag: remove": ("tags", lambda s: s.tag(remove=[EMPTY])),
    "tag: key": ("key", lambda s: s.tag(["t"], key=EMPTY)),
    "add_arm: name": ("arm", lambda s: s.add_arm(EMPTY, "came")),
    "add_arm: reason": ("reason", lambda s: s.add_arm("C", EMPTY)),
    "add_arm: threshold": ("threshold", lambda s: s.add_arm("C", "came", threshold=WORD)),
    "add_arm: label": ("label", lambda s: s.add_arm("C", "came", label=EMPTY)),
    "add_arm: cost": ("cost", lambda s: s.add_arm("C", "came", cost=WORD)),
    "add_arm: note": ("note", lambda s: s.add_arm("C", "came", note=EMPTY)),
    "add_arm: key": ("key", lambda s: s.add_arm("C", "came", key=EMPTY)),
    "retire_arm: name": ("arm", lambda s: s.retire_arm(EMPTY, "gone")),
    "retire_arm: reason": ("reason", lambda s: s.retire_arm("B", EMPTY)),
    "retire_arm: key": ("key", lambda s: s.retire_arm("B", "gone", EMPTY)),
    "stop: reason": ("reason", lambda s: s.stop(EMPTY)),
    "stop: key": ("key", lambda s: s.stop("enough", EMPTY)),
    "can_stop: delta": ("delta", lambda s: s.can_stop(WORD)),
    "forecast: delta": ("delta", lambda s: s.forecast(WORD)),
    "forecast: runs": ("runs", lambda s: s.forecast(0.05, runs=0)),
    "forecast: horizon": ("horizon", lambda s: s.forecast(0.05, horizon=0)),
    "trial: number": ("trial", lambda s: s.trial(WORD)),
    "report: path": ("path", lambda s: s.report("report.pdf")),
    "verify: head": ("head", lambda s: s.verify(WORD)),
    "import_csv: source": ("source", lambda s: s.import_csv(Path("x.csv"), EMPTY)),
}


def create(study: Study, name: str, **more: Any) -> Study:
    return Study.create(name, ["A"], 0.5, Bernoulli(), storage=study._ledger.store, **more)


@pytest.fixture
def begun(sqlite: str) -> Study:
    """Trial 1 is told, trial 2 is open."""
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=sqlite, seed=1, by="Ann")
    study.tell("A", 1)
    study.ask()
    return study


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_begins_with_the_field(case: str, begun: Study) -> None:
    field, call = REFUSED[case]
    before = begun.head
    with pytest.raises(InputError) as caught:
        call(begun)
    assert str(caught.value).startswith(f"{field}: "), str(caught.value)
    assert begun.head == before


SAID: dict[str, tuple[Call, dict[str, object]]] = {
    "ask": (lambda s: s.ask(arm="B", lease=60, key="k"), {"trial": 3, "arm": "B"}),
    "tell": (
        lambda s: s.tell("A", 0, datetime(2026, 1, 31, 12, tzinfo=UTC), "tired", "k"),
        {"arm": "A", "value": 0.0, "observed_at": "2026-01-31T12:00:00.000000Z", "note": "tired"},
    ),
    "cancel": (lambda s: s.cancel(2, "spilt", "k"), {"trial": 2, "reason": "spilt"}),
    "cancel_all": (lambda s: s.cancel_all("late", "k"), {"trial": 2, "reason": "late"}),
    "retract": (lambda s: s.retract(1, "spilt", "k"), {"trial": 1, "told": 2, "reason": "spilt"}),
    "correct": (
        lambda s: s.correct(1, 0, "misread", "at dawn", key="k"),
        {"trial": 1, "arm": "A", "value": 0.0, "note": "at dawn", "corrects": 2},
    ),
    "extend": (
        lambda s: s.extend(delta=0.01, reason="surer", key="k"),
        {"delta": 0.01, "reason": "surer"},
    ),
    "amend": (lambda s: s.amend(0.6, "higher", "k"), {"threshold": 0.6, "reason": "higher"}),
    "rename": (lambda s: s.rename("t", "nicer", "k"), {"name": "t", "reason": "nicer"}),
    "archive": (lambda s: s.archive("done", "k"), {"reason": "done"}),
    "tag": (lambda s: s.tag(["Blue"], key="k"), {"tags": "blue"}),
    "add_arm": (
        lambda s: s.add_arm("C", "came", label="Cyan", cost=2, note="fresh", key="k"),
        {"arm": "C", "label": "Cyan", "cost": 2.0, "note": "fresh", "reason": "came"},
    ),
    "retire_arm": (lambda s: s.retire_arm("B", "gone", "k"), {"arm": "B", "reason": "gone"}),
    "stop": (lambda s: s.stop("enough", "k"), {"reason": "enough"}),
}


@pytest.mark.parametrize("method", SAID)
def test_what_was_said_is_in_the_log_under_the_key(method: str, begun: Study) -> None:
    call, expected = SAID[method]
    call(begun)
    event = begun.events()[-1]
    data = json.loads(event.text)
    body = {what: value for what, value in data["body"].items() if what in expected}
    assert body == expected
    assert data["by"] == "Ann"
    # cancel_all gives each trial a part of the key; an own key is kept apart from others.
    assert "key/k" in str(event.key) or "batch/k" in str(event.key), event.key
    head = begun.head
    call(begun)  # the same request again, with the same key
    assert begun.head == head


def test_unarchive_says_why(begun: Study) -> None:
    begun.archive()
    begun.unarchive("wanted again", "k")
    event = begun.events()[-1]
    assert json.loads(event.text)["body"] == {"reason": "wanted again"}
    assert (event.key, begun.archived) == ("key/k", False)


def test_no_method_that_writes_was_forgotten() -> None:
    methods = inspect.getmembers(Study, inspect.isfunction)
    keyed = {name for name, m in methods if "key" in inspect.signature(m).parameters}
    tabled = {case.partition(":")[0] for case in REFUSED if case.partition(": ")[2][:3] == "key"}
    assert keyed - {"tell_csv"} == tabled - {"create"}
