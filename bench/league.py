"""The league of errors without the command line's packages, for a bare GPU machine.

    python bench/league.py [--quick] [--device cuda] [--effort PULLS] [--out FILE]
    python bench/league.py --load FILE --deep ROUNDS [--seconds N] [--device cuda] [--out FILE]
    python bench/league.py --load FILE --algorithm NAME NAME ... [--deep ROUNDS] [--out FILE]

The same as goodarm league, less the pictures: those come from goodarm league --load FILE. After
N seconds no more is begun; what there is can be loaded and gone on with. The last form plays some
algorithms, and adds those of them that the file does not have yet.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league import (
    League,
    LeagueEntry,
    estimate_rare_errors,
    load_league,
    play_league,
    standings,
    suite,
)
from goodarm.league.errors.play import (
    LEAGUE_ALGORITHMS,
    LEAGUE_EFFORT,
    QUICK_LEAGUE_ALGORITHMS,
    QUICK_LEAGUE_EFFORT,
)


def play(
    entries: Sequence[LeagueEntry], algorithms: Sequence[str], effort: float, given: Namespace
) -> None:
    """Play, save the counts after every stage, print the standings."""

    def keep(league: League) -> None:
        league.save(given.out)
        print(f"{league.pulls:.3e} pulls, {league.seconds:.0f} s so far", flush=True)

    only: list[str] = []
    if given.algorithm or not given.load:
        effort = given.effort or effort
        played = play_league(
            entries,
            given.algorithm or algorithms,
            effort=effort,
            device=given.device,
            after_stage=keep,
        )
    if given.load:
        known = load_league(given.load)
        if given.algorithm:
            only = [name for name in given.algorithm if name not in known.algorithms]
            known = known.joined_by(played)
        played = known
        keep(played)
    played = estimate_rare_errors(
        played, given.deep, only=only, device=given.device, keep=keep, patience=given.seconds
    )
    for s in standings(played):
        print(
            f"{s.worst:7.2f} {s.worst_sure:7.2f} {s.q95:6.2f} {s.median:5.2f} {s.mean:5.2f}  "
            f"{s.spots:5} {s.algorithm}  {s.where.instance}, t = {s.where.time}"
        )


def make_parser(text: str) -> ArgumentParser:
    """What both scripts can be given."""
    parser = ArgumentParser(description=text)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--effort", type=float)
    parser.add_argument("--load", type=Path)
    parser.add_argument("--algorithm", nargs="+")
    parser.add_argument("--deep", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path)
    return parser


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    given.out = given.out or Path("league.json")
    algorithms, effort = (
        (QUICK_LEAGUE_ALGORITHMS, QUICK_LEAGUE_EFFORT)
        if given.quick
        else (LEAGUE_ALGORITHMS, LEAGUE_EFFORT)
    )
    play(suite(given.quick), algorithms, effort, given)


if __name__ == "__main__":
    main()
