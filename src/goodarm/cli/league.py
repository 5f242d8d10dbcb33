"""goodarm league: every anytime algorithm on many instances; who is never far from the best?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson, Device, Fresh, Seed, Threads
from goodarm.cli.output import check_folder, print_json, save_figure
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.league import League
    from goodarm.simulation.progress import Report

COUNTS_FILE = "league.json"
LEAST_EFFORT, MOST_EFFORT = 1e3, 1e13

Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        "-a",
        help="A name, or path/to/file.py:NAME; give several, all by default.",
    ),
]
Effort = Annotated[
    float | None, typer.Option(help="Pulls to simulate for each algorithm and instance.")
]
Deep = Annotated[
    int,
    typer.Option(
        help="After that, this many rounds of splitting for errors too rare to count; for a GPU."
    ),
]
Load = Annotated[
    Path | None,
    typer.Option(help="Score, draw and deepen this file of an earlier league instead."),
]


def league(
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer algorithms, instances and runs: about a minute.")
    ] = False,
    algorithm: Algorithms = None,
    effort: Effort = None,
    deep: Deep = 0,
    out: Annotated[Path, typer.Option(help="Where results and pictures are written.")] = Path(
        "league"
    ),
    load: Load = None,
    seed: Seed = 0,
    threads: Threads = None,
    device: Device = "cpu",
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Compare anytime algorithms: each one's error over the best one's, instance by instance."""
    from goodarm.inputs import whole
    from goodarm.league import load_league, standings

    check_folder("out", out)
    whole("deep", deep, 0, 10_000)
    if threads is not None:
        whole("threads", threads, 1, 4096)
    if load is not None:
        played = load_league(load)
    else:
        played = _play(quick, algorithm, effort, seed, threads, device, fresh)
    played.save(out / COUNTS_FILE)
    if deep:
        played = _deepen(played, deep, algorithm or [], threads, device, out)
    if not standings(played):
        raise InputError(
            f"effort: too few errors were seen to compare the algorithms; give more (the counts "
            f"are in {str(out / COUNTS_FILE)!r})"
        )
    _draw(played, out)
    _show(played, out, as_json)


def _play(
    quick: bool,
    algorithms: list[str] | None,
    effort: float | None,
    seed: int,
    threads: int | None,
    device: str,
    fresh: bool,
) -> "League":
    from contextlib import ExitStack

    from goodarm.inputs import whole
    from goodarm.league import play
    from goodarm.league.suites import suite
    from goodarm.rng import MAX_SEED
    from goodarm.simulation.progress import progress_bar
    from goodarm.simulation.store import ChunkStore

    if effort is not None and not LEAST_EFFORT <= effort <= MOST_EFFORT:
        raise InputError(
            f"effort: {effort:g} is outside {LEAST_EFFORT:,.0f} to {MOST_EFFORT:g} pulls"
        )
    usual = play.QUICK_LEAGUE_ALGORITHMS if quick else play.LEAGUE_ALGORITHMS
    with ExitStack() as stack:
        return play.play_league(
            suite(quick),
            algorithms or usual,
            effort=effort or (play.QUICK_LEAGUE_EFFORT if quick else play.LEAGUE_EFFORT),
            seed=whole("seed", seed, 0, MAX_SEED),
            threads=threads,
            device=device,
            store=ChunkStore(fresh=fresh),
            report=lambda runs: stack.enter_context(progress_bar(runs)),
        )


def _deepen(
    played: "League",
    rounds: int,
    algorithms: list[str],
    threads: int | None,
    device: str,
    out: Path,
) -> "League":
    from contextlib import ExitStack

    from goodarm.league import estimate_rare_errors
    from goodarm.simulation.progress import progress_bar

    with ExitStack() as stack:

        def bar(populations: int) -> "Report":
            stack.close()  # the bar of the round before
            return stack.enter_context(progress_bar(populations, "sets of populations"))

        return estimate_rare_errors(
            played,
            rounds,
            algorithms=algorithms,
            threads=threads,
            device=device,
            report=bar,
            keep=lambda league: league.save(out / COUNTS_FILE),
        )


def _draw(played: "League", out: Path) -> None:
    from goodarm.league.pictures import heat_map, profile

    save_figure(heat_map(played), out / "heat_map.png", dpi=110)
    save_figure(profile(played), out / "profile.png", dpi=110)


def _show(played: "League", out: Path, as_json: bool) -> None:
    from dataclasses import asdict

    from rich.markup import escape

    from goodarm.cli.tables import console, table
    from goodarm.league import standings
    from goodarm.league.scores import unresolved_below
    from goodarm.wording import figure, share

    table_of_standings = standings(played)
    if as_json:
        print_json([asdict(standing) for standing in table_of_standings])
        return
    title = f"{len(played.rows)} instances, {played.pulls / 1e9:,.3g} billion pulls"
    columns = ["worst ratio", "surely", "where", "spots", "95 %", "median", "within 2"]
    rows = table(title, ["algorithm", *columns])
    for s in table_of_standings:
        where = f"{escape(s.where.instance)}, t = {s.where.time:,}"
        numbers = [f"{s.spots:,}", f"{s.q95:.2f}", f"{s.median:.2f}", share(s.within_2)]
        rows.add_row(escape(s.algorithm), figure(s.worst), figure(s.worst_sure), where, *numbers)
    levels = sorted(unresolved_below(row, played.algorithms) for row in played.rows)
    screen = console()
    screen.print(rows)
    screen.print(
        "Ratio: an algorithm's error over the best one's; a spot is an instance at a time at which "
        "it is known. Errors too small to be seen often enough are left out: on half of the "
        f"instances those below {figure(levels[len(levels) // 2])} or less, on one those below "
        f"{figure(levels[-1])}.",
    )
    screen.print(f"Pictures and counts: {escape(str(out))}/", soft_wrap=True)
