"""The search for Scout: members of the UCB-G family on the training families of the league.

    python bench/league_search.py [--device cuda] [--out FILE]

Writes the counts of errors (docs/data/league_search.json was made so); examples/league_figures.py
draws the trade-off that they show. Works without the command line's packages.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, old):  # numba-cuda 0.30 asks for names that numpy 2.5 no longer has
        setattr(np, old, getattr(np, new))
sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from goodarm.league import play_league, random_entries, standings  # noqa: E402

KNOWN = ("APGAI", "HDoC", "TaS")


def members() -> list[str]:
    """Some members: what the bonus is, how large, whether shared, how far the leader is trusted."""
    found = ["UCB-G[bonus=time,weight=2,bad=apgai]"]
    plain = [("time", 2), ("rounds", 1), ("moss", 2), ("both", 2)]
    found += [f"UCB-G[bonus={b},weight={w},bad=floor]" for b, w in plain]
    shared = [("time", 2), ("rounds", 2), ("both", 1), ("both", 2)]
    found += [f"UCB-G[bonus={b},weight={w},share=yes,bad=floor]" for b, w in shared]
    led = [("time", 2, 2), ("time", 4, 3), ("both", 2, 2), ("both", 2, 3)]
    found += [f"UCB-G[bonus={b},weight={w},share=yes,bad=floor,lead={n}]" for b, w, n in led]
    trusted = [("both", w, q) for w in (1, 2) for q in (0.1, 0.2, 0.33, 0.5)]
    trusted += [("both", 1.5, 0.2), ("time", 1, 0.2), ("time", 2, 0.2)]
    found += [f"UCB-G[bonus={b},weight={w},share=yes,bad=floor,trust={q}]" for b, w, q in trusted]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--effort", type=float, default=3e7)
    parser.add_argument("--of-each", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path("league_search.json"))
    options = parser.parse_args()
    rules = [*KNOWN, *members()]
    entries = random_entries(True, options.of_each)
    played = play_league(entries, rules, effort=options.effort, device=options.device)
    played.save(options.out)
    for s in standings(played):
        print(f"{s.worst:7.2f} {s.worst_sure:7.2f} {s.q95:6.2f} {s.median:5.2f} {s.mean:5.2f}  "
              f"{s.rule}  {s.where.instance}, t = {s.where.time}")  # fmt: skip
    print(f"{played.pulls:.3e} pulls, {played.seconds:.0f} s")


if __name__ == "__main__":
    main()
