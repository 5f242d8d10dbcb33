"""The league of trials without the command line's packages, for a bare GPU machine.

    python bench/league_trials.py [--quick] [--group GROUP ...] [--algorithm NAME ...]
                                  [--delta DELTA ...] [--effort PULLS] [--device cuda] [--out FILE]

The same as goodarm league --trials, less the picture: that comes from goodarm league --trials
--load FILE, which joins several files, such as one for each group, or one with more algorithms.
What is known is saved after every stage.
"""

from argparse import ArgumentParser
from pathlib import Path

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league.trials.play import (
    PRECISION,
    QUICK_TRIALS_ALGORITHMS,
    QUICK_TRIALS_EFFORT,
    TRIALS_ALGORITHMS,
    TRIALS_EFFORT,
    play_trials,
)
from goodarm.league.trials.results import TrialsLeague
from goodarm.league.trials.scores import imprecise_cells, trials_standings
from goodarm.league.trials.suites import DELTAS, GROUPS, QUICK_DELTAS, USUAL_GROUPS, trials_suite


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--group", nargs="+", choices=list(GROUPS), default=list(USUAL_GROUPS))
    parser.add_argument("--algorithm", nargs="+")
    parser.add_argument("--delta", nargs="+", type=float)
    parser.add_argument("--effort", type=float)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", type=Path, default=Path("trials.json"))
    given = parser.parse_args()

    def keep(league: TrialsLeague) -> None:
        league.save(given.out)
        rough = imprecise_cells(league, PRECISION)
        print(
            f"{league.pulls:.3e} pulls, {league.seconds:.0f} s so far; standard errors above "
            f"{PRECISION:.0%}: {rough} of {len(league.cells) * len(league.algorithms)}",
            flush=True,
        )

    league = play_trials(
        trials_suite(given.group, given.quick),
        given.algorithm or (QUICK_TRIALS_ALGORITHMS if given.quick else TRIALS_ALGORITHMS),
        given.delta or (QUICK_DELTAS if given.quick else DELTAS),
        effort=given.effort or (QUICK_TRIALS_EFFORT if given.quick else TRIALS_EFFORT),
        device=given.device,
        after_stage=keep,
    )
    for s in trials_standings(league):
        print(
            f"{s.over_best_worst:7.2f} {s.over_best_sure:6.2f} {s.close:6.1%} {s.tolerable:6.1%}  "
            f"{s.over_oracle_median:5.2f} {s.over_oracle_worst:7.2f} {s.tail:6.1f} "
            f"{s.unfinished:4} {s.algorithm}  {s.over_best_where.text()}"
        )


if __name__ == "__main__":
    main()
