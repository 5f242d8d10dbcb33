"""goodarm paper: every experimental table and figure of the paper, with verdicts."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import Device, Fresh, Seed, Threads
from goodarm.cli.output import check_folder
from goodarm.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from goodarm.paper import PaperReport, PaperSettings
    from goodarm.paper.items.item import Item

Items = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ITEM",
        help="Labels of the paper (see --list), or patterns such as 'tab:results_*'; all by "
        "default.",
        show_default=False,
    ),
]
Full = Annotated[bool, typer.Option("--full", help="The paper's numbers of runs, or more.")]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Simulate on a Dask cluster: its scheduler, or local:N."),
]
List = Annotated[
    bool, typer.Option("--list", help="List the items and what they cost; run nothing.")
]


def paper(
    items: Items = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer runs (the default).")] = False,
    full: Full = False,
    out: Annotated[Path, typer.Option(help="Where the report is written.")] = Path("report"),
    seed: Seed = 0,
    threads: Threads = None,
    dask: Dask = None,
    device: Device = "cpu",
    fresh: Fresh = False,
    show_list: List = False,
) -> None:
    """Reproduce the paper: simulate, compare with the published numbers, write a report."""
    from goodarm.paper import choose_items, reproduce
    from goodarm.paper.progress import bars
    from goodarm.simulation.store import ChunkStore

    chosen = choose_items(items or [])
    if show_list:
        _show_items(chosen)
        return
    if quick and full:
        raise InputError("--quick and --full: give one of the two")
    _check(seed, threads, dask, device)
    check_folder("out", out)
    with ExitStack() as stack:
        settings, executor = _settings(stack, full, seed, threads, dask, device)
        watcher = stack.enter_context(bars())
        report = reproduce(chosen, out, settings, ChunkStore(fresh=fresh), executor, watcher)
    _show_report(report, out)


def _check(seed: int, threads: int | None, dask: str | None, device: str) -> None:
    """Complain before anything is simulated."""
    from goodarm.inputs import whole
    from goodarm.rng import MAX_SEED
    from goodarm.simulation.device import player

    if dask is not None and threads is not None:
        raise InputError("--threads: the cluster's workers decide; leave it out with --dask")
    if dask is not None and device != "cpu":
        raise InputError("--device: the cluster's workers use their CPUs; leave it out with --dask")
    player(device)
    whole("seed", seed, 0, MAX_SEED)
    if threads is not None:
        whole("threads", threads, 1, 4096)


def _settings(
    stack: ExitStack,
    full: bool,
    seed: int,
    threads: int | None,
    dask: str | None,
    device: str,
) -> "tuple[PaperSettings, Executor | None]":
    """How to reproduce, and the cluster's executor if there is one; the stack closes it."""
    from dataclasses import replace

    from goodarm.paper import PaperSettings
    from goodarm.paper.cluster import dask_executor
    from goodarm.paper.report.drawing import BESIDE_A_GPU

    here = PaperSettings(full=full, seed=seed)
    if dask is not None:
        executor, workers = stack.enter_context(dask_executor(dask))
        return replace(here, workers=workers, where=f"Dask, {dask}"), executor
    if threads is not None:
        return replace(here, workers=threads), None
    if device == "cpu":
        return here, None
    gpu = replace(here, workers=1, where="one GPU", device=device)
    return replace(gpu, drawing_processes=BESIDE_A_GPU), None


def _show_items(chosen: "list[Item]") -> None:
    from goodarm.cli.tables import console, table
    from goodarm.paper.data import costs
    from goodarm.wording import NOTHING

    rows = table("Items", ["label", "what it shows", "runs", "full", "pulls", "full"], 2)
    rows.columns[0].no_wrap = True
    for item in chosen:
        runs = [f"{n:,}" if n else NOTHING for n in (item.runs.quick, item.runs.full)]
        pulls = [costs()[item.label][size] for size in ("quick", "full")]
        millions = [f"{-(-n // 10**6):,} M" if n else NOTHING for n in pulls]
        rows.add_row(item.label, item.title, *runs, *millions)
    console().print(rows)


def _show_report(report: "PaperReport", out: Path) -> None:
    from goodarm.cli.tables import console, table
    from goodarm.paper.report.summary import cells_of, judgements_of, verdicts

    names = ("agrees", "in part", "undecided", "differs")
    rows = table("Verdicts", ["", "compared", *names])
    for what, compared in (
        ("published numbers", cells_of(report)),
        ("claims of the text", judgements_of(report)),
    ):
        counts = verdicts(compared)
        rows.add_row(what, str(len(compared)), *(str(counts.get(name, 0)) for name in names))
    screen = console()
    screen.print(rows)
    work = f"{report.pulls / 1e6:,.0f} million pulls, {report.seconds:.0f} s"
    screen.print(f"{work}; see {out / 'index.html'}", markup=False, soft_wrap=True)
