"""Tables of outcomes in CSV, and logs as files: every shape that is taken, and what is said."""

import io
import json
from pathlib import Path

import polars
import pytest

from goodarm import Bernoulli, Gaussian, InputError, Study, frames
from goodarm.study import ConflictError
from goodarm.study.log import columns, export
from goodarm.study.log.export import read_exported
from goodarm.study.log.verify import verify_file

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.fixture
def study(sqlite: str) -> Study:
    return Study.create("s", ["red", "blue"], 0.5, Bernoulli(), storage=sqlite, seed=1)


def table(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")


@pytest.mark.parametrize(
    "text",
    [
        "arm,value\nred,37/1000\nblue,1\n",
        "arm,successes,trials\nred,37,1000\nblue,1,1\n",
        "Trials, SUCCESSES ,arm\n1000,37,red\n1,1,blue\n",
    ],
)
def test_counts_are_told_in_any_shape(study: Study, text: str) -> None:
    for number, enter in enumerate((study.tell_csv, lambda t: study.import_csv(t, "lab"))):
        assert enter(table(text))[:2] == (2, 0)
        assert study.status().trials == 1001 * (number + 1)
    assert [(t.value, t.size) for t in study.trials[:2]] == [(37, 1000), (1, None)]
    assert study.import_csv(table(text), "lab") == (0, 2)
    assert study.verify().ok


def test_a_sheet_that_was_handed_out_comes_back(study: Study) -> None:
    """Trials with their arms, filled in; what was tried besides has no number."""
    first, second = study.ask(2)
    sheet = f"trial,arm,value,at,note\n{second.number},{second.arm},1,2026-01-01T00:00:00Z,\n"
    assert study.tell_csv(table(sheet + "1,red,0,,'dry'\n,blue,1,,\n")) == (3, 0, 1)
    told = study.trial(second.number)
    assert (told.observed_at, told.asked_at) == ("2026-01-01T00:00:00.000000Z", second.asked_at)
    assert study.trial(first.number).note == "'dry'"
    numbered = table(sheet + "1,red,0,,'dry'\n")
    assert study.tell_csv(numbered) == (0, 2, 0)  # told again, nothing changes
    with pytest.raises(InputError, match="line 2: arm: trial 1 is of arm 'red', not 'blue'"):
        study.tell_csv(table("trial,arm,value\n1,blue,0\n"))
    assert study.verify().ok


def test_an_import_knows_trials(study: Study) -> None:
    study.ask(3)
    text = "trial,value\n1,1\n3,0\n"
    assert study.import_csv(table(text), "lab") == (2, 0)
    assert study.import_csv(table(text + "2,1\n"), "lab") == (1, 2)
    assert [trial.status for trial in study.trials] == ["told"] * 3
    study.retract(3, "spilt")
    assert study.import_csv(table(text), "lab") == (0, 2)  # it was imported, once
    assert study.import_csv(table("trial,value\n1,1\n"), "other") == (0, 1)
    with pytest.raises(ConflictError, match="line 2: was imported before as 'red' 1; correct"):
        study.import_csv(table("trial,value\n1,0\n"), "lab")
    with pytest.raises(ConflictError, match="line 2: trial 1 has the outcome 1, not 0"):
        study.import_csv(table("trial,value\n1,0\n"), "third")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("value\n1\n", "must be a header with arm and value .*it has value"),
        ("arm,successes\nred,1\n", "successes and trials for value"),
        ("arm,value,trials\nred,1,1\n", "must be a header"),
        ("arm,value,successes,trials\nred,1,1,1\n", "must be a header"),
        ("arm;value\nred;1\n", "separate cells with commas"),
        ("trial,value\nred,1\n", "line 2: trial: 'red' is not the number of a trial"),
        ("trial,value\n0,1\n", "line 2: trial: '0' is not the number"),
        ("trial,value\n1,1\n", "line 2: trial: there is no trial 1; there is none"),
        ("trial,arm,value\n,,1\n", "line 2: the arm is missing"),
        ("arm,successes,trials\nred,1,x\n", "line 2: trials: 'x' is not a number"),
        ("arm,successes,trials\nred,3,2\n", "line 2: value: 3 of 2 is not a number"),
    ],
)
def test_a_table_with_a_fault_says_where_and_what(study: Study, text: str, message: str) -> None:
    for enter in (study.tell_csv, lambda t: study.import_csv(t, "lab")):
        with pytest.raises(InputError, match=message):
            enter(table(text))
    assert study.seq == 1


def test_a_model_without_sizes_takes_none(sqlite: str) -> None:
    study = Study.create("g", ["A"], 0.0, Gaussian(1), storage=sqlite)
    with pytest.raises(InputError, match=r"line 2: size: .*, but gaussian outcomes have none"):
        study.tell_csv(table("arm,value,size\nA,1,2\n"))
    study.tell_csv(table("arm,size,value\nA,1,0.5\n"))
    assert study.evidence[0].mean == 0.5


def written_at_once(study: Study, at: str) -> str:
    """The JSON export as a plain program writes it: the format that is kept."""
    from goodarm import __version__

    status = study.status()
    data = {
        "goodarm": __version__,
        "study": status.name,
        "head": status.head,
        "at": at,
        "status": status.to_dict(),
        "events": [{"hash": e.hash, "text": e.text} for e in study.events()],
    }
    return json.dumps(data, indent=1, allow_nan=False)


def test_a_streamed_export_is_what_it_was(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "PART", 7)
    monkeypatch.setattr(columns, "BLOCK", 5)

    def check_json() -> None:
        text = study.export_bytes("json").decode()
        assert text == written_at_once(study, json.loads(text)["at"])

    check_json()
    study.tell_many([("red", 1), ("blue", 37, 1000)] * 8)
    study.tell("red", 0, note='"events": [\n é')
    check_json()
    frame = polars.read_parquet(study.export(tmp_path / "log.parquet"))
    assert frame.equals(study.history)
    assert frame.height == 18
    rows = study.export_bytes("csv").decode().splitlines()
    assert rows[0] == ",".join(frame.columns)
    assert rows[-1].endswith(study.head)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_export_is_read_whoever_has_formatted_it(path: Path, tmp_path: Path) -> None:
    there = list(read_exported(path))
    data = json.loads(path.read_text("utf-8"))
    assert [(e.text, e.hash) for e in there] == [(e["text"], e["hash"]) for e in data["events"]]
    for name, text in (
        ("plain", json.dumps(data)),
        ("wide", json.dumps(data, indent=4)),
        ("ours", json.dumps(data, indent=1)),
        ("ours, with a line", json.dumps(data, indent=1) + "\n"),
        ("other order", json.dumps(dict(reversed(data.items())), indent=1)),
    ):
        (tmp_path / name).write_text(text)
        assert export._is_ours(tmp_path / name) == name.startswith("ours")
        assert list(read_exported(tmp_path / name)) == there
        assert verify_file(tmp_path / name).problems == verify_file(path).problems


def test_what_is_no_export_is_refused(study: Study, tmp_path: Path) -> None:
    study.tell_many([("red", 1)] * 3)
    good = study.export_bytes("json").decode()
    for text in (
        "",
        "[]",
        '{"events": 3}',
        good[:-40],
        good[:-3],
        good.replace('"hash"', '"hush"'),
        good + "x",
        good.replace('\\"seq\\"', '\\"sea\\"'),
    ):
        (tmp_path / "log.json").write_text(text)
        with pytest.raises(InputError, match="is not a JSON export of a study"):
            verify_file(tmp_path / "log.json")
    with pytest.raises(InputError, match="cannot read"):
        verify_file(tmp_path / "none.json")
