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
from goodarm.outcomes import Bernoulli, Outcome

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
        """One instance for each set of means."""
        if self.recorded is not None:
            return [self.recorded.altered(threshold=threshold)]
        model = self.simulated
        bar, *rows = (self._as_simulated(values) for values in (np.array(threshold), *self.means))
        sigmas = model.scales(len(self.names))
        return [
            Instance(float(bar), row.tolist(), model.name, sigmas, self.names, goal=self.goal)
            for row in rows
        ]

    @property
    def simulated(self) -> Outcome:
        """The model of the simulated outcomes, which decides when a simulated study may stop.

        Where the study's own model is no distribution to draw from, outcomes are at the ends of
        the range only, the hardest case there is, and told as 0 or 1.
        """
        model = self.outcome
        if self.recorded is not None or model.functions.draw is not None:
            return model
        if model.low is None or model.high is None:
            raise InputError(f"outcome: {model.name} outcomes cannot be drawn; give data instead")
        return Bernoulli()

    def _as_simulated(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means or a bar on the scale of the simulated outcomes."""
        if self.simulated is self.outcome:
            return values
        low, high = self.outcome.low, self.outcome.high
        assert low is not None
        assert high is not None
        return (values - low) / (high - low)


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
    return outcome.check_mean("means", low), outcome.check_mean("means", high)


def near_the_bar(count: int, threshold: float, outcome: Outcome) -> list[Guess]:
    """The family for options of which nothing is known."""
    low = -math.inf if outcome.low is None else outcome.low
    high = math.inf if outcome.high is None else outcome.high
    reaches = (NEAR_THE_BAR * sigma for sigma in outcome.scales(count))
    return [(max(threshold - reach, low), min(threshold + reach, high)) for reach in reaches]


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
