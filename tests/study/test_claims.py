"""What an exported file says besides its events must be what they amount to."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goodarm.errors import InputError
from goodarm.study import Bernoulli, Study
from goodarm.study.log.alike import alike
from goodarm.study.log.verify import verify_file
from goodarm.study.report.status_text import verification_text
from goodarm.study.storage import Store

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def exported(tmp_path: Path, clock: Any) -> Path:
    """A study that is not decided, with a suggestion whose lease has run out."""
    store = Store(tmp_path / "s.db", clock=clock)
    study = Study.create("plates", ["A", "B"], 0.5, Bernoulli(), 0.05, storage=store, seed=1)
    for value in (1, 0, 1):
        study.tell(study.ask(), value)
    study.cancel(study.ask(3, lease=60)[0])
    clock.move(seconds=90)
    return study.export(tmp_path / "plates.json")


def changed(path: Path, change: Change) -> Path:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data, indent=1))
    return path


def status(name: str, value: object) -> Change:
    return lambda data: data["status"].update({name: value})


def arm(name: str, value: object) -> Change:
    return lambda data: data["status"]["arms"][1].update({name: value})


FORGED: dict[str, tuple[Change, str]] = {
    "the end cut off": (lambda data: data["events"].pop(), "its head is"),
    "and another head": (
        lambda data: (data["events"].pop(), data.update(head=data["events"][-1]["hash"])),
        "that pending is 2, but its events amount to 3",
    ),
    "a name": (lambda data: data.update(study="pots"), "its name is 'pots'"),
    "the status's name": (status("name", "pots"), "that name is 'pots'"),
    "an answer": (status("answer", "B"), "that answer is 'B', but its events amount to 'A'"),
    "a confidence": (status("confidence", 0.99), "that confidence is 0.99"),
    "decided": (status("decided", True), "that decided is True"),
    "a sentence": (status("meaning", "B is above 0.5."), "that meaning is 'B is above 0.5.'"),
    "a caution": (lambda data: data["status"]["cautions"].clear(), "that cautions is"),
    "a suggestion": (status("next_arm", None), "that next_arm is None"),
    "a mean": (arm("mean", 0.7), "that mean of 'B' is 0.7"),
    "an option's name": (arm("arm", "C"), "that arm of 'B' is 'C'"),
    "an option less": (lambda data: data["status"]["arms"].pop(), "that arms is"),
    "no options": (status("arms", {}), "that arms is {}"),
    "nothing": (lambda data: data.update(status={}), "its status lacks answer"),
    "no answer": (lambda data: data["status"].pop("answer"), "its status lacks answer"),
    "a letter that looks alike": (
        lambda data: data["status"].update({"\u0430nswer": data["status"].pop("answer")}),
        "its status lacks answer",
    ),
    "nothing of an option": (
        lambda data: data["status"]["arms"][1].clear(),
        "its status lacks W of option 2",
    ),
    "a mean less": (
        lambda data: data["status"]["arms"][1].pop("mean"),
        "its status lacks mean of option 2",
    ),
    "a share of a trial": (status("trials", 3 + 1e-10), "that trials is 3.0000000001"),
    "a little of what was declared": (status("delta", 0.05 + 1e-12), "that delta is 0.05"),
    "no time": (lambda data: data.update(at="yesterday"), "written at 'yesterday'"),
    "too large a number": (status("confidence", 10**400), "that confidence is 1000"),
    "not a number": (status("confidence", float("nan")), "that confidence is nan"),
    "no head": (lambda data: data.pop("head"), "its head is None"),
    "no name": (lambda data: data.pop("study"), "its name is None"),
    "no status": (lambda data: data.pop("status"), "the file has no status"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_a_file_says_is_held_against_its_events(what: str, exported: Path) -> None:
    assert verify_file(exported).ok
    change, why = FORGED[what]
    found = verify_file(changed(exported, change))
    assert why in " | ".join(problem.text for problem in found.problems)


def test_nothing_in_a_file_may_be_said_twice(exported: Path) -> None:
    """One reader would see the first, another the last."""
    text = exported.read_text()
    forged = text.replace(' "status": {', ' "status": {"answer": "B"},\n "status": {', 1)
    exported.write_text(forged)
    with pytest.raises(InputError, match="not a JSON export of a study"):
        verify_file(exported)


def unread(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(InputError, match="not a JSON export of a study"):
        verify_file(path)


def test_an_event_is_a_text_and_its_hash(exported: Path) -> None:
    """A reader of the file would see more than the audit has looked at."""
    text, line = exported.read_text(), '   "text": "'
    for more in ('   "answer": "B", "text": "', '   "text": "B is good", "text": "'):
        first, _, last = text.rpartition(line)
        unread(exported, first + more + last)
    data = json.loads(text)
    data["events"][1]["answer"] = "B"
    unread(exported, json.dumps(data))


@pytest.mark.parametrize("where", ["file", "status", "event"])
def test_what_is_nested_too_deeply_is_no_export(where: str, exported: Path) -> None:
    text, deep = exported.read_text(), "[" * 100_000 + "]" * 100_000
    if where == "event":
        text = json.dumps(json.loads(text) | {"events": [{"hash": "", "text": deep}]})
    forged = {
        "file": deep,
        "status": text.replace(' "status": {', f' "status": {{"answer": {deep},', 1),
        "event": text,
    }
    unread(exported, forged[where])


def test_what_nobody_has_looked_at_is_named(exported: Path) -> None:
    def add(data: dict[str, Any]) -> None:
        data["conclusion"] = "B is good"
        data["status"]["winner"] = data["status"]["arms"][1]["winner"] = "\x1b[1mB"

    found = verify_file(changed(exported, add))
    assert found.ok
    assert found.not_compared == (
        "'winner', 'winner' of 'B' in its status",
        "'conclusion' in the file",
    )


def test_an_honest_file_may_be_formatted_by_another_program(exported: Path) -> None:
    def whole(value: Any) -> Any:
        """As JavaScript writes it: 1.0 is 1."""
        if isinstance(value, dict):
            return {key: whole(part) for key, part in value.items()}
        if isinstance(value, list):
            return [whole(part) for part in value]
        return int(value) if isinstance(value, float) and value == int(value) else value

    data = whole(json.loads(exported.read_text()))
    assert json.dumps(data) != json.dumps(json.loads(exported.read_text()))
    exported.write_text(json.dumps(data, sort_keys=True, ensure_ascii=False))
    found = verify_file(exported)
    assert found.problems == ()
    assert found.compared == ("the file's head", "the file's name", "the file's status")
    assert found.not_compared == ()


@pytest.mark.parametrize(
    ("change", "left_out"),
    [
        (lambda data: data.update(goodarm="0.0.9"), None),
        (lambda data: data["status"].update(meaning="Tja.", rule="glr"), "rule"),
        (lambda data: data["status"].pop("risk") and data["status"].update(meaning="B!"), None),
    ],
    ids=["another number", "another field", "a field less"],
)
def test_the_words_of_another_version_are_named_and_not_compared(
    change: Change, left_out: str | None, exported: Path
) -> None:
    def otherwise(data: dict[str, Any]) -> None:
        change(data)
        if left_out is None:
            data["status"]["meaning"] = "B!"

    found = verify_file(changed(exported, otherwise))
    if left_out is None:
        assert found.ok
        (said,) = found.not_compared
        assert said == "meaning in its status, which another version of goodarm wrote"
        assert "looks above" in found.meaning  # a reader is told what the events amount to
    else:
        assert not found.ok  # all that we write is there: so this is our own layout
        assert left_out in found.not_compared[0]


def test_a_suggestion_at_an_unknown_moment_is_not_compared(exported: Path) -> None:
    """Which leases had run out depends on when it was; earlier versions did not say."""

    def forget(data: dict[str, Any]) -> None:
        data["status"]["next_arm"] = "B" if data["status"]["next_arm"] == "A" else "A"
        del data["at"]

    found = verify_file(changed(exported, forget))
    assert found.ok
    (said,) = found.not_compared
    assert said == "next_arm in its status, which another version of goodarm wrote"


def test_what_was_compared_is_said(exported: Path) -> None:
    text = verification_text(verify_file(exported), 60)
    assert "compared with the log: the file's head" in text
    assert "not to be seen here" in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("head")) <= 60
    noted = json.loads(exported.read_text())["events"][4]["hash"]
    found = verify_file(exported, noted)
    assert found.vouched == 5
    said = " ".join(verification_text(found, 80).split())
    assert "is that of event 5: nothing up to there was changed" in said
    assert "6 events came later" in said
    assert "not to be seen" not in said


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_files_of_earlier_versions_say_what_their_events_say(
    path: Path, tmp_path: Path
) -> None:
    found = verify_file(path)
    assert found.problems == ()
    assert {"the file's head", "the file's name", "the file's status"} <= set(found.compared)
    copy = tmp_path / "copy.json"
    copy.write_text(path.read_text())
    assert not verify_file(changed(copy, status("confidence", 0.123456))).ok


def test_data_is_alike_but_for_rounding() -> None:
    assert alike({"a": [1, 0.1 + 0.2, None, "x", True]}, {"a": [1.0, 0.3, None, "x", True]})
    for one, other in ((1, True), (0.3, 0.3001), ([1], [1, 2]), ({"a": 1}, {"b": 1}), ("1", 1)):
        assert not alike(one, other)
