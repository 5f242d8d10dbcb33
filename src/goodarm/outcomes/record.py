"""Entering an outcome into a run, for one outcome model: nothing else does that."""

import math
from collections.abc import Callable, Iterable
from functools import cache

from goodarm.outcomes.contract import Functions, Levels, Outcome, Reading
from goodarm.run import PULLED, UNTRIED, Run, Sizes, find_untried, new_run, raise_leaf

NEVER = Levels()


@cache
def make_record(functions: Functions) -> Callable[..., None]:
    """The plain function that enters an outcome of one arm: statistics, evidence, max-tree.

    `size` is what the model takes it to be, `many` how many outcomes it stands for: 1 and 1, but
    for outcomes that were told with a size.
    """
    gap, remember = functions.gap, functions.remember

    def record(run: Run, arm: int, value: float, size: float = 1.0, many: int = 1) -> None:
        n = run.counts[arm] + many
        total = run.sums[arm] + value
        root = math.sqrt(n)
        run.counts[arm] = n
        run.sums[arm] = total
        run.roots[arm] = root
        if n == many:
            run.clock[PULLED] += 1
            find_untried(run)
        remember(run, arm, value, size)
        d = gap(run, arm, n, total)
        run.gaps[arm] = d
        raise_leaf(run, arm, root * d)

    return record


def one_arm_run(
    model: Outcome,
    threshold: float,
    outcomes: Iterable[Reading] = (),
    levels: Levels = NEVER,
    side: float = 1.0,
) -> Run:
    """A run of lists with these outcomes of a single arm; `side` is −1 where less is good."""
    run = new_run(
        threshold,
        model.scales(1),
        seed=0,
        boundary=(0.0, *levels),
        sizes=Sizes(1, model.memory),
        model=model.numbers(threshold, side, levels),
        side=side,
    )
    record = make_record(model.functions)
    for told in outcomes:
        record(run, 0, told.value, told.size, model.units(told.size))
    return run


def refresh(functions: Functions, run: Run) -> None:
    """Work out what follows from the arms' counts, sums and memory: roots, gaps, tree, clock."""
    run.clock[PULLED] = run.clock[UNTRIED] = 0
    for arm, n in enumerate(run.counts):
        run.clock[PULLED] += n > 0
        run.roots[arm] = math.sqrt(n)
        run.gaps[arm] = functions.gap(run, arm, n, run.sums[arm]) if n else 0.0
        raise_leaf(run, arm, run.roots[arm] * run.gaps[arm] if n else -math.inf)
    find_untried(run)
