"""The paper's comparison by words, as functions: who dominates whom, by bounds and by simulation.

"Dominance" in the paper compares known upper bounds, smaller being better; it is no statement about
the algorithms themselves. So a ranking by bounds is shown beside one by simulated error.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.constants import error_rate_constant
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.readings import CORRECTED
from goodarm.theory.upper_bounds import find_theorem

DOMINATES, DOMINATED = "dominates", "is dominated by"
PARETO, EQUAL = "is Pareto equivalent to", "equals"
INCOMPARABLE = "cannot be compared with"


class SimulatedError(NamedTuple):
    """A simulated probability of error with the limits of its interval."""

    rate: float
    low: float
    high: float


class Ranked(NamedTuple):
    """One algorithm's ranks; None where there is nothing to rank it by. Ties share a rank."""

    algorithm: str
    anytime: bool
    constant: float | None
    rank_by_bound: int | None
    simulated: SimulatedError | None
    rank_by_simulation: int | None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data = self._asdict()
        data["simulated"] = None if self.simulated is None else self.simulated._asdict()
        return data


def ranking(
    problem: Instance | Complexity,
    simulated: Mapping[str, SimulatedError] | None = None,
    reading: str = CORRECTED,
    algorithms: Sequence[str] | None = None,
) -> list[Ranked]:
    """The algorithms by their asymptotic constants C(μ), best first, beside their simulated ranks.

    A simulated rank is 1 plus the number of algorithms that are better beyond doubt, that is, whose
    interval lies below this one's whole interval: those that the runs cannot tell apart share it.
    """
    c = complexity(problem)
    errors = dict(simulated or {})
    wanted = ERROR_THEOREMS if algorithms is None else algorithms
    names = [find_theorem(name).name for name in wanted]
    constants = {name: error_rate_constant(c, name, reading) for name in names}
    ordered = sorted(q.number for q in constants.values() if q.number is not None)
    rows = []
    for name in names:
        number, reason = constants[name]
        error = errors.get(name)
        rows.append(
            Ranked(
                algorithm=name,
                anytime=ERROR_THEOREMS[name].anytime,
                constant=number,
                rank_by_bound=None if number is None else 1 + ordered.index(number),
                simulated=error,
                rank_by_simulation=None if error is None else 1 + _better(error, errors, names),
                reason=reason,
            )
        )
    return sorted(rows, key=lambda row: (row.rank_by_bound is None, row.rank_by_bound or 0))


def _better(error: SimulatedError, errors: Mapping[str, SimulatedError], names: list[str]) -> int:
    return sum(errors[name].high < error.low for name in names if name in errors)


def compare_bounds(
    problem: Instance | Complexity, algorithm: str, other: str = "APGAI", reading: str = CORRECTED
) -> str:
    """One of the words above for two algorithms on one instance, by their asymptotic constants."""
    first = error_rate_constant(problem, algorithm, reading).number
    second = error_rate_constant(problem, other, reading).number
    if first is None or second is None:
        return INCOMPARABLE
    if first == second:
        return EQUAL
    return DOMINATES if first < second else DOMINATED


def dominance(
    problems: Iterable[Instance | Complexity],
    algorithm: str,
    other: str = "APGAI",
    reading: str = CORRECTED,
) -> str:
    """The paper's word for two algorithms over a class of instances.

    "dominates" when the bound is never larger and somewhere smaller, "is dominated by" in the
    opposite case, "is Pareto equivalent to" when each is smaller somewhere.
    """
    words = {compare_bounds(problem, algorithm, other, reading) for problem in problems}
    if INCOMPARABLE in words or not words:
        return INCOMPARABLE
    if {DOMINATES, DOMINATED} <= words:
        return PARETO
    return next((word for word in (DOMINATES, DOMINATED) if word in words), EQUAL)
