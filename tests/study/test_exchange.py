"""In and out: CSV files of past outcomes, exports, histories, lists of studies."""

import csv
import io
import json
import re
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

from goodarm.errors import InputError
from goodarm.study import Bernoulli, ConflictError, Studies, Study
from goodarm.study.log.export import write_new
from goodarm.study.storage import Store


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_past_outcomes_count_in_full(study: Study, tmp_path: Path) -> None:
    path = write(
        tmp_path / "site A.csv",
        '\ufeffArm , value,at,note\nlow,1,2026-01-31T12:00:00+01:00,\nmid,0,,"first\nsecond"\n',
    )
    assert study.import_csv(path) == (2, 0)
    assert study.import_csv(path) == (0, 2)
    assert [(a.count, a.mean) for a in study.evidence] == [(1, 1.0), (1, 0.0), (0, None)]
    assert study.trial(1).observed_at == "2026-01-31T11:00:00.000000Z"
    assert study.trial(2).note == "first\nsecond"
    write(path, path.read_text() + "high,1,,\n")
    assert study.import_csv(path) == (1, 2)
    assert study.import_csv(path, source="site B") == (3, 0)
    assert "6 outcomes were imported" in study.status().cautions[0].text
    assert study.verify().ok


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("arm,value\nlow,1\nlow,2\n", "line 3: value: 2 is neither 0 nor 1; .*nothing was"),
        ("arm,value\nlow,1\nlwo,1\n", "line 3: unknown arm 'lwo': did you mean 'low'"),
        ("arm,value\nlow,yes\n", "line 2: value: 'yes' is not a number"),
        ("arm,value\nlow,nan\n", "line 2: value: 'nan' is not a number"),
        ("arm,value\nlow\n", "line 2: it has 1 cell"),
        ("arm,value\nlow,1,2\n", "line 2: it has 3 cells"),
        ("arm,value,at\nlow,1,yesterday\n", "line 2: at: 'yesterday' is not a time"),
        ("arm,result\nlow,1\n", "must be a header with arm and value"),
        ("arm,value,value\nlow,1,1\n", "must be a header with arm and value"),
        ("arm,value\n", "no lines below the header"),
        ("", "must be a header with arm and value"),
    ],
)
def test_a_file_with_a_mistake_is_not_imported_at_all(
    sqlite: str, tmp_path: Path, text: str, message: str
) -> None:
    study = Study.create("s", ["low", "mid"], 0.5, Bernoulli(), storage=sqlite)
    with pytest.raises(InputError, match=message):
        study.import_csv(write(tmp_path / "p.csv", text))
    assert study.seq == 1
    with pytest.raises(InputError, match="cannot read"):
        study.import_csv(tmp_path / "none.csv")


