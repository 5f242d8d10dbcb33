"""goodarm league: every anytime rule on many instances; who is never far from the best?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.league import League
    from goodarm.simulation.progress import Report


def league(
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer rules, instances and runs: about a minute.")
    ] = False,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rule", "-a", help="A rule; give several, all by default. A file works."),
    ] = None,
    effort: Annotated[
        float | None, typer.Option(help="Pulls to simulate for each rule and instance.")
    ] = None,
    deep: Annotated[
        int, typer.Option(help="Then rounds of splitting for errors too rare to count; for a GPU.")
    ] = 0,
    out: Annotated[Path, typer.Option(help="Where results and pictures are written.")] = Path(
        "league"
    ),
    load: Annotated[
        Path | None,
        typer.Option(help="Score, draw and deepen this file of an earlier league instead."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of all random numbers.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads; all cores by default.")] = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for a GPU.")] = "cpu",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do not use what earlier runs have finished.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The standings as JSON.")] = False,
) -> None:
    """Compare anytime rules: each one's error over the best one's, at many instances and times."""
    from goodarm.league import load_league, standings
    from goodarm.simulation.job import whole

    if out.exists() and not out.is_dir():
        raise InputError(f"out: {str(out)!r} is a file; name a folder")
    whole("deep", deep, 0, 10_000)
    if threads is not None:
        whole("threads", threads, 1, 4096)
    if load is not None:
        played = load_league(load)
    else:
        played = _play(quick, rules, effort, seed, threads, device, fresh)
    out.mkdir(parents=True, exist_ok=True)
    played.save(out / "league.json")
    if deep:
        played = _deepen(played, deep, rules or [], threads, device, out)
    if not standings(played):
        raise InputError(
            f"effort: too few errors were seen to compare the rules; give more (the counts are in "
            f"{str(out / 'league.json')!r})"
        )
    _draw(played, out)
    _show(played, out, as_json)


def _play(
    quick: bool, rules: list[str] | None, effort: float | None, seed: int, threads: int | None,
    device: str, fresh: bool,
) -> "League":  # fmt: skip
    from contextlib import ExitStack

    from goodarm.league.play import EFFORT, QUICK_EFFORT, QUICK_RULES, RULES, play_league
    from goodarm.league.suites import suite
    from goodarm.rng import MAX_SEED
    from goodarm.simulation.job import whole
    from goodarm.simulation.progress import progress_bar
    from goodarm.simulation.store import ChunkStore

    if effort is not None and not 1e3 <= effort <= 1e13:
        raise InputError(f"effort: {effort:g} is outside 1,000 to 1e13 pulls")
    with ExitStack() as stack:
        return play_league(
            suite(quick),
            rules or (QUICK_RULES if quick else RULES),
            effort=effort or (QUICK_EFFORT if quick else EFFORT),
            seed=whole("seed", seed, 0, MAX_SEED),
            threads=threads,
            device=device,
            store=ChunkStore(fresh=fresh),
            report=lambda runs: stack.enter_context(progress_bar(runs)),
        )


def _deepen(
    played: "League", rounds: int, rules: list[str], threads: int | None, device: str, out: Path
) -> "League":
    from contextlib import ExitStack

    from goodarm.league import go_deeper
    from goodarm.simulation.progress import progress_bar

    with ExitStack() as stack:

        def bar(populations: int) -> "Report":
            stack.close()  # the bar of the round before
            return stack.enter_context(progress_bar(populations, "sets of populations"))

        return go_deeper(
            played, rounds, rules=rules, threads=threads, device=device, report=bar,
            keep=lambda league: league.save(out / "league.json"),
        )  # fmt: skip


def _draw(played: "League", out: Path) -> None:
    from goodarm.league.pictures import heat_map, profile

    heat_map(played).savefig(out / "heat_map.png", dpi=110)
    profile(played).savefig(out / "profile.png", dpi=110)


def _show(played: "League", out: Path, as_json: bool) -> None:
    from dataclasses import asdict

    from rich.markup import escape

    from goodarm.cli.tables import console, number, table
    from goodarm.league import standings
    from goodarm.league.scores import unresolved_below

    found = standings(played)
    if as_json:
        print(json.dumps([asdict(standing) for standing in found], indent=2, ensure_ascii=False))
        return
    title = f"{len(played.rows)} instances, {played.pulls / 1e9:,.3g} billion pulls"
    columns = ["rule", "worst ratio", "surely", "where", "places", "95 %", "median", "within 2"]
    shown = table(title, columns)
    for s in found:
        shown.add_row(
            escape(s.rule), number(s.worst), number(s.worst_sure),
            f"{escape(s.where.instance)}, t = {s.where.time:,}", f"{s.places:,}", f"{s.q95:.2f}",
            f"{s.median:.2f}", f"{s.within_2:.1%}",
        )  # fmt: skip
    levels = sorted(unresolved_below(row, played.rules) for row in played.rows)
    out_console = console()
    out_console.print(shown)
    out_console.print(
        "Ratio: a rule's error over the best rule's; a place is an instance at a time at which it "
        "is known. Errors too small to be seen often enough are left out: on half of the instances "
        f"those below {number(levels[len(levels) // 2])} or less, on one those below "
        f"{number(levels[-1])}.",
    )
    out_console.print(f"Pictures and counts: {escape(str(out))}/", soft_wrap=True)
