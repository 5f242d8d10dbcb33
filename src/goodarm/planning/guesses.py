"""From guesses about the options to instances that can be simulated.

A guess is a mean, or a range from which a mean is drawn for each simulated study. Who has no
guess gets a family: every mean is drawn uniformly within σ/2 of the bar, as far as outcomes go.
That is the scale of the paper's own instances (means within ±0.5 of the bar at σ = 1).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.instance import Instance
from goodarm.study.outcomes import Gaussian, Outcome

NEAR_THE_BAR = 0.5  # in units of σ
DRAWS = 100  # sets of means, where there is anything to draw

Guess = float | str | tuple[float, float]


@dataclass(frozen=True)
class Options:
    """The options as they may be: sets of means, or recorded outcomes to draw from."""

    names: tuple[str, ...]
    outcome: Outcome
    goal: str
    means: NDArray[np.float64]  # one row a set
    ranges: tuple[tuple[float, float], ...]
    recorded: Instance | None = None

    def instances(self, threshold: float) -> list[Instance]:
        """One instance for each set of means, "above the bar" being good in all of them."""
        if self.recorded is not None:
            return [self.recorded.altered(threshold=threshold)]
        kind = "gaussian" if isinstance(self.outcome, Gaussian) else "bernoulli"
        sigma = self.outcome.sigma if isinstance(self.outcome, Gaussian) else 0.5
        bar = float(self._as_simulated(np.array(threshold)))
        rows = self._as_simulated(self.means)
        return [
            Instance(bar, row.tolist(), kind=kind, sigma=sigma, names=self.names) for row in rows
        ]

    def _as_simulated(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bounded outcomes as if all were lo or hi, scaled to 0 or 1; less is more for `below`."""
        if isinstance(self.outcome, Gaussian):
            return values if self.goal == "above" else -values
        low, high = self.outcome.low, self.outcome.high
        scaled = (values - low) / (high - low)
        return scaled if self.goal == "above" else 1.0 - scaled


def read_guess(guess: Guess, outcome: Outcome) -> tuple[float, float]:
    """The least and the greatest mean that a guess allows: 0.4, "0.3..0.6" or (0.3, 0.6)."""
    parts: Sequence[object]
    if isinstance(guess, str):
        parts = guess.split("..")
    elif isinstance(guess, tuple | list):
        parts = guess
    else:
        parts = [guess]
    if len(parts) not in (1, 2):
        raise _unreadable(guess)
    low, high = _number(parts[0], guess), _number(parts[-1], guess)
    if low > high:
        raise InputError(f"means: in the range {guess!r} the first number is the larger one")
    if not isinstance(outcome, Gaussian) and not outcome.low <= low <= high <= outcome.high:
        raise InputError(
            f"means: {guess!r} is not between {outcome.low:g} and {outcome.high:g}, where the "
            f"means of {outcome.kind} outcomes lie"
        )
    return low, high


def near_the_bar(count: int, threshold: float, outcome: Outcome) -> list[Guess]:
    """The family for options of which nothing is known."""
    reach = NEAR_THE_BAR * outcome.sigma
    low, high = threshold - reach, threshold + reach
    if not isinstance(outcome, Gaussian):
        low, high = max(low, outcome.low), min(high, outcome.high)
    return [(low, high)] * count


def draw_means(ranges: Sequence[tuple[float, float]], seed: int) -> NDArray[np.float64]:
    """Sets of means, one row each; a single row when no guess leaves anything to chance."""
    low, high = (np.array(side, dtype=np.float64) for side in zip(*ranges, strict=True))
    if (low == high).all():
        return low[None, :]
    return np.random.default_rng(seed).uniform(low, high, size=(DRAWS, len(low)))


def _number(part: object, guess: object) -> float:
    if isinstance(part, bool):
        raise _unreadable(guess)
    try:
        value = float(part)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise _unreadable(guess) from None
    if not math.isfinite(value):
        raise InputError(f"means: {guess!r} is not finite")
    return value


def _unreadable(guess: object) -> InputError:
    return InputError(f"means: {guess!r} is neither a number nor a range such as 0.3..0.6")
