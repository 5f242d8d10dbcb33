"""Stopping times of δ-correct algorithms on the paper's instances, with one boundary.

    python bench/scout_stopping.py [--runs N] [--out FILE]

Writes the means (docs/data/scout_stopping.json was made so); examples/league_figures.py makes the
table. The boundary is the paper's, glr, with sub-Gaussian outcomes.
"""

import argparse
import json
from pathlib import Path

from goodarm import simulate
from goodarm.instance import instances

COMPARED = ("Prospector", "Scout", "APGAI", "APGAI-FE", "TaS", "MS", "HDoC", "LUCB-G", "Unif")
DELTA, CAP = 0.01, 100_000
PAPERS = {"boundary": "glr", "outcome": "sub-gaussian"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=Path("scout_stopping.json"))
    options = parser.parse_args()
    rows = []
    for name in instances:
        results = simulate(name, COMPARED, delta=DELTA, cap=CAP, runs=options.runs, **PAPERS)
        for algorithm, result in results.items():
            row = {"instance": name, "rule": algorithm, "mean": result.mean, "se": result.se}
            row |= {"stopped": float(result.stopped.mean()), "error": result.error_rate}
            rows.append(row)
        best = min(result.mean for result in results.values())
        print(f"{name:15s}", *(f"{label} {r.mean / best:.2f}" for label, r in results.items()))
    head = {"delta": DELTA, "cap": CAP, "runs": options.runs}
    options.out.write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
