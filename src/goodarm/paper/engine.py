"""The engine that runs items: simulate what they ask for, once; judge, draw and write them."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from goodarm.files import write
from goodarm.paper.files import write_tables
from goodarm.paper.items.item import Item, Outcome
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.progress import Watcher
from goodarm.paper.report.drawing import Draw, Wait, drawing
from goodarm.simulation import AnytimeResult, RunResult
from goodarm.simulation.device import player, prepare_many
from goodarm.simulation.runner import Task, run_tasks, stored_size
from goodarm.simulation.store import ChunkStore


@dataclass(frozen=True)
class Settings:
    """How the items are to be run."""

    full: bool = False
    seed: int = 0
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    where: str = "local threads"
    device: str = "cpu"
    drawing_processes: int = 0  # none: pictures are drawn between simulations


@dataclass(frozen=True)
class Finished:
    """An item's outcome, and what it cost; simulations that items share count for each.

    The picture is kept as PNG with its caption, not as a figure, which takes far more memory.
    """

    item: Item
    outcome: Outcome
    png: bytes | None
    caption: str
    simulations: int
    pulls: int
    seconds: float  # of computing, added over threads


@dataclass(frozen=True)
class Report:
    """Everything that the page tells."""

    settings: Settings
    finished: Sequence[Finished]
    pulls: int
    computing: float  # seconds, added over threads, earlier runs included
    reused: float  # the share of runs that came from earlier ones
    seconds: float  # from start to end


def reproduce(
    items: Sequence[Item],
    out: Path,
    settings: Settings,
    store: ChunkStore,
    executor: Executor | None = None,
    watcher: Watcher | None = None,
) -> Report:
    """Run the items, write their files and the page into `out`."""
    began = time.perf_counter()
    watcher = watcher or Watcher()
    wanted = {item.label: item.simulations(settings.full) for item in items}
    askers: dict[Simulation, list[Item]] = {}
    for item in items:
        for simulation in wanted[item.label]:
            askers.setdefault(simulation, []).append(item)
    every = list(askers)
    play = player(settings.device)
    tasks = [_task(simulation, settings) for simulation in every]
    asked = [(task.job, task.runs) for task in tasks]
    workers = prepare_many(settings.device, asked, settings.workers)
    results: dict[Simulation, RunResult | AnytimeResult] = {}
    finished: dict[str, tuple[Finished, Wait | None]] = {}
    missing = {label: len(simulations) for label, simulations in wanted.items()}
    watcher.begin(sum(task.runs for task in tasks), len(items))

    def finish(candidates: Sequence[Item], draw: Draw) -> None:
        for item in candidates:
            if missing[item.label] == 0:
                mine = wanted[item.label]
                finished[item.label] = _finish(item, mine, results, out, settings, draw)
                watcher.item_done()
        for item in items:
            if missing[item.label] > 0:
                total = len(wanted[item.label])
                watcher.item(item.title, total - missing[item.label], total)
                return

    with drawing(settings.drawing_processes) as draw:
        finish(items, draw)
        for place, result in run_tasks(tasks, workers, executor, store, watcher.runs, play):
            results[every[place]] = result
            for item in askers[every[place]]:
                missing[item.label] -= 1
            finish(askers[every[place]], draw)
        complete = [
            replace(done, png=picture()) if picture else done
            for done, picture in (finished[item.label] for item in items)
        ]
    runs = sum(task.runs for task in tasks)
    report = Report(
        settings=settings,
        finished=complete,
        pulls=sum(int(result.pulls.sum()) for result in results.values()),
        computing=sum(result.seconds for result in results.values()),
        reused=store.loaded / runs if runs else 0.0,
        seconds=time.perf_counter() - began,
    )
    _write_report(report, out)
    return report


def _task(simulation: Simulation, settings: Settings) -> Task:
    job = simulation.job(settings.seed)
    # A GPU takes all runs of a simulation at once.
    size = stored_size(job, simulation.runs) if settings.device == "cpu" else simulation.runs
    return Task(job, simulation.runs, size)


def _finish(
    item: Item,
    simulations: Sequence[Simulation],
    results: dict[Simulation, RunResult | AnytimeResult],
    out: Path,
    settings: Settings,
    draw: Draw,
) -> tuple[Finished, Wait | None]:
    """Without its picture, which may still be on its way."""
    outcome = item.outcome(results, settings.full)
    write_tables(out, outcome)
    mine = [results[simulation] for simulation in simulations]
    done = Finished(
        item=item,
        outcome=replace(outcome, picture=None),
        png=None,
        caption=outcome.picture.caption if outcome.picture else "",
        simulations=len(mine),
        pulls=sum(int(result.pulls.sum()) for result in mine),
        seconds=sum(result.seconds for result in mine),
    )
    if outcome.picture is None:
        return done, None
    return done, draw(outcome.picture.figure, out / "figures" / item.stem)


def _write_report(report: Report, out: Path) -> None:
    from goodarm.paper.report.page import page
    from goodarm.paper.report.summary import summary_json

    write(out / "report.json", summary_json(report))
    write(out / "index.html", page(report))
