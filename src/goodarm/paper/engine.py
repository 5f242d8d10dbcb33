"""The engine that runs items: simulate what they ask for, once; judge, draw and write them."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from goodarm.files import write
from goodarm.paper.items.item import Item, ItemResult, SimulationResults
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.progress import Watcher
from goodarm.paper.report.drawing import DrawFigure, WaitForPng, drawing
from goodarm.paper.report.tables import write_tables
from goodarm.simulation import AnytimeResult, RunResult
from goodarm.simulation.device import player, prepare_many
from goodarm.simulation.runner import Task, run_tasks, stored_size
from goodarm.simulation.store import ChunkStore


@dataclass(frozen=True)
class PaperSettings:
    """How the items are to be run."""

    full: bool = False
    seed: int = 0
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    where: str = "local threads"
    device: str = "cpu"
    drawing_processes: int = 0  # none: pictures are drawn between simulations


@dataclass(frozen=True)
class Finished:
    """An item's result, and what it cost; simulations that items share count for each.

    The picture is kept as PNG with its caption, not as a figure, which takes far more memory.
    """

    item: Item
    result: ItemResult
    png: bytes | None
    caption: str
    simulations: int
    pulls: int
    seconds: float  # of computing, added over threads


@dataclass(frozen=True)
class PaperReport:
    """Everything that the page tells."""

    settings: PaperSettings
    finished: Sequence[Finished]
    pulls: int
    computing: float  # seconds, added over threads, earlier runs included
    reused: float  # the share of runs that came from earlier ones
    seconds: float  # from start to end


def reproduce(
    items: Sequence[Item],
    out: Path,
    settings: PaperSettings,
    store: ChunkStore,
    executor: Executor | None = None,
    watcher: Watcher | None = None,
) -> PaperReport:
    """Run the items, write their files and the page into `out`."""
    began = time.perf_counter()
    watcher = watcher or Watcher()
    progress = _Progress(items, settings.full, watcher)
    wanted = list(progress.askers)
    tasks = [_task(simulation, settings) for simulation in wanted]
    play = player(settings.device)
    jobs = [(task.job, task.runs) for task in tasks]
    workers = prepare_many(settings.device, jobs, settings.workers)
    runs = sum(task.runs for task in tasks)
    watcher.begin(runs, len(items))
    with drawing(settings.drawing_processes) as draw:
        writer = _Writer(out, settings.full, draw)
        progress.finish(items, writer)
        for index, result in run_tasks(tasks, workers, executor, store, watcher.runs, play):
            progress.take(wanted[index], result, writer)
        finished = [writer.finished(item) for item in items]
    results = progress.results.values()
    report = PaperReport(
        settings=settings,
        finished=finished,
        pulls=sum(int(result.pulls.sum()) for result in results),
        computing=sum(result.seconds for result in results),
        reused=store.loaded / runs if runs else 0.0,
        seconds=time.perf_counter() - began,
    )
    _write_report(report, out)
    return report


def _task(simulation: Simulation, settings: PaperSettings) -> Task:
    job = simulation.job(settings.seed)
    # A GPU takes all runs of a simulation at once.
    size = stored_size(job, simulation.runs) if settings.device == "cpu" else simulation.runs
    return Task(job, simulation.runs, size)


class _Writer:
    """Writes the files of items that are complete, and keeps what the report tells of them."""

    def __init__(self, out: Path, full: bool, draw: DrawFigure) -> None:
        self.out, self.full, self.draw = out, full, draw
        self._finished: dict[str, Finished] = {}
        self._pictures: dict[str, WaitForPng] = {}  # some may still be on their way

    def write(self, item: Item, results: SimulationResults) -> None:
        """Judge the item by its results, write its tables, begin to draw its picture."""
        result = item.result(results, self.full)
        write_tables(self.out / "tables", result.tables)
        mine = [results[simulation] for simulation in item.simulations(self.full)]
        self._finished[item.label] = Finished(
            item=item,
            result=replace(result, picture=None),
            png=None,
            caption=result.picture.caption if result.picture else "",
            simulations=len(mine),
            pulls=sum(int(part.pulls.sum()) for part in mine),
            seconds=sum(part.seconds for part in mine),
        )
        if result.picture is not None:
            stem = self.out / "figures" / item.stem
            self._pictures[item.label] = self.draw(result.picture.figure, stem)

    def finished(self, item: Item) -> Finished:
        """The item with its picture, once that is drawn."""
        finished = self._finished[item.label]
        picture = self._pictures.get(item.label)
        return replace(finished, png=picture()) if picture else finished


class _Progress:
    """Which simulations are asked for by which items, and which of them are still missing."""

    def __init__(self, items: Sequence[Item], full: bool, watcher: Watcher) -> None:
        self.items, self.watcher = items, watcher
        self.askers: dict[Simulation, list[Item]] = {}
        self.results: dict[Simulation, RunResult | AnytimeResult] = {}
        self.total: dict[str, int] = {}
        for item in items:
            simulations = item.simulations(full)
            self.total[item.label] = len(simulations)
            for simulation in simulations:
                self.askers.setdefault(simulation, []).append(item)
        self.missing = dict(self.total)

    def take(
        self, simulation: Simulation, result: RunResult | AnytimeResult, writer: _Writer
    ) -> None:
        """Take in a simulation's result, and finish the items that waited for nothing else."""
        self.results[simulation] = result
        for item in self.askers[simulation]:
            self.missing[item.label] -= 1
        self.finish(self.askers[simulation], writer)

    def finish(self, candidates: Sequence[Item], writer: _Writer) -> None:
        """Write those candidates that are complete, then tell which item is at hand."""
        for item in candidates:
            if self.missing[item.label] == 0:
                writer.write(item, self.results)
                self.watcher.item_done()
        current = next((item for item in self.items if self.missing[item.label] > 0), None)
        if current is not None:
            total = self.total[current.label]
            self.watcher.item(current.title, total - self.missing[current.label], total)


def _write_report(report: PaperReport, out: Path) -> None:
    from goodarm.paper.report.page import page
    from goodarm.paper.report.summary import summary_json

    write(out / "report.json", summary_json(report))
    write(out / "index.html", page(report))