def test_a_line_that_has_changed_since_is_a_conflict(study: Study, tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", "arm,value\nlow,1\n")
    study.import_csv(path)
    write(path, "arm,value\nlow,0\nmid,1\n")
    with pytest.raises(ConflictError, match="line 2: was imported before as 'low' 1"):
        study.import_csv(path)
    assert study.status().trials == 1


def twins(tmp_path: Path, first: str, second: str) -> tuple[Path, Path]:
    """Two files of one name in two folders."""
    for day in ("day 1", "day 2"):
        (tmp_path / day).mkdir()
    return (
        write(tmp_path / "day 1" / "results.csv", first),
        write(tmp_path / "day 2" / "results.csv", second),
    )


def test_files_of_one_name_in_two_folders_are_two_imports(study: Study, tmp_path: Path) -> None:
    one, two = twins(tmp_path, "arm,value\nlow,1\nmid,0\n", "arm,value\nlow,0\nmid,0\n")
    assert study.import_csv(one) == (2, 0)
    assert study.import_csv(two) == (2, 0)
    for path in (one, two):
        write(path, path.read_text() + "high,1\n")
        assert study.import_csv(path) == (1, 2)
        assert study.import_csv(str(path)) == (0, 3)
    assert study.status().trials == 6
    assert study.verify().ok


def test_the_same_lines_in_another_folder_are_asked_about(study: Study, tmp_path: Path) -> None:
    """They may be a copy, or other outcomes that look alike: nobody but the user can know."""
    one, two = twins(tmp_path, "arm,value\nlow,1\n", "arm,value\nlow,1\nmid,0\n")
    study.import_csv(one)
    with pytest.raises(ConflictError, match="in another folder") as caught:
        study.import_csv(two)
    assert study.status().trials == 1
    found = re.search(r"source='(results\.csv@\w+)'", str(caught.value))
    assert found is not None
    assert study.import_csv(two, source=found[1]) == (1, 1)
    assert study.import_csv(two, source="day 2") == (2, 0)


def test_a_file_that_an_earlier_version_has_imported_is_recognised(
    study: Study, tmp_path: Path
) -> None:
    one, two = twins(tmp_path, "arm,value\nlow,1\n", "arm,value\nlow,0\n")
    study.import_csv(one, source="results.csv")  # folders were not noted then
    write(one, "arm,value\nlow,1\nmid,0\n")
    assert study.import_csv(one) == (1, 1)
    assert study.import_csv(two) == (1, 0)


def test_an_export_that_fails_leaves_nothing(study: Study, tmp_path: Path, fork: Any) -> None:
    for number in range(20):
        study.tell("low", number % 2, note="x" * 5_000)
    content = {kind: study.export_bytes(kind) for kind in ("csv", "json")}
    study._ledger.store.close()

    def fill(say: Callable[[str], None]) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        for kind, data in content.items():
            try:
                write_new(tmp_path / "out" / f"log.{kind}", data)
            except InputError as error:
                say(str(error))

    lines = fork(fill).lines()
    assert len(lines) == 2
    assert all("cannot write" in line and "choose another" in line for line in lines)
    assert list((tmp_path / "out").iterdir()) == []


def test_an_export_to_where_nothing_can_be_written(study: Study, tmp_path: Path) -> None:
    write(tmp_path / "file", "")
    for path in (tmp_path / "file" / "log.csv", Path("/proc/log.json")):
        with pytest.raises(InputError, match=r"cannot write .*choose another file or folder"):
            study.export(path)
    assert [path.name for path in tmp_path.iterdir() if "log" in path.name] == []


def test_exports_hold_everything_and_the_head(study: Study, tmp_path: Path) -> None:
    study.tell(study.ask(), 1, note="=1+1", key="-k")
    study.tell("mid", 0, note="@home")
    paths = [study.export(tmp_path / f"log.{kind}") for kind in ("csv", "json", "parquet")]
    rows = list(csv.DictReader(io.StringIO(paths[0].read_text())))
    assert rows[-1]["hash"] == study.head
    assert [row["note"] for row in rows] == ["", "", "'=1+1", "'@home"]
    data = json.loads(paths[1].read_text())
    assert (data["head"], len(data["events"])) == (study.head, 4)
    frame = polars.read_parquet(paths[2])
    assert frame.equals(study.history)
    assert frame["hash"][-1] == study.head
    assert frame.filter(frame["kind"] == "told")["note"].to_list() == ["=1+1", "@home"]
    with pytest.raises(InputError, match="exists already"):
        study.export(paths[0])
    with pytest.raises(InputError, match="unknown format 'xlsx'"):
        study.export(tmp_path / "log.xlsx")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "＝"])
def test_no_spreadsheet_takes_a_name_for_a_formula(sqlite: str, start: str) -> None:
    name = f"{start}cmd|' /C calc'!A0".strip()
    study = Study.create("s", [name], 0.5, Bernoulli(), storage=sqlite)
    study.tell(name, 1, note=f"{start}SUM(A1:A9)")
    for row in csv.reader(io.StringIO(study.export_bytes("csv").decode())):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "＝")) for cell in row)


def test_a_list_of_studies(store: Store) -> None:
    studies = Studies(store, create=True)
    assert studies.list() == []
    for name in ("one", "two", "Three"):
        studies.create(name, ["A", "B"], 0.5, Bernoulli(), seed=1)
    study = studies.open("two", by="ann")
    study.tell(study.ask(), 1)
    first = next(row for row in studies.list() if row.name == "two")
    assert (first.state, first.told, first.open, first.answer) == ("open", 1, 0, "A")
    assert (first.events, first.head) == (study.seq, study.head)
    assert [row.name for row in studies.list(search="THR")] == ["Three"]
    assert len(studies.list(limit=2)) == 2
    assert len(studies.list(limit=2, offset=2)) == 1
    assert study.trial(1).by == "ann"
    assert studies.open("two", by="bob").tell("B", 1).by == "bob"
    with pytest.raises(InputError, match="there is no study"):
        studies.open("four")


def test_the_log_page_by_page(study: Study) -> None:
    for _ in range(10):
        study.tell(study.ask(), 1)
    pages = [study.events(after, 6) for after in (0, 6, 12, 18, 24)]
    assert [len(page) for page in pages] == [6, 6, 6, 3, 0]
    assert [event.seq for page in pages for event in page] == list(range(1, 22))
