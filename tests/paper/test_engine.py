"""The engine on small items from end to end: files, page, verdicts, resuming."""

import errno
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from goodarm import InputError
from goodarm.paper import PaperSettings, choose_items, reproduce
from goodarm.paper.items.budget_table import BudgetTable
from goodarm.paper.items.error_figure import AnytimeCurves, BudgetCurves, Curves
from goodarm.paper.items.item import Item, RunCounts
from goodarm.paper.items.stopping_figure import Panel, StoppingBoxes, StoppingCurves
from goodarm.paper.items.stopping_table import StoppingTable
from goodarm.paper.judging.agreement import DIFFERS
from goodarm.paper.judging.claims import Claim, below, on
from goodarm.paper.judging.quantities import ERROR, MEAN
from goodarm.paper.progress import Watcher, bars
from goodarm.paper.report.drawing import drawing
from goodarm.simulation.store import ChunkStore

RUNS = RunCounts(40, 80)
TINY: tuple[Item, ...] = (
    StoppingTable(
        label="tab:APGAI_forced_exploration",
        title="Times <&>",
        runs=RUNS,
        instances=("NoA1",),
        algorithms=("APGAI", "Unif"),
        claims=(
            Claim(
                "A & B",
                below(MEAN, on(["NoA1"], ["APGAI"], ["Unif"])),
            ),
        ),
        notes=("A note with <angles>.",),
    ),
    BudgetTable(
        label="tab:results_NoA2_appendix",
        title="Errors",
        runs=RunCounts(2000, 2000),
        instance="NoA2",
        algorithms=("APGAI", "SH-G", "SH-G-WR"),
        reasons={"SH-G": "a known reason"},
    ),
    BudgetCurves(
        label="fig:results_NoA2_appendix",
        title="Curves",
        runs=RUNS,
        instance="NoA2",
        budgets=(10, 20, 40),
        panels=(Curves("NoA2", ("APGAI", "SR-G", "PKGAI(UCB)[beta=prior]")),),
        claims=(
            Claim(
                "x",
                below(ERROR, on(["NoA2"], ["APGAI"], ["SR-G", "PKGAI(UCB)"])),
            ),
        ),
    ),
    AnytimeCurves(
        label="fig:supp_PoE_no_good_arms",
        title="Anytime",
        runs=RUNS,
        horizons={"NoA1": 60, "NoA2": 90},
        algorithms=("APGAI", "DSR-G"),
    ),
    StoppingBoxes(
        label="fig:supp_no_good_arms",
        title="Boxes",
        runs=RUNS,
        algorithms=("APGAI", "Unif"),
        panels=(Panel("NoA1"), Panel("NoA1", 1e-4, "NoA1, δ = 1e-4")),
    ),
    StoppingCurves(
        label="fig:varying_good_answers",
        title="Means",
        runs=RUNS,
        families=("TwoG",),
        algorithms=("APGAI", "Unif"),
        arms=6,
        good=(1, 3, 5),
    ),
    *choose_items(["tab:instances*", "tab:summary*"]),
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    report = reproduce(
        TINY, folder / "report", PaperSettings(workers=2), ChunkStore(folder / "chunks")
    )
    return folder, report


class Resources(HTMLParser):
    """Collects what a browser would fetch by itself, and checks that tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.opened: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag, attributes) -> None:
        given = dict(attributes)
        if tag in ("img", "script", "iframe", "link", "source", "video", "audio", "object"):
            self.fetched.append(given.get("src") or given.get("href") or given.get("data") or "")
        if tag == "a":
            self.links.append(given["href"])
        if "id" in given:
            self.ids.append(given["id"])
        if tag not in ("img", "meta", "br", "link"):
            self.opened.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.opened.pop() == tag


def test_the_page_is_whole_and_self_contained(made) -> None:
    folder, _ = made
    text = (folder / "report" / "index.html").read_text()
    page = Resources()
    page.feed(text)
    assert page.opened == []
    assert len(page.fetched) == 4
    assert all(source.startswith("data:image/png;base64,") for source in page.fetched)
    assert not re.search(r"https?://|@import|url\(", text)
    assert "Times &lt;&amp;&gt;" in text
    assert "A note with &lt;angles&gt;." in text
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert (folder / "report" / link).is_file(), link


def test_every_file_is_there(made) -> None:
    folder, report = made
    for done in report.finished:
        for table in done.result.tables:
            stem = folder / "report" / "tables" / table.name
            assert stem.with_suffix(".csv").read_text().count("\n") >= len(table.rows)
            rows = json.loads(stem.with_suffix(".json").read_text())["rows"]
            assert len(rows) == len(table.rows)
            latex = stem.with_suffix(".tex").read_text()
            assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1
        if done.png is not None:
            figures = folder / "report" / "figures"
            assert (figures / f"{done.item.stem}.png").read_bytes().startswith(b"\x89PNG")
            assert (figures / f"{done.item.stem}.pdf").read_bytes().startswith(b"%PDF")
    assert not [*folder.rglob("*.tmp"), *folder.rglob("*.part")]


def test_verdicts_reach_the_report(made) -> None:
    folder, _ = made
    data = json.loads((folder / "report" / "report.json").read_text())
    items = {item["label"]: item for item in data["items"]}
    cells = {c["algorithm"]: c for c in items["tab:results_NoA2_appendix"]["published_numbers"]}
    assert set(cells) == {"APGAI", "SH-G"}  # SH-G-WR is not published
    assert (cells["SH-G"]["verdict"], cells["SH-G"]["why"]) == (DIFFERS, "a known reason")
    assert cells["APGAI"]["verdict"] == "agrees"
    claims = items["tab:APGAI_forced_exploration"]["claims"]
    assert claims[0]["verdict"] == "agrees"
    assert claims[0]["findings"][0]["compared"].startswith("ratio 0.")
    text = (folder / "report" / "index.html").read_text()
    for wanted in ("a known reason", "99.9 %", "seed", "numba", "glr-tables"):
        assert wanted in text
    assert data["settings"]["pulls"] > 0


def test_a_second_run_reuses_everything_and_gives_the_same_files(made) -> None:
    folder, report = made
    elsewhere = PaperSettings(workers=1, drawing_processes=2)  # which must not matter
    again = reproduce(TINY, folder / "again", elsewhere, ChunkStore(folder / "chunks"))
    assert (report.reused, again.reused) == (0.0, 1.0)
    assert again.pulls == report.pulls
    for path in sorted((folder / "report").rglob("*.*")):
        if path.suffix in (".csv", ".json", ".tex", ".png") and path.name != "report.json":
            other = folder / "again" / path.relative_to(folder / "report")
            assert other.read_bytes() == path.read_bytes(), path.name


def test_full_makes_more_runs(tmp_path) -> None:
    report = reproduce(
        TINY[:1], tmp_path, PaperSettings(full=True, seed=5), ChunkStore(tmp_path / "c")
    )
    assert "This is the full reproduction" in (tmp_path / "index.html").read_text()
    assert report.finished[0].item.runs.full == 80
    assert "80 runs" in (tmp_path / "index.html").read_text()


class Listening(Watcher):
    def __init__(self) -> None:
        self.heard: list[tuple] = []

    def runs(self, runs: int, pulls: int) -> None:
        self.heard.append(("runs", runs, pulls))

    def item(self, title: str, done: int, simulations: int) -> None:
        self.heard.append((title, done, simulations))

    def item_done(self) -> None:
        self.heard.append(("done",))


def test_progress_is_told(tmp_path) -> None:
    listening = Listening()
    items = TINY[:2]
    reproduce(items, tmp_path, PaperSettings(workers=1), ChunkStore(tmp_path), None, listening)
    assert listening.heard[0] == ("Times <&>", 0, 4)
    assert listening.heard.count(("done",)) == 2
    assert max(h[1] for h in listening.heard if h[0] == "runs") == 4 * 40 + 3 * 2000
    with bars() as shown:  # no terminal: silent
        shown.begin(10, 1)
        shown.item("x", 1, 2)
        shown.runs(5, 100)
        shown.item_done()


def test_the_report_folder_may_exist(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("old")
    reproduce(TINY[-3:], tmp_path, PaperSettings(), ChunkStore(tmp_path / "c"))
    assert "The paper, reproduced" in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("processes", [0, 1])
def test_a_report_that_cannot_be_written_is_the_users_to_mend(tmp_path: Path, processes) -> None:
    (tmp_path / "file").write_text("")
    settings = PaperSettings(workers=1, drawing_processes=processes)
    with pytest.raises(InputError, match=r"cannot write .*choose another file or folder"):
        reproduce(TINY[-3:], tmp_path / "file" / "report", settings, ChunkStore(tmp_path / "c"))
    with pytest.raises(InputError, match="cannot write"), drawing(processes) as draw:
        draw(Figure(), tmp_path / "file" / "picture")()


def test_on_a_full_disk_no_file_is_half_written(tmp_path: Path, monkeypatch) -> None:
    settings, store = PaperSettings(workers=1), ChunkStore(tmp_path / "c")
    out = tmp_path / "report"
    reproduce(TINY[-1:], out, settings, store)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert len(before) >= 5

    def full(*words):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("goodarm.files.os.replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        reproduce(TINY[-2:], out, settings, store)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
