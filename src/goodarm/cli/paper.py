"""goodarm paper: every experimental table and figure of the paper, with verdicts."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.paper import Report
    from goodarm.paper.items.item import Item


def paper(
    items: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ITEM]...",
            help="Labels of the paper (see --list), or patterns such as 'tab:results_*'; all by "
            "default.",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer runs (the default).")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="The paper's numbers of runs, or more.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Where the report is written.")] = Path("report"),
    seed: Annotated[int, typer.Option(help="The seed of all random numbers.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads; all cores by default.")] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Simulate on a Dask cluster: its scheduler, or local:N."
        ),
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for a GPU.")] = "cpu",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do not use what earlier runs have finished.")
    ] = False,
    show_list: Annotated[
        bool, typer.Option("--list", help="List the items and what they cost; run nothing.")
    ] = False,
) -> None:
    """Reproduce the paper: simulate, compare with the published numbers, write a report."""
    from goodarm.paper import Settings, choose_items, reproduce
    from goodarm.paper.cluster import dask_executor
    from goodarm.paper.progress import bars
    from goodarm.paper.report.drawing import BESIDE_A_GPU
    from goodarm.rng import MAX_SEED
    from goodarm.simulation.device import player
    from goodarm.simulation.job import whole
    from goodarm.simulation.store import ChunkStore

    chosen = choose_items(items or [])
    if show_list:
        _show_items(chosen)
        return
    if quick and full:
        raise InputError("--quick and --full: give one of the two")
    if dask is not None and threads is not None:
        raise InputError("--threads: the cluster's workers decide; leave it out with --dask")
    if dask is not None and device != "cpu":
        raise InputError("--device: the cluster's workers use their CPUs; leave it out with --dask")
    player(device)
    whole("seed", seed, 0, MAX_SEED)
    if out.exists() and not out.is_dir():
        raise InputError(f"out: {str(out)!r} is a file; name a folder")
    with ExitStack() as stack:
        executor, settings = None, Settings(full=full, seed=seed)
        if dask is not None:
            executor, workers = stack.enter_context(dask_executor(dask))
            settings = Settings(full=full, seed=seed, workers=workers, where=f"Dask, {dask}")
        elif threads is not None:
            settings = Settings(full=full, seed=seed, workers=whole("threads", threads, 1, 4096))
        elif device != "cpu":
            settings = Settings(
                full=full, seed=seed, workers=1, where="one GPU", device=device,
                drawing_processes=BESIDE_A_GPU,
            )  # fmt: skip
        watcher = stack.enter_context(bars())
        report = reproduce(chosen, out, settings, ChunkStore(fresh=fresh), executor, watcher)
    _show_report(report, out)


def _show_items(chosen: "list[Item]") -> None:
    from goodarm.cli.tables import console, table
    from goodarm.paper.costs import costs

    shown = table("Items", ["label", "what it shows", "runs", "full", "pulls", "full"], 2)
    shown.columns[0].no_wrap = True
    for item in chosen:
        pulls = costs()[item.label]
        numbers = [item.runs.quick, item.runs.full]
        millions = [-(-pulls[kind] // 10**6) for kind in ("quick", "full")]
        cells = [f"{n:,}" if n else "–" for n in numbers]
        cells += [f"{n:,} M" if n else "–" for n in millions]
        shown.add_row(item.label, item.title, *cells)
    console().print(shown)


def _show_report(report: "Report", out: Path) -> None:
    from goodarm.cli.tables import console, table
    from goodarm.paper.report.summary import cells_of, judgements_of, verdicts

    names = ("agrees", "in part", "undecided", "differs")
    shown = table("Verdicts", ["", "compared", *names])
    for what, found in (
        ("published numbers", cells_of(report)),
        ("claims of the text", judgements_of(report)),
    ):
        seen = verdicts(found)
        shown.add_row(what, str(len(found)), *(str(seen.get(name, 0)) for name in names))
    out_console = console()
    out_console.print(shown)
    out_console.print(
        f"{report.pulls / 1e6:,.0f} million pulls, {report.seconds:.0f} s; see {out / 'index.html'}"
    )
