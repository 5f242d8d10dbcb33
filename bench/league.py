"""The league of anytime rules without the command line's packages, for a bare GPU machine.

    python bench/league.py [--device cuda] [--effort PULLS] [--out FILE]

The same as goodarm league, less the pictures: those come from goodarm league --load FILE.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, old):  # numba-cuda 0.30 asks for names that numpy 2.5 no longer has
        setattr(np, old, getattr(np, new))
sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from goodarm.league import play_league, standings, suite  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--effort", type=float, default=1e7)
    parser.add_argument("--out", type=Path, default=Path("league.json"))
    options = parser.parse_args()
    played = play_league(suite(options.quick), effort=options.effort, device=options.device)
    played.save(options.out)
    for s in standings(played):
        print(f"{s.worst:7.2f} {s.worst_sure:7.2f} {s.q95:6.2f} {s.median:5.2f} {s.mean:5.2f}  "
              f"{s.rule}  {s.where.instance}, t = {s.where.time}")  # fmt: skip
    print(f"{played.pulls:.3e} pulls, {played.seconds:.0f} s")


if __name__ == "__main__":
    main()
