"""The paper's comparison by words, as functions: who dominates whom, by bounds and by simulation.

"Dominance" in the paper compares known upper bounds, smaller being better; it is no statement about
the rules themselves. So a ranking by bounds is shown beside one by simulated error.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from goodarm.instance import Instance
from goodarm.theory.complexity import Complexity, complexity
from goodarm.theory.constants import error_rate_constant
from goodarm.theory.error_bounds import find_rule
from goodarm.theory.error_formulas import RULES
from goodarm.theory.values import CORRECTED

DOMINATES, DOMINATED = "dominates", "is dominated by"
PARETO, EQUAL = "is Pareto equivalent to", "equals"
UNKNOWN = "cannot be compared with"


class SimulatedError(NamedTuple):
    """A simulated probability of error with the limits of its interval."""

    rate: float
    low: float
    high: float


class Ranked(NamedTuple):
    """One rule's places; a place is None where there is nothing to rank it by. Ties share one."""

    rule: str
    anytime: bool
    constant: float | None
    place_by_bound: int | None
    simulated: SimulatedError | None
    place_by_simulation: int | None
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
    rules: Sequence[str] | None = None,
) -> list[Ranked]:
    """The rules by their asymptotic constants C(μ), best first, beside their simulated places.

    A simulated place is 1 plus the number of rules that are better beyond doubt, that is, whose
    interval lies below this rule's whole interval: rules that the runs cannot tell apart share it.
    """
    c = complexity(problem)
    seen = dict(simulated or {})
    names = [find_rule(name).name for name in (RULES if rules is None else rules)]
    constants = {name: error_rate_constant(c, name, reading) for name in names}
    known = sorted(q.number for q in constants.values() if q.number is not None)
    rows = []
    for name in names:
        number, reason = constants[name]
        error = seen.get(name)
        rows.append(
            Ranked(
                rule=name,
                anytime=RULES[name].anytime,
                constant=number,
                place_by_bound=None if number is None else 1 + known.index(number),
                simulated=error,
                place_by_simulation=None if error is None else 1 + _better(error, seen, names),
                reason=reason,
            )
        )
    return sorted(rows, key=lambda row: (row.place_by_bound is None, row.place_by_bound or 0))


def _better(error: SimulatedError, seen: Mapping[str, SimulatedError], names: list[str]) -> int:
    return sum(seen[name].high < error.low for name in names if name in seen)


def compare_bounds(
    problem: Instance | Complexity, rule: str, other: str = "APGAI", reading: str = CORRECTED
) -> str:
    """One of the words above for two rules on one instance, by their asymptotic constants."""
    first = error_rate_constant(problem, rule, reading).number
    second = error_rate_constant(problem, other, reading).number
    if first is None or second is None:
        return UNKNOWN
    if first == second:
        return EQUAL
    return DOMINATES if first < second else DOMINATED


def dominance(
    problems: Iterable[Instance | Complexity],
    rule: str,
    other: str = "APGAI",
    reading: str = CORRECTED,
) -> str:
    """The paper's word for two rules over a class of instances.

    "dominates" when the bound is never larger and somewhere smaller, "is dominated by" in the
    opposite case, "is Pareto equivalent to" when each is smaller somewhere.
    """
    words = {compare_bounds(problem, rule, other, reading) for problem in problems}
    if UNKNOWN in words or not words:
        return UNKNOWN
    if {DOMINATES, DOMINATED} <= words:
        return PARETO
    return next((word for word in (DOMINATES, DOMINATED) if word in words), EQUAL)
