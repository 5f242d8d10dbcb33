"""Fixed counts against a gate: how often is each wrong, and how many calls does each spend?

"At least 4 of 5 runs pass" is meant to say that a rate is at least 80 %, "8 of 10" the same, "66 %
of 3 runs" that it is at least 66 %. How often they say so is a binomial probability. A gate
(`goodarm.gate`, δ = 0.05) stops as soon as it is certain. What becomes of it is computed, too, from
the distribution of the number of successes after each trial.

Run it: python examples/fixed_counts.py (draws fixed_counts.png here, or elsewhere: --out FOLDER)
The documentation (docs/images/fixed_counts.png, docs/data/fixed_counts.json, and the tables between
the marks in docs/evals.md and docs/gate.md): python examples/fixed_counts.py --docs
"""

import json
import math
import re
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from goodarm.outcomes.crossing import exact_level, steps_needed
from goodarm.plotting import new_panels, shared_legend
from goodarm.plotting.figures import calm, log_ticks

DOCS = Path(__file__).parent.parent / "docs"
PICTURE = "fixed_counts.png"
DELTA, BUDGET, FOREVER = 0.05, 1000, 5000  # nearly no gate lasts longer at the rates below
RATES = {
    0.8: (0.5, 0.6, 0.7, 0.75, 0.79, 0.8, 0.81, 0.85, 0.9, 0.95, 0.99),
    0.66: (0.5, 0.6, 0.65, 0.66, 0.67, 0.7, 0.8, 0.9),
}
DRAWN = [round(0.4 + 0.01 * step, 2) for step in range(60)]
COSTS = {0.98: "passes", 0.95: "passes", 0.6: "fails"}  # at a bar of 0.85
BUDGETS = (50, 100, 300, BUDGET, 5000, None)


@dataclass(frozen=True)
class FixedCount:
    """So many runs, so many of which must pass; and the rate that this is taken to prove."""

    name: str
    runs: int
    least: int
    bar: float

    def passes(self, rate: float) -> float:
        """How often it says yes."""
        return sum(
            math.comb(self.runs, s) * rate**s * (1.0 - rate) ** (self.runs - s)
            for s in range(self.least, self.runs + 1)
        )


FIXED = (
    FixedCount("4 of 5", 5, 4, 0.8),
    FixedCount("8 of 10", 10, 8, 0.8),
    FixedCount("34 of 41", 41, 34, 0.8),  # the fewest that err in 5 % at most at 70 and at 90 %
    FixedCount("66 % of 3", 3, 2, 0.66),
)


@dataclass(frozen=True)
class Outlook:
    """What becomes of a gate: how often it passes, fails (else it is undecided), and its calls."""

    passes: float
    fails: float
    calls: float


def gate_outlook(
    bar: float, rate: float, delta: float = DELTA, budget: int | None = BUDGET
) -> Outlook:
    """Carries the distribution of the number of successes on, without the paths that have ended."""
    most = budget or FOREVER
    up = down = -math.log(delta)
    if budget is not None:
        up, down = (exact_level(bar, sign, delta, budget) for sign in (1.0, -1.0))
    enough = steps_needed(bar, 1.0, up, most).tolist()
    too_few = (np.arange(1, most + 1) - steps_needed(bar, -1.0, down, most)).tolist()
    chances, low, passes, fails, calls = np.ones(1), 0, 0.0, 0.0, 0.0
    for top, bottom in zip(enough, too_few, strict=True):
        calls += float(chances.sum())
        chances = np.convolve(chances, [1.0 - rate, rate])
        passes += float(chances[max(top - low, 0) :].sum())
        chances = chances[: max(top - low, 0)]
        gone = max(bottom - low + 1, 0)
        fails += float(chances[:gone].sum())
        chances, low = chances[gone:], low + gone
        if not chances.sum() > 1e-12:
            break
    return Outlook(passes, fails, calls)


def compute() -> dict:
    """Everything that is shown."""
    return {
        "delta": DELTA,
        "budget": BUDGET,
        "fixed": [
            {**asdict(rule), "passes": {f"{rate:g}": rule.passes(rate) for rate in RATES[rule.bar]}}
            for rule in FIXED
        ],
        "gates": [
            {
                "bar": bar,
                "outlook": {f"{rate:g}": asdict(gate_outlook(bar, rate)) for rate in rates},
            }
            for bar, rates in RATES.items()
        ],
        "budgets": [
            {
                "budget": budget,
                "outlook": {
                    f"{rate:g}": asdict(gate_outlook(0.85, rate, budget=budget)) for rate in COSTS
                },
            }
            for budget in BUDGETS
        ],
    }


