"""The league of trials on the command line: play or load it, draw and show it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goodarm.cli.output import print_json, save_figure
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.league.trials.results import TrialsLeague

TRIALS_FILE = "trials.json"


@dataclass(frozen=True)
class TrialsOrder:
    """What was asked for."""

    quick: bool
    algorithms: list[str] | None
    deltas: list[float] | None
    groups: list[str] | None
    effort: float | None
    seed: int
    threads: int | None
    device: str
    fresh: bool

    def carry_out(self, out: Path, load: Sequence[Path], as_json: bool) -> None:
        """Play, or load what was played, and show it."""
        played = self.loaded(load, out) if load else self.play(out)
        draw(played, out)
        show(played, out, as_json)

    def play(self, out: Path) -> "TrialsLeague":
        """Simulate; what is known is saved after every stage."""
        from goodarm.league.trials import play
        from goodarm.league.trials.suites import DELTAS, QUICK_DELTAS, USUAL_GROUPS, trials_suite
        from goodarm.simulation.progress import progress_bars
        from goodarm.simulation.store import ChunkStore

        usual = play.QUICK_TRIALS_ALGORITHMS if self.quick else play.TRIALS_ALGORITHMS
        effort = play.QUICK_TRIALS_EFFORT if self.quick else play.TRIALS_EFFORT
        with progress_bars() as bar:
            return play.play_trials(
                trials_suite(self.groups or USUAL_GROUPS, self.quick),
                self.algorithms or usual,
                self.deltas or (QUICK_DELTAS if self.quick else DELTAS),
                effort=self.effort or effort,
                seed=self.seed,
                threads=self.threads,
                device=self.device,
                store=ChunkStore(fresh=self.fresh),
                report=bar,
                after_stage=lambda league: league.save(out / TRIALS_FILE),
            )

    def loaded(self, paths: Sequence[Path], out: Path) -> "TrialsLeague":
        """What is asked for of leagues that were played before; several are saved as one."""
        from goodarm.league.trials.results import join_trials, load_trials

        played = join_trials([load_trials(path) for path in paths])
        if len(paths) > 1:
            played.save(out / TRIALS_FILE)
        part = played.only(self.groups, self.deltas)
        if not part.cells or not part.algorithms:
            raise InputError(
                "load: the files have no algorithm in common on these groups and probabilities; "
                "leave out --group and --delta to see all of them"
            )
        return part


def draw(played: "TrialsLeague", out: Path) -> None:
    """The picture."""
    from goodarm.league.trials.pictures import trials_heat_map

    save_figure(trials_heat_map(played), out / "trials_heat_map.png", dpi=110)


def show(played: "TrialsLeague", out: Path, as_json: bool) -> None:
    """The table of standings."""
    from rich.markup import escape

    from goodarm.cli.tables import console, table
    from goodarm.league.trials.play import PRECISION
    from goodarm.league.trials.scores import CLOSE, TOLERABLE, imprecise_cells, trials_standings
    from goodarm.wording import figure, share

    standings = trials_standings(played)
    if as_json:
        print_json([asdict(standing) for standing in standings])
        return
    instances = len({cell.entry.instance.name for cell in played.cells})
    title = f"{instances} instances, {played.pulls / 1e9:,.3g} billion pulls"
    columns = ["worst", "surely", "where", f"within {CLOSE}", f"within {TOLERABLE}", "over oracle"]
    rows = table(title, ["algorithm", *columns, "tail", "not done"])
    for s in standings:
        worst = [figure(s.over_best_worst, 3), figure(s.over_best_sure, 3)]
        oracle = f"{figure(s.over_oracle_median, 3)} to {figure(s.over_oracle_worst, 3)}"
        rows.add_row(
            escape(s.algorithm),
            *(f"≥ {number}" if s.unfinished else number for number in worst),
            escape(s.over_best_where.text()),
            f"{share(s.close)} ({share(s.perhaps_close)})",
            f"{share(s.tolerable)} ({share(s.perhaps_tolerable)})",
            oracle,
            figure(s.tail, 3),
            str(s.unfinished),
        )
    rough = imprecise_cells(played, PRECISION)
    screen = console()
    screen.print(rows)
    screen.print(
        f"Worst, and within {CLOSE} and {TOLERABLE}: mean pulls until sure over the best "
        f"algorithm's, of {len(played.cells)} pairs of an instance and a probability of error. "
        "Surely: what chance cannot explain; in brackets: the share with what chance may explain. "
        "Over oracle: median and worst of the means over oracle + K − 1. Tail: the largest 99.9 % "
        "quantile over the median. Not done: pairs with a run that was given up at the cap, whose "
        f"mean is therefore too small. {rough:,} of "
        f"{len(played.cells) * len(standings):,} means have a standard error above "
        f"{100 * PRECISION:g} %."
    )
    screen.print(f"Picture and numbers: {escape(str(out))}/", soft_wrap=True)
