"""Does splitting find the errors that were counted? Against the 1e7 to 2e8 runs of error_decay.py.

    python bench/rare_errors.py [--device cuda] [--out FILE]

For each of its algorithms and instances, at the times when the counted error is nearest to 1e-2,
1e-3 and so on to 2e-6: what splitting finds, over what was counted, and the difference in standard
errors. Reads docs/data/error_decay.json, writes docs/data/rare_errors.json. Outcomes count as
sub-Gaussian in both.
"""

import json
import time
from argparse import ArgumentParser
from pathlib import Path

import numpy as np

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.simulation.job import SUB_GAUSSIAN
from goodarm.simulation.splitting import rare_errors
from goodarm.simulation.splitting.estimate import ISLAND

DATA = Path(__file__).parent.parent / "docs" / "data"
LEVELS = (1e-2, 1e-3, 1e-4, 1e-5, 2e-6)
ISLANDS = 16


def compare(row: dict, seed: int, device: str) -> dict:
    counts = np.array(row["counts"]).sum(axis=0)
    runs = row["runs_per_part"] * len(row["counts"])
    counted = counts / runs
    distance = abs(np.log(np.maximum(counted, 1e-12)[:, None] / LEVELS))
    chosen = sorted(set(distance.argmin(axis=0).tolist()))
    times = [row["times"][index] for index in chosen]
    began = time.perf_counter()
    how = {"threads": 2, "device": device, "outcome": SUB_GAUSSIAN}
    found = rare_errors(row["instance"], row["rule"], times, islands=ISLANDS, seed=seed, **how)
    noise = np.sqrt(found.standard_errors**2 + counted[chosen] / runs)
    return {
        "instance": row["instance"],
        "rule": row["rule"],
        "times": times,
        "counted": counted[chosen].tolist(),
        "runs_counted": runs,
        "found": found.error_rates.tolist(),
        "standard_errors": found.standard_errors.tolist(),
        "z": ((found.error_rates - counted[chosen]) / noise).tolist(),
        "runs": ISLANDS * ISLAND,
        "pulls": found.pulls,
        "seconds": time.perf_counter() - began,
    }


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", type=Path, default=DATA / "rare_errors.json")
    given = parser.parse_args()
    rows = []
    for seed, row in enumerate(json.loads((DATA / "error_decay.json").read_text(encoding="utf-8"))):
        made = compare(row, seed, given.device)
        rows.append(made)
        shown = " ".join(
            f"{p:.1e}: {f / p:.2f} ({z:+.1f})"
            for p, f, z in zip(made["counted"], made["found"], made["z"], strict=True)
        )
        print(
            f"{made['instance']:5} {made['rule']:9} {made['seconds']:4.0f} s  {shown}", flush=True
        )
    z = np.concatenate([row["z"] for row in rows])
    print(f"{len(z)} errors: z has mean {z.mean():.2f} and standard deviation {z.std():.2f}")
    lines = ",\n".join(json.dumps(row) for row in rows)
    given.out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
