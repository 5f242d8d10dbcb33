"""A new outcome model in one file: how often something failed before it worked.

Each attempt works with the same chance, so the failures before the first success are geometric: a
one-parameter exponential family, for which goodarm's engine needs the gap, the sum on the natural
scale and the cumulant. With failures on average m, an attempt works with the chance 1/(1 + m).

Run it: python examples/new_outcome.py (asks the conformance kit, then decides a small study)
In a package of your own, an entry point makes it a choice everywhere, as ``attempts``:

    [project.entry-points."goodarm.outcomes"]
    attempts = "your_package.attempts:Attempts"
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from goodarm import InputError, Outcome
from goodarm.inputs import observed
from goodarm.outcomes.contract import Floats, Levels, Seen, SimulatedArms
from goodarm.outcomes.tilts import TiltFamily, engine, limits_beyond, table
from goodarm.run import SIDE, THRESHOLD, Run


# --- the plain functions: compiled by the simulator, called as they are by studies ----------------
def gap(run: Run, arm: int, n: int, total: float) -> float:
    """±√(2 kl) between the mean and the threshold, positive on the good side."""
    mean, bar = total / n, run.levels[THRESHOLD]
    kl = math.log1p(bar) - math.log1p(mean)
    if mean > 0.0:
        kl += mean * (math.log(mean / bar) + math.log1p(bar) - math.log1p(mean))
    root = math.sqrt(2.0 * max(kl, 0.0)) if mean != bar else 0.0
    return run.levels[SIDE] * (root if mean > bar else -root)


def failures(run: Run, arm: int) -> float:
    """Σx, times −1 where less is good."""
    return run.sums[arm] * run.levels[SIDE]


def draw(arms: SimulatedArms, arm: int, u: float) -> float:
    """The number of failures at quantile u."""
    mean = arms.means[arm]
    return float(math.floor(math.log1p(-u) / (math.log(mean) - math.log1p(mean))))


# --- what a run carries: a and b of e^{aX − b}, for steps in the log-odds of a failure ------------
def cumulant_at(mean: float | Floats) -> Callable[[Floats], tuple[Floats, Floats]]:
    """a = ln(q′/q) and b = ln E e^{aX} = ln(p/p′), where q′ has the log-odds of q plus a step."""

    def cumulant(steps: Floats) -> tuple[Floats, Floats]:
        odds = mean * np.exp(steps)  # q′/p′; before the step it is the mean itself
        b = np.log1p(odds) - np.log1p(mean)
        return steps - b, b

    return cumulant


def variance(threshold: float) -> float:
    """q, the variance on that scale: it sets the steps."""
    return threshold / (1.0 + threshold)


@lru_cache(maxsize=256)
def table_at(threshold: float, side: float, levels: Levels) -> tuple[float, ...]:
    """The table of a run at this threshold."""
    return table(variance(threshold), cumulant_at(threshold), side, levels)


# --- the declaration: what people see, and what is checked ----------------------------------------
@dataclass(frozen=True)
class Attempts(Outcome):
    """How often something failed before it worked."""

    name = "attempts"
    title = "failures before a success"
    summary = "How often something failed before it worked, each attempt with the same chance."
    functions = engine(gap, failures, draw)

    @property
    def low(self) -> float:
        """It worked at once."""
        return 0.0

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is a whole number of failures."""
        count = observed(value)
        if count < 0.0 or count != int(count):
            raise InputError(f"value: {value!r} is no number of failures; give 0, 1, 2, …")
        return count

    def scales(self, K: int) -> list[float]:
        """There is no σ that holds for every mean: a unit for each arm."""
        return [1.0] * K

    def sub_gaussian(self, K: int) -> Outcome:
        """The paper's boundaries do not apply."""
        raise InputError("outcome: attempts have no σ, which glr needs; use boundary mixture")

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table at this threshold."""
        return table_at(threshold, side, levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """The means at which the certificates are just at their levels."""
        family = TiltFamily(cumulant_at, variance(threshold))
        numbers = table_at(threshold, 1.0, Levels())
        return limits_beyond(family, (seen.sums, seen.counts), threshold, numbers, (lower, upper))

    def describe(self) -> str:
        """What follows "an outcome is"."""
        return "a number of failures before a success"

    def quantile(self, u: float, mean: float) -> float:
        """The number of failures at quantile u."""
        return float(math.floor(math.log1p(-u) / (math.log(mean) - math.log1p(mean))))

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """In logarithms."""
        return threshold * np.exp(steps)

    def log_likelihoods(
        self, arm: int, total: float, count: float, means: Floats, scatter: float
    ) -> Floats:
        """Of so many failures before so many successes."""
        return total * np.log(means) - (count + total) * np.log1p(means)

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """Failures of an arm with this mean."""
        return self.quantile(chance.random(), mean)


OUTCOMES = (Attempts,)
# ------------------------------------------------------------------------------------------------


def main() -> None:
    """Ask the kit whether the model keeps the contract, then let it decide."""
    from goodarm import Experiment
    from goodarm.outcomes import registry
    from goodarm.testing import check_outcome

    registry._by_name()[Attempts.name] = Attempts  # what an entry point does
    check_outcome("attempts", threshold=3.0, paths=1000)
    print("the model keeps the contract")
    chance, means = Random(1), [5.0, 4.0, 1.5]
    study = Experiment(3, 3.0, outcome="attempts", goal="below", delta=0.05, seed=1)
    while not study.finished:
        arm = study.ask()
        assert arm is not None
        study.tell(arm, Attempts().draw_outcome(arm, means[arm], math.nan, chance))
    print(
        f"{study.t} trials: {study.names[study.conclusion or 0]} fails at most 3 times on average"
    )


if __name__ == "__main__":
    main()
