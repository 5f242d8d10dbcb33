"""Which algorithm is best here? The one that the plan's own simulation found best, if it is clear.

Algorithms are compared run by run: under one seed they meet the same means and the same rewards, so
the difference of two is known better than either of them. It is told as a share of what the
reference takes, the default algorithm or else the first one. The interval of such a ratio r is that
of the mean of X − r·Y, divided by the mean of Y (the delta method).

Another algorithm is recommended only where it is better by more than the simulation may err and by
more than anyone would change an algorithm for, and does not end without an answer more often.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm import defaults
from goodarm.algorithms import find_algorithm
from goodarm.planning.by_algorithm import Played
from goodarm.planning.simulations import Endings, Estimate, mean_of
from goodarm.wording import share

WORTH_IT = 0.02
TRIALS, ERROR_RATE = "trials", "error_rate"


class WhenToStop(Protocol):
    """What is said here of a question: how sure or how long, and when a run is given up."""

    @property
    def delta(self) -> float | None:
        """How often an answer may be wrong."""
        ...

    @property
    def limit(self) -> int:
        """The number of trials after which a run is given up."""
        ...

    def cut_off(self, stopped: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The runs that were given up though the study would go on."""
        ...


@dataclass(frozen=True)
class Recommendation:
    """The algorithm to use, why, and how the others compare with the reference in the same runs.

    Without δ it goes by wrong answers, and with it by trials: on the schedule asked for, if any.
    """

    algorithm: str
    reason: str
    measure: str  # "trials" or "error_rate"
    reference: str  # the default algorithm, or else the first
    differences: dict[str, Estimate | None]  # −0.1: a tenth less; None where the reference has none


def recommend(question: WhenToStop, played: Sequence[Played]) -> Recommendation:
    """The best of the algorithms that were simulated; in case of doubt the reference."""
    names = [each.plan.algorithm for each in played]
    reference = played[names.index(defaults.ALGORITHM) if defaults.ALGORITHM in names else 0]
    others = {each.plan.algorithm: each for each in played if each is not reference}
    differences = {
        name: ratio_of(_measured(question, each.end), _measured(question, reference.end))
        for name, each in others.items()
    }
    better = {
        name: found.value
        for name, found in differences.items()
        if found is not None and is_clearly_less(found)
        if not ends_less_often(others[name].end, reference.end)
    }
    best = min(better, key=lambda name: better[name], default=None)
    say = _say_errors if question.delta is None else _say_trials
    return Recommendation(
        algorithm=best or reference.plan.algorithm,
        reason=say(question, reference, others, differences, best),
        measure=ERROR_RATE if question.delta is None else TRIALS,
        reference=reference.plan.algorithm,
        differences=differences,
    )


def ratio_of(table: NDArray[np.float64], reference: NDArray[np.float64]) -> Estimate | None:
    """How much larger a mean is than the reference's, as a share of it, from the runs of both."""
    sets, runs = (min(sizes) for sizes in zip(table.shape, reference.shape, strict=True))
    one, other = table[:sets, :runs], reference[:sets, :runs]
    unit = float(other.mean())
    if unit == 0.0:
        return None
    ratio = float(one.mean()) / unit
    error = mean_of(one - ratio * other)
    assert error.high is not None
    return Estimate(ratio - 1.0, ratio - 1.0 + error.low / unit, ratio - 1.0 + error.high / unit)


def is_clearly_less(difference: Estimate) -> bool:
    """Beyond the error of the simulation, and worth another algorithm."""
    assert difference.high is not None
    return difference.high < 0.0 and difference.value <= -WORTH_IT


def ends_less_often(end: Endings, reference: Endings) -> bool:
    """Whether more of the runs end without an answer than the same runs of the reference."""
    more = ratio_of(end.stopped.astype(np.float64), reference.stopped.astype(np.float64))
    return more is not None and more.high is not None and more.high < 0.0


def _measured(question: WhenToStop, end: Endings) -> NDArray[np.float64]:
    return np.asarray(end.errors if question.delta is None else end.times, dtype=np.float64)


Others = dict[str, Played]
Differences = dict[str, Estimate | None]


def _say_trials(
    question: WhenToStop,
    reference: Played,
    others: Others,
    differences: Differences,
    best: str | None,
) -> str:
    name, where = reference.plan.algorithm, _where(reference)
    known = {other: found for other, found in differences.items() if found is not None}
    if best is not None:
        caution = find_algorithm(best).caution
        given_up = question.cut_off(others[best].end.stopped).any()
        counted = f" Runs given up at {question.limit:,} trials count as that." if given_up else ""
        return (
            f"{best} needs {_by(known[best])} trials than {_named(name)} {where}, if the options "
            f"are as assumed{f'; otherwise {caution}' if caution else ''}.{counted}"
        )
    mean = mean_of(reference.end.times, question.cut_off(reference.end.stopped)).in_words()
    if not known:
        return f"{name} needs {mean} trials on average {where}; no other algorithm was simulated."
    closest = min(known, key=lambda other: known[other].value)
    difference = known[closest]
    if difference.low > 0.0:
        return (
            f"{name} needs the fewest trials {where}: {mean} on average; {closest} "
            f"{_by(difference)}."
        )
    return (
        f"{_named(name)} needs {mean} trials on average {where}; no other algorithm is clearly "
        f"better ({closest}: {_by(difference)}, {_doubt(others[closest], reference, difference)})."
    )


def _say_errors(
    question: WhenToStop,
    reference: Played,
    others: Others,
    differences: Differences,
    best: str | None,
) -> str:
    name, where = reference.plan.algorithm, _where(reference)
    rates = {other: _error_rate(each) for other, each in others.items()}
    own = _error_rate(reference)
    if best is not None:
        return (
            f"{best} is wrong less often than {_named(name)} {where}: in {rates[best]} of the runs "
            f"against {own}, if the options are as assumed."
        )
    if not rates:
        return f"{name} is wrong in {own} of the runs {where}; no other algorithm was simulated."
    closest = min(others, key=lambda other: float(others[other].end.errors.mean()))
    found = differences[closest]
    if found is not None and found.low > 0.0:
        return (
            f"{name} is wrong least often {where}: in {own} of the runs; {closest} in "
            f"{rates[closest]}."
        )
    return (
        f"{_named(name)} is wrong in {own} of the runs {where}; no other algorithm is clearly "
        f"better ({closest}: {rates[closest]})."
    )


def _named(name: str) -> str:
    return f"{name} (the default)" if name == defaults.ALGORITHM else name


def _where(reference: Played) -> str:
    """ "here", or "here at 12 trials a day"."""
    schedules = reference.plan.schedules
    return f"here {schedules[-1].pace[0].lower()}{schedules[-1].pace[1:]}" if schedules else "here"


def _by(difference: Estimate) -> str:
    """ "12 % fewer", "as many", "2.3 times as many"."""
    if difference.value >= 1.0:
        return f"{1.0 + difference.value:.2g} times as many"
    per_cent = round(100.0 * abs(difference.value))
    if per_cent == 0:
        return "as many"
    return f"{per_cent} % {'more' if difference.value > 0.0 else 'fewer'}"


def _doubt(other: Played, reference: Played, difference: Estimate) -> str:
    assert difference.high is not None
    if difference.high >= 0.0 or _by(difference) == "as many":
        return "within the error of the simulation"
    if ends_less_often(other.end, reference.end):
        return "but more often without an answer"
    return "too little to matter"


def _error_rate(each: Played) -> str:
    return share(float(each.end.errors.mean()))
