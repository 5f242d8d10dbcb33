"""How fast the error of an anytime algorithm falls: rates fitted to 1e8 runs, beside the theory's.

Reads docs/data/error_decay.json (made on a GPU by bench/error_decay.py).

Run it: python examples/error_decay_figures.py (writes error_decay.png and error_decay.csv into this
folder, or another: --out FOLDER)
The documentation (docs/images/error_decay.png, docs/data/error_decay.csv):
python examples/error_decay_figures.py --docs

Fit: ln(error) = a − t/C, weighted by the number of errors, over the later half of the times with
an error below 0.1 and at least 30 errors in all. The standard error of C is a jackknife over the
twenty independent parts of the data: errors at neighbouring times share runs, so the usual
formula would be far too small. `earlier` is C fitted to the quarter of times before that: where
it is smaller than C by many standard errors, the decay is slower than exponential in that range.
"""

import csv
import json
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from goodarm import instances
from goodarm.theory import complexity, error_rate_constant

DOCS = Path(__file__).parent.parent / "docs"
ENOUGH = 30
STYLES = {
    "APGAI": ("#0b3d91", "-", "o"),
    "APGAI-FE": ("#2a9d8f", "--", "s"),
    "Unif": ("#8d99ae", "-.", "^"),
    "HDoC": ("#d1495b", ":", "D"),
    "TaS": ("#edae49", "--", "v"),
    "MS": ("#6a4c93", "-", "x"),
}


def slope(times: np.ndarray, counts: np.ndarray, runs: int, chosen: np.ndarray) -> float:
    """C of the fit ln(error) = a − t/C over the chosen times."""
    weights = np.sqrt(counts[chosen])
    line = np.polyfit(times[chosen], np.log(counts[chosen] / runs), 1, w=weights)
    return float(-1.0 / line[0])


def windows(counts: np.ndarray, runs: int) -> tuple[np.ndarray, np.ndarray]:
    """The later half and the quarter before it, of the times at which the error can be seen."""
    seen = np.flatnonzero((counts >= ENOUGH) & (counts < 0.1 * runs))
    half, quarter = len(seen) // 2, len(seen) // 4
    return seen[half:], seen[quarter:half]


def fit(row: dict) -> dict | None:
    """C with its standard error, and C of the earlier window."""
    parts = np.array(row["counts"], dtype=float)
    times = np.array(row["times"], dtype=float)
    runs, total = row["runs_per_part"], parts.sum(axis=0)
    late, early = windows(total, runs * len(parts))
    if len(late) < 4:
        return None
    C = slope(times, total, runs * len(parts), late)
    left_out = [slope(times, total - part, runs * (len(parts) - 1), late) for part in parts]
    n = len(parts)
    se = float(np.sqrt((n - 1) / n * ((np.array(left_out) - np.mean(left_out)) ** 2).sum()))
    before = slope(times, total, runs * n, early) if len(early) >= 4 else None
    return {
        "C": C,
        "se": se,
        "earlier": before,
        "from": int(times[late[0]]),
        "to": int(times[late[-1]]),
        "error_from": total[late[0]] / (runs * n),
        "error_to": total[late[-1]] / (runs * n),
        "runs": runs * n,
    }


def theory(name: str, algorithm: str) -> float | None:
    """The theory's constant in the corrected reading, where there is one for the algorithm."""
    if algorithm not in ("APGAI", "Unif"):
        return None
    return error_rate_constant(instances[name], algorithm).number


def table(rows: list[dict]) -> list[dict]:
    """The fits that there are enough errors for, beside the theory."""
    fits = []
    for row in rows:
        numbers = fit(row)
        if numbers is not None:
            names = {"instance": row["instance"], "rule": row["rule"]}
            H1 = complexity(instances[row["instance"]]).H1
            fits.append({**names, "H1": H1, **numbers, "theory": theory(*names.values())})
    return fits


def draw(rows: list[dict]) -> Figure:
    names = list(dict.fromkeys(row["instance"] for row in rows))
    figure = Figure(figsize=(13, 7.2), layout="constrained")
    axes = figure.subplots(2, 4).ravel()
    for axis, name in zip(axes, names, strict=False):
        for row in (row for row in rows if row["instance"] == name):
            counts = np.array(row["counts"]).sum(axis=0)
            enough = counts >= 5
            error = counts[enough] / (row["runs_per_part"] * len(row["counts"]))
            colour, line, marker = STYLES[row["rule"]]
            look = {"color": colour, "linestyle": line, "marker": marker, "label": row["rule"]}
            times = np.array(row["times"])[enough]
            axis.semilogy(times, error, **look, markevery=6, markersize=4, linewidth=1.4)
        axis.set_title(name)
        axis.set_ylim(4e-8, 1)
        axis.grid(alpha=0.3)
        axis.set_xlabel("t (pulls)")
    axes[0].set_ylabel("probability of error")
    axes[4].set_ylabel("probability of error")
    handles, labels = axes[0].get_legend_handles_labels()
    for axis in axes[len(names) :]:
        axis.axis("off")
        axis.legend(handles, labels, loc="center", fontsize=12, title="algorithm", frameon=False)
    return figure


def main() -> None:
    parser = ArgumentParser(description="How fast the error of an anytime algorithm falls.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation instead")
    options = parser.parse_args()
    rows = json.loads((DOCS / "data" / "error_decay.json").read_text())
    rows.sort(
        key=lambda row: (list(instances).index(row["instance"]), list(STYLES).index(row["rule"]))
    )
    images, data = (DOCS / "images", DOCS / "data") if options.docs else (options.out, options.out)
    draw(rows).savefig(images / "error_decay.png", dpi=110)
    fits = table(rows)
    with (data / "error_decay.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fits[0])
        writer.writeheader()
        writer.writerows(fits)
    for row in fits:
        bound = "" if row["theory"] is None else f"{row['theory']:8,.0f}"
        earlier = "" if row["earlier"] is None else f"{row['earlier']:6.1f}"
        print(
            f"| {row['instance']} | {row['rule']} | {row['C']:.1f} ± {row['se']:.1f} | "
            f"{row['C'] / row['H1']:.2f} | {earlier} | "
            f"{row['error_from']:.1e} to {row['error_to']:.1e} | {bound} |"
        )


if __name__ == "__main__":
    main()
