"""Upper bounds on the probability of error at time t, or with budget t, in the log domain."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.errors import InputError, unknown_name
from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.error_formulas import ERROR_THEOREMS, ErrorTheorem
from goodarm.theory.quantities import Array
from goodarm.theory.readings import CORRECTED, LogBound, UndefinedError, is_published

LEAST_LOG = -1e308  # of a bound: any number above its logarithm bounds it, too
LATEST = 10**300  # a time beyond this is not looked at: the next doubling may be no double


def find_theorem(name: str) -> ErrorTheorem:
    """What the paper states about the error of that algorithm."""
    if name not in ERROR_THEOREMS:
        raise unknown_name("algorithm", name, ERROR_THEOREMS)
    return ERROR_THEOREMS[name]


class ErrorBound:
    """One algorithm's bound on one instance, in one reading, to be evaluated at times.

    >>> from goodarm.instance import instances
    >>> ErrorBound(instances["NoA2"], "APGAI").below_one_from()
    12354
    """

    def __init__(
        self, problem: Instance | Complexity, algorithm: str, reading: str = CORRECTED
    ) -> None:
        self.complexity = complexity(problem)
        self.theorem = find_theorem(algorithm)
        self.reading = reading
        self.published = is_published(reading)
        self.reason: str | None = None  # why the bound does not exist on this instance
        self.first_time = 1
        try:
            self.first_time = self.theorem.first(self.complexity, self.published)
            self._log(np.array([self.first_time + 1.0]))
        except UndefinedError as undefined:
            self.reason = str(undefined)

    def log(self, times: ArrayLike) -> Array:
        """ln of the bound at each time, not clipped; +∞ where the statement says nothing."""
        t = checked_times(times)
        result = np.full(t.shape, np.inf)
        covered = self.covers(t)
        if covered.any():
            result[covered] = self._log(t[covered])
        return result

    def covers(self, times: ArrayLike) -> NDArray[np.bool_]:
        """At which times the statement says something."""
        t = np.asarray(times, dtype=np.float64)
        held = (t >= self.first_time) & (self.reason is None)
        if self.theorem.name == "Unif" and self.published:
            held &= np.fmod(t, self.complexity.K) == 0.0
        return np.asarray(held)

    def at(self, t: float) -> LogBound:
        """The bound at one time, or None and the reason."""
        log = self.log([t])[0]
        if not np.isposinf(log):
            return LogBound(float(log))
        if self.reason is not None:
            return LogBound(None, self.reason)
        if t < self.first_time:
            return LogBound(None, f"stated from t = {self.first_time:,} on")
        return LogBound(None, f"stated at multiples of K = {self.complexity.K} only")

    def below_one_from(self) -> int | None:
        """The first time from which on the bound stays below 1; None where there is no bound."""
        if self.reason is not None:
            return None
        low = self.first_time - 1
        if self.theorem.name == "APGAI":
            # Before x = 1/2 the published formula is small for a wrong reason.
            alpha = 9.0 if self.complexity.good == 0 else (2.0 if self.published else 4.0)
            low = math.ceil(self.first_time + alpha * self.complexity.need("H1"))
        step = 1
        while self._trivial(low + step):
            low, step = low + step, 2 * step
            if low > LATEST:
                return None
        high = low + step
        while high - low > 1 and float(low) != float(high):
            middle = (low + high) // 2
            if self._trivial(middle):
                low = middle
            else:
                high = middle
        return high

    def _trivial(self, t: int) -> bool:
        return bool(self._log(np.array([float(t)]))[0] >= 0.0)

    def _log(self, t: Array) -> Array:
        with np.errstate(over="ignore", under="ignore"):
            log = self.theorem.log(self.complexity, t, self.published)
        return np.maximum(log, LEAST_LOG)


def checked_times(times: ArrayLike) -> Array:
    """The times as an array of doubles; each must be finite and at least 1."""
    t = np.asarray(times, dtype=np.float64)
    wrong = t[~((t >= 1.0) & (t < np.inf))]
    if wrong.size:
        raise InputError(f"time: {wrong.flat[0]:g} is not a finite number of at least 1")
    return t


def error_bound(
    problem: Instance | Complexity, algorithm: str, t: float, reading: str = CORRECTED
) -> LogBound:
    """The bound on the algorithm's probability of error at time t (or with budget t)."""
    return ErrorBound(problem, algorithm, reading).at(t)


def error_bounds(
    problem: Instance | Complexity, times: Sequence[float], reading: str = CORRECTED
) -> dict[str, list[LogBound]]:
    """Every algorithm's bound at every time."""
    c = complexity(problem)
    return {name: [ErrorBound(c, name, reading).at(t) for t in times] for name in ERROR_THEOREMS}
