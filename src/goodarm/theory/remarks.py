"""Plain sentences about how far the theory carries on one instance."""

from collections.abc import Mapping, Sequence

from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.lower_bounds import lower_bound
from goodarm.theory.readings import CORRECTED, is_published
from goodarm.theory.sample_complexity import expected_sample_complexity
from goodarm.theory.time_uniform import time_uniform_bound
from goodarm.theory.upper_bounds import ErrorBound


def remarks(
    problem: Instance | Complexity,
    risks: Mapping[str, float] | None = None,
    times: Sequence[float] = (),
    reading: str = CORRECTED,
) -> list[str]:
    """What a reader of the tables should know; `risks` holds ln(1/δ) by label.

    >>> from goodarm.instance import instances
    >>> remarks(instances["NoA2"], times=[700])[1]
    "APGAI's bound exceeds 1 until t = 12,354."
    """
    c = complexity(problem)
    sentences = [_answer(c)]
    if c.H1 is None:
        return [*sentences, f"Most bounds do not exist here: {c.reasons['H1']}."]
    sentences += _vacuous(c, times, reading)
    ever = time_uniform_bound(c, reading).number
    if ever is not None:
        size = f"{ever:,.3g}" if ever < 1e6 else f"{ever:.1e}"
        empty = ", above 1: it says nothing" if ever >= 1.0 else ""
        sentences.append(f"The bound on the chance that APGAI ever errs is {size}{empty}.")
    for label, risk in (risks or {}).items():
        sentences += _stopping(c, label, risk, reading)
    if not c.gaussian:
        sentences.append(
            "Some arms are sub-Gaussian but not Gaussian: U and the stopping bound allow for 2K "
            "tails in the corrected reading, and the lower bounds are those of Gaussian arms."
        )
    return sentences


def _answer(c: Complexity) -> str:
    if c.good == 0:
        return f"None of the {c.K} arms is good: the right answer is ∅."
    verb = "is" if c.good == 1 else "are"
    return f"{c.good} of {c.K} arms {verb} good: the right answer is any of them."


def _vacuous(c: Complexity, times: Sequence[float], reading: str) -> list[str]:
    """The bounds that say nothing at the earliest time asked for."""
    if not times:
        return []
    sentences = []
    for algorithm in ERROR_THEOREMS:
        bound = ErrorBound(c, algorithm, reading)
        start = bound.below_one_from()
        if start is not None and start > min(times):
            sentences.append(f"{algorithm}'s bound exceeds 1 until t = {start:,}.")
    return sentences


def _stopping(c: Complexity, label: str, risk: float, reading: str) -> list[str]:
    size = expected_sample_complexity(c, "APGAI", reading=reading, log_inverse_delta=risk)
    least = lower_bound(c, log_inverse_delta=risk).kl_form
    if size.C is None or size.C_prime is None or size.bound is None:
        return []
    sentences = []
    if least:
        sentences.append(
            f"At δ = {label} APGAI's bound on the stopping time is {size.bound / least:,.0f} "
            "times the lower bound."
        )
    if is_published(reading) and size.C_prime < size.C:
        sentences.append(
            f"At δ = {label} the published closed form C′ = {size.C_prime:,.0f} is below "
            f"C = {size.C:,.0f}, which it should bound."
        )
    elif size.bound_proved is not None:
        sentences.append(
            f"At δ = {label} the proof of APGAI's bound of {size.bound:,.0f} has a gap; "
            f"{size.bound_proved:,.0f} is proved (docs/theory.md)."
        )
    return sentences
