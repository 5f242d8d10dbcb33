"""The numbers behind "how to choose an algorithm": all that may be chosen, in four situations.

Run it: python examples/choosing.py (writes choosing.json here, or elsewhere: --out FOLDER)
The documentation (docs/data/choosing.json and the table in docs/choosing.md):
python examples/choosing.py --docs
"""

import json
import re
from argparse import ArgumentParser
from pathlib import Path

from goodarm import Instance, simulate

DOCS = Path(__file__).parent.parent / "docs"
ALGORITHMS = ("Scout", "APGAI-FE", "TaS", "MS", "APGAI", "Unif")
SITUATIONS = {
    "one of ten is clearly good": [0.75] + [0.35] * 9,
    "one of ten is barely good": [0.55] + [0.35] * 9,
    "three of ten are at the bar, one is good": [0.5] * 3 + [0.7] + [0.3] * 6,
    "none of ten is good": [0.4] * 10,
}
BAR, DELTA, CAP, BUDGET, RUNS = 0.5, 0.05, 50_000, 200, 4000


def measure(runs: int = RUNS, cap: int = CAP) -> list[dict]:
    """For each situation and algorithm: trials until sure, and the error after a fixed number."""
    rows = []
    for situation, means in SITUATIONS.items():
        instance = Instance(BAR, means, kind="bernoulli", name=situation)
        timed = simulate(instance, ALGORITHMS, delta=DELTA, cap=cap, runs=runs, seed=1)
        short = simulate(instance, ALGORITHMS, budget=BUDGET, runs=10 * runs, seed=1)
        for name in ALGORITHMS:
            result = timed[name]
            rows.append(
                {
                    "situation": situation,
                    "rule": name,
                    "median": result.quantile(0.5),
                    "mean": result.mean,
                    "se": result.se,
                    "stopped": float(result.stopped.mean()),
                    "error": result.error_rate,
                    "error_at_budget": short[name].error_rate,
                }
            )
    return rows


def table(rows: list[dict]) -> str:
    """The rows as a table in Markdown, the least mean of each situation in bold."""
    lines = [
        "| situation | algorithm | trials until sure (mean ± s.e.) | median | "
        f"stopped by {CAP:,} | wrong after {BUDGET} trials |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        best = min(r["mean"] for r in rows if r["situation"] == row["situation"])
        mark = "**" if row["mean"] == best else ""
        lines.append(
            f"| {row['situation']} | {row['rule']} | {mark}{row['mean']:,.0f} ± {row['se']:,.0f}"
            f"{mark} | {row['median']:,.0f} | {row['stopped']:.1%} | "
            f"{row['error_at_budget']:.1%} |"
        )
    return "\n".join(lines)


def write_page(rows: list[dict]) -> None:
    """Put the table into the page."""
    page = DOCS / "choosing.md"
    between = re.compile(r"(<!-- choosing -->\n).*?(<!-- end -->)", re.DOTALL)
    text = page.read_text(encoding="utf-8")
    text = between.sub(lambda m: f"{m[1]}\n{table(rows)}\n\n{m[2]}", text)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = ArgumentParser(description="Every algorithm that may be chosen, in four situations.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation instead")
    options = parser.parse_args()
    rows = measure()
    folder = DOCS / "data" if options.docs else options.out
    (folder / "choosing.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.docs:
        write_page(rows)
    print(table(rows))


if __name__ == "__main__":
    main()
