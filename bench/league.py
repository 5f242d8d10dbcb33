"""The league of anytime rules without the command line's packages, for a bare GPU machine.

    python bench/league.py [--device cuda] [--effort PULLS] [--out FILE]

The same as goodarm league, less the pictures: those come from goodarm league --load FILE.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league import RULES, Entry, League, play_league, standings, suite


def tell(entries: Sequence[Entry], rules: Sequence[str], effort: float, words: Namespace) -> None:
    """Play, save the counts after every stage, print the standings."""

    def keep(league: League) -> None:
        league.save(words.out)
        print(f"{league.pulls:.3e} pulls, {league.seconds:.0f} s so far", flush=True)

    effort = words.effort or effort
    played = play_league(entries, rules, effort=effort, device=words.device, after_stage=keep)
    for s in standings(played):
        print(f"{s.worst:7.2f} {s.worst_sure:7.2f} {s.q95:6.2f} {s.median:5.2f} {s.mean:5.2f}  "
              f"{s.rule}  {s.where.instance}, t = {s.where.time}")  # fmt: skip
    print(f"{played.pulls:.3e} pulls, {played.seconds:.0f} s")


def options(text: str, out: str) -> ArgumentParser:
    """What both scripts can be told."""
    parser = ArgumentParser(description=text)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--effort", type=float)
    parser.add_argument("--out", type=Path, default=Path(out))
    return parser


def main() -> None:
    parser = options(__doc__, "league.json")
    parser.add_argument("--quick", action="store_true")
    words = parser.parse_args()
    tell(suite(words.quick), RULES, 1e7, words)


if __name__ == "__main__":
    main()
