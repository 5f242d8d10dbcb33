"""Entering an outcome into a run, for one outcome model: nothing else does that."""

import math
from collections.abc import Callable
from functools import cache

from goodarm.outcomes.contract import Functions
from goodarm.run import PULLED, UNTRIED, Run, find_untried, raise_leaf


@cache
def make_record(functions: Functions) -> Callable[[Run, int, float], None]:
    """The plain function that enters one outcome of one arm: statistics, evidence, max-tree."""
    gap, remember = functions.gap, functions.remember

    def record(run: Run, arm: int, value: float) -> None:
        n = run.counts[arm] + 1
        total = run.sums[arm] + value
        root = math.sqrt(n)
        run.counts[arm] = n
        run.sums[arm] = total
        run.roots[arm] = root
        if n == 1:
            run.clock[PULLED] += 1
            find_untried(run)
        remember(run, arm, value)
        d = gap(run, arm, n, total)
        run.gaps[arm] = d
        raise_leaf(run, arm, root * d)

    return record


def refresh(functions: Functions, run: Run) -> None:
    """Work out what follows from the arms' counts, sums and memory: roots, gaps, tree, clock."""
    run.clock[PULLED] = run.clock[UNTRIED] = 0
    for arm, n in enumerate(run.counts):
        run.clock[PULLED] += n > 0
        run.roots[arm] = math.sqrt(n)
        run.gaps[arm] = functions.gap(run, arm, n, run.sums[arm]) if n else 0.0
        raise_leaf(run, arm, run.roots[arm] * run.gaps[arm] if n else -math.inf)
    find_untried(run)
