"""The league of errors on the command line: play or load it, go deeper, draw and show it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goodarm.cli.output import print_json, save_figure
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.league import League

COUNTS_FILE = "league.json"


@dataclass(frozen=True)
class ErrorsOrder:
    """What was asked for."""

    quick: bool
    algorithms: list[str] | None
    effort: float | None
    deep: int
    seed: int
    threads: int | None
    device: str
    fresh: bool

    def carry_out(self, out: Path, load: Path | None, as_json: bool) -> None:
        """Play, or load what was played, and show it."""
        from goodarm.league import load_league, standings

        played = self.play() if load is None else load_league(load)
        played.save(out / COUNTS_FILE)
        if self.deep:
            played = self.deepen(played, out)
        if not standings(played):
            raise InputError(
                f"effort: too few errors were seen to compare the algorithms; give more (the "
                f"counts are in {str(out / COUNTS_FILE)!r})"
            )
        draw(played, out)
        show(played, out, as_json)

    def play(self) -> "League":
        """Count errors."""
        from goodarm.league.errors import play
        from goodarm.league.errors.suites import suite
        from goodarm.simulation.progress import progress_bars
        from goodarm.simulation.store import ChunkStore

        usual = play.QUICK_LEAGUE_ALGORITHMS if self.quick else play.LEAGUE_ALGORITHMS
        effort = play.QUICK_LEAGUE_EFFORT if self.quick else play.LEAGUE_EFFORT
        with progress_bars() as bar:
            return play.play_league(
                suite(self.quick),
                self.algorithms or usual,
                effort=self.effort or effort,
                seed=self.seed,
                threads=self.threads,
                device=self.device,
                store=ChunkStore(fresh=self.fresh),
                report=bar,
            )

    def deepen(self, played: "League", out: Path) -> "League":
        """Rounds of splitting."""
        from goodarm.league import estimate_rare_errors
        from goodarm.simulation.progress import progress_bars

        with progress_bars("sets of populations") as bar:
            return estimate_rare_errors(
                played,
                self.deep,
                algorithms=self.algorithms or [],
                threads=self.threads,
                device=self.device,
                report=bar,
                keep=lambda league: league.save(out / COUNTS_FILE),
            )


def draw(played: "League", out: Path) -> None:
    """The pictures."""
    from goodarm.league.errors.pictures import heat_map, profile

    save_figure(heat_map(played), out / "heat_map.png", dpi=110)
    save_figure(profile(played), out / "profile.png", dpi=110)


def show(played: "League", out: Path, as_json: bool) -> None:
    """The table of standings."""
    from rich.markup import escape

    from goodarm.cli.tables import console, table
    from goodarm.league import standings
    from goodarm.league.errors.scores import unresolved_below
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
