"""What a gate costs and how often it errs: one arm, bar 0.85, δ = 0.05.

    python bench/gate.py [--gates N] [--near N] [--seed N] [--budget N]

Mean calls at true rates of 0.98, 0.95 and 0.60, with a standard error and the aim; and how many
gates with a budget of 5,000 pass although the true rate is 0.845. Every gate is a call of
`goodarm.gate` with a seeded function. Gates near the bar are long: 2,000 of them take minutes.
`--budget 0` is for gates without a budget.
"""

import argparse
import math
import statistics
from random import Random
from time import perf_counter

import goodarm
from goodarm.defaults import GATE_BUDGET

BAR, DELTA = 0.85, 0.05
AIMS = {0.98: 44, 0.95: 80, 0.60: 24}
NEAR, BUDGET = 0.845, 5000


def play(rate: float, seed: int, number: int, budget: int | None) -> goodarm.GateResult:
    """One gate on a function that succeeds at this rate."""
    chance = Random(f"{seed}/{rate}/{number}")
    return goodarm.gate(lambda: chance.random() < rate, BAR, delta=DELTA, budget=budget)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--gates", type=int, default=2000)
    options.add_argument("--near", type=int, default=2000, help="gates just below the bar")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--budget", type=int, default=GATE_BUDGET)
    given = options.parse_args()
    most = given.budget or None
    for rate, aim in AIMS.items():
        results = [play(rate, given.seed, number, most) for number in range(given.gates)]
        calls = [result.trials for result in results]
        error = statistics.stdev(calls) / math.sqrt(len(calls))
        wrong = sum(result.passed != (rate >= BAR) for result in results)
        mean = statistics.fmean(calls)
        print(f"rate {rate:g}: {mean:.1f} ± {error:.1f} calls (aim {aim}), {wrong} wrong")
    began = perf_counter()
    near = [play(NEAR, given.seed, number, BUDGET) for number in range(given.near)]
    if near:
        passed, calls = sum(map(bool, near)), [result.trials for result in near]
        share = passed / len(near)
        print(f"rate {NEAR:g}, budget {BUDGET:,}: {passed} of {len(near):,} pass ({share:.1%})")
        each = (perf_counter() - began) / sum(calls)
        print(f"overhead of a call near the bar: {1e6 * each:.0f} µs")


if __name__ == "__main__":
    main()