def draw() -> Figure:
    """How often each says yes, and what that costs, against the true rate."""
    bar = 0.8
    figure, axes = new_panels(["How often it says yes", "Calls spent, mean"], names=5)
    percent = [100.0 * rate for rate in DRAWN]
    looks = {
        "4 of 5": ("#d55e00", (0, (6, 2))),
        "8 of 10": ("#0072b2", (0, (1, 1))),
        "34 of 41": ("#009e73", (0, (4, 1, 1, 1))),
    }
    for rule in FIXED:
        if rule.name not in looks:
            continue
        colour, dashes = looks[rule.name]
        style = {"color": colour, "linestyle": dashes, "label": rule.name, "linewidth": 1.6}
        axes[0].plot(percent, [100.0 * rule.passes(rate) for rate in DRAWN], **style)
        axes[1].plot(percent, [rule.runs] * len(DRAWN), **style)
    gates = [gate_outlook(bar, rate) for rate in DRAWN]
    label = f"gate, δ = {DELTA:g}, at most {BUDGET:,} calls"
    yes, no = ([100.0 * getattr(gate, what) for gate in gates] for what in ("passes", "fails"))
    axes[0].plot(percent, yes, color="black", label=label, linewidth=1.8)
    undecided = {"color": "#dcdcdc", "zorder": 0, "label": "gate: undecided"}
    axes[0].fill_between(percent, yes, [100.0 - share for share in no], **undecided)
    axes[1].semilogy(percent, [gate.calls for gate in gates], color="black", linewidth=1.8)
    for ax in axes:
        ax.axvline(100.0 * bar, color="#9a9a9a", linewidth=0.8)
        ax.set_xlabel("true success rate, %", fontsize=9)
        calm(ax)
    axes[0].text(100.0 * bar - 0.7, 103.0, "bar", fontsize=8.5, color="#555555", ha="right")
    axes[0].set_ylim(0.0, 108.0)
    axes[0].set_ylabel("runs of the test, %", fontsize=9)
    axes[1].set_ylim(bottom=1.0)
    log_ticks(axes[1].yaxis)
    shared_legend(figure, axes)
    return figure


def wrong(bar: float, rate: float, passes: float, fails: float) -> float:
    """How often the answer is wrong: yes below the bar, no at or above it."""
    return passes if rate < bar else fails


def answers_table(data: dict, bar: float) -> str:
    """How often each is wrong, and what a gate spends."""
    rules = [rule for rule in data["fixed"] if rule["bar"] == bar]
    gate = next(gate for gate in data["gates"] if gate["bar"] == bar)["outlook"]
    names = [f"“{rule['name']}” is wrong" for rule in rules]
    heads = ["true rate", *names, "gate is wrong", "undecided", "calls, mean"]
    lines = [f"| {' | '.join(heads)} |", "| " + " | ".join(["---:"] * len(heads)) + " |"]
    for rate, outlook in gate.items():
        at = float(rate)
        cells = [f"{100.0 * at:g} %"]
        for rule in rules:
            passes = rule["passes"][rate]
            cells.append(_percent(wrong(bar, at, passes, 1.0 - passes)))
        cells.append(_percent(wrong(bar, at, outlook["passes"], outlook["fails"])))
        cells.append(_percent(1.0 - outlook["passes"] - outlook["fails"]))
        cells.append(f"{outlook['calls']:,.0f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def budgets_table(data: dict) -> str:
    """What a gate costs at a bar of 0.85, by its budget."""
    heads = ["budget", *(f"{rate:g}" for rate in COSTS), "undecided at 0.95"]
    lines = [f"| {' | '.join(heads)} |", "| " + " | ".join(["---:"] * len(heads)) + " |"]
    for row in data["budgets"]:
        outlook = row["outlook"]
        cells = ["none" if row["budget"] is None else f"{row['budget']:,}"]
        cells += [f"{outlook[f'{rate:g}']['calls']:.1f}" for rate in COSTS]
        near = outlook["0.95"]
        cells.append(_percent(max(1.0 - near["passes"] - near["fails"], 0.0)))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(share: float) -> str:
    """As a table needs it: 0 where nobody would ever see one."""
    if share < 0.00005:
        return "0 %"
    return f"{100.0 * share:.1f} %" if share >= 0.0095 else f"{100.0 * share:.2f} %"


def put(text: str, mark: str, content: str) -> str:
    """The page with the content between the two marks of that name."""
    between = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- end of {mark} -->)", re.DOTALL)
    return between.sub(lambda match: f"{match[1]}\n{content}\n\n{match[2]}", text)


def main() -> None:
    parser = ArgumentParser(description="Fixed counts against a gate: errors and calls.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation instead")
    options = parser.parse_args()
    data = compute()
    tables = {
        "evals.md": {"at 80 %": answers_table(data, 0.8), "at 66 %": answers_table(data, 0.66)},
        "gate.md": {"budgets": budgets_table(data)},
    }
    for marks in tables.values():
        print(*marks.values(), sep="\n\n", end="\n\n")
    draw().savefig((DOCS / "images" if options.docs else options.out) / PICTURE, dpi=110)
    if not options.docs:
        return
    figures = json.dumps(data, indent=1) + "\n"
    (DOCS / "data" / "fixed_counts.json").write_text(figures, "utf-8")
    for name, marks in tables.items():
        page = (DOCS / name).read_text("utf-8")
        for mark, table in marks.items():
            page = put(page, mark, table)
        (DOCS / name).write_text(page, "utf-8")


if __name__ == "__main__":
    main()
