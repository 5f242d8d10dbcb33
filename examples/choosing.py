"""The numbers behind "how to choose an algorithm": every rule that may be chosen, four situations.

Run it: python examples/choosing.py (writes docs/data/choosing.json and the table in
docs/choosing.md)
"""

import json
import re
from pathlib import Path

from goodarm import Instance, simulate

DOCS = Path(__file__).parent.parent / "docs"
RULES = ("Scout", "APGAI-FE", "TaS", "MS", "APGAI", "Unif")
SITUATIONS = {
    "one of ten is clearly good": [0.75] + [0.35] * 9,
    "one of ten is barely good": [0.55] + [0.35] * 9,
    "three of ten are at the bar, one is good": [0.5] * 3 + [0.7] + [0.3] * 6,
    "none of ten is good": [0.4] * 10,
}
BAR, DELTA, CAP, BUDGET, RUNS = 0.5, 0.05, 50_000, 200, 4000


def measure(runs: int = RUNS, cap: int = CAP) -> list[dict]:
    """For each situation and rule: trials until sure, and the error after a fixed number."""
    rows = []
    for situation, means in SITUATIONS.items():
        instance = Instance(BAR, means, kind="bernoulli", name=situation)
        timed = simulate(instance, RULES, delta=DELTA, cap=cap, runs=runs, seed=1)
        short = simulate(instance, RULES, budget=BUDGET, runs=10 * runs, seed=1)
        for rule in RULES:
            found, early = timed[rule], short[rule]
            rows.append(
                {"situation": situation, "rule": rule, "median": found.quantile(0.5),
                 "mean": found.mean, "se": found.se, "stopped": float(found.stopped.mean()),
                 "error": found.error_rate, "error_at_budget": early.error_rate}
            )  # fmt: skip
    return rows


def table(rows: list[dict]) -> str:
    """The rows as a table in Markdown, the least mean of each situation in bold."""
    lines = [
        f"| situation | rule | trials until sure (mean ± s.e.) | median | stopped by {CAP:,} | "
        f"wrong after {BUDGET} trials |",
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


def main() -> None:
    rows = measure()
    (DOCS / "data" / "choosing.json").write_text(json.dumps(rows, indent=1) + "\n")
    page = DOCS / "choosing.md"
    between = re.compile(r"(<!-- choosing -->\n).*?(<!-- end -->)", re.DOTALL)
    page.write_text(between.sub(lambda m: f"{m[1]}\n{table(rows)}\n\n{m[2]}", page.read_text()))
    print(table(rows))


if __name__ == "__main__":
    main()
