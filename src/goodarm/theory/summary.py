"""Everything at once: the object that ``goodarm theory --json`` prints."""

from collections.abc import Mapping
from typing import Any

from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.constants import error_rate_constant
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.lower_bounds import lower_bound
from goodarm.theory.readings import CORRECTED, PUBLISHED
from goodarm.theory.sample_complexity import expected_sample_complexity
from goodarm.theory.time_uniform import time_uniform_bound
from goodarm.theory.unverifiable import STOPPABLE, unverifiable_sample_complexity
from goodarm.theory.upper_bounds import ErrorBound

BOTH_READINGS = (PUBLISHED, CORRECTED)


class _Reasons(dict[str, str]):
    """Why a value is null, by its path in the object, such as "complexity.G2"."""

    def note(self, reason: str | None, *path: str) -> None:
        if reason is not None:
            self[".".join(path)] = reason


def theory_summary(
    instance: Instance,
    risks: Mapping[str, float] | None = None,
    times: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """All quantities of one instance as plain data; `risks` holds ln(1/δ) and `times` t by label.

    Where a value is None, "reasons" says why, by path.

    >>> from goodarm.instance import instances
    >>> theory_summary(instances["NoA2"], {"0.01": 4.60517})["lower_bound"]["0.01"]["log_form"] // 1
    843.0
    """
    c = complexity(instance)
    risks, times = dict(risks or {}), dict(times or {})
    reasons = _Reasons()
    for name, reason in c.reasons.items():
        reasons.note(reason, "complexity", name)
    bounds = {r: {name: ErrorBound(c, name, r) for name in ERROR_THEOREMS} for r in BOTH_READINGS}
    return {
        "instance": instance.name,
        "K": c.K,
        "good_arms": c.good,
        "threshold": instance.threshold,
        "complexity": c.to_dict(),
        "error_bound": {r: _error_bounds(bounds[r], times, reasons, r) for r in BOTH_READINGS},
        "error_rate_constant": {r: _constants(c, r, reasons) for r in BOTH_READINGS},
        "below_one_from": {
            r: {name: bound.below_one_from() for name, bound in bounds[r].items()}
            for r in BOTH_READINGS
        },
        "unverifiable": {r: _unverifiable(c, risks, r, reasons) for r in BOTH_READINGS},
        "sample_complexity": {r: _sample_complexity(c, risks, r, reasons) for r in BOTH_READINGS},
        "lower_bound": _lower_bounds(c, risks, reasons),
        "time_uniform": _time_uniform(c, reasons),
        "reasons": dict(reasons),
    }


def _error_bounds(
    bounds: Mapping[str, ErrorBound], times: Mapping[str, float], reasons: _Reasons, reading: str
) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for algorithm, bound in bounds.items():
        table[algorithm] = {}
        for label, t in times.items():
            at = bound.at(t)
            table[algorithm][label] = {"log": at.log, "value": at.value}
            reasons.note(at.reason, "error_bound", reading, algorithm, label)
    return table


def _constants(c: Complexity, reading: str, reasons: _Reasons) -> dict[str, float | None]:
    table: dict[str, float | None] = {}
    for algorithm in ERROR_THEOREMS:
        table[algorithm], reason = error_rate_constant(c, algorithm, reading)
        reasons.note(reason, "error_rate_constant", reading, algorithm)
    return table


def _unverifiable(
    c: Complexity, risks: Mapping[str, float], reading: str, reasons: _Reasons
) -> dict[str, dict[str, float | None]]:
    table: dict[str, dict[str, float | None]] = {algorithm: {} for algorithm in STOPPABLE}
    for algorithm in STOPPABLE:
        for label, risk in risks.items():
            table[algorithm][label], reason = unverifiable_sample_complexity(
                c, algorithm, reading=reading, log_inverse_delta=risk
            )
            reasons.note(reason, "unverifiable", reading, algorithm, label)
    return table


def _sample_complexity(
    c: Complexity, risks: Mapping[str, float], reading: str, reasons: _Reasons
) -> dict[str, dict[str, dict[str, float | None]]]:
    table: dict[str, dict[str, dict[str, float | None]]] = {name: {} for name in STOPPABLE}
    for algorithm in STOPPABLE:
        for label, risk in risks.items():
            size = expected_sample_complexity(c, algorithm, reading=reading, log_inverse_delta=risk)
            numbers = {"C": size.C, "C_prime": size.C_prime, "bound": size.bound}
            if reading == CORRECTED:
                numbers["bound_proved"] = size.bound_proved
            table[algorithm][label] = numbers
            reasons.note(size.reason, "sample_complexity", reading, algorithm, label)
    return table


def _lower_bounds(
    c: Complexity, risks: Mapping[str, float], reasons: _Reasons
) -> dict[str, dict[str, float | None]]:
    table = {}
    for label, risk in risks.items():
        least = lower_bound(c, log_inverse_delta=risk)
        table[label] = {"log_form": least.log_form, "kl_form": least.kl_form}
        reasons.note(least.reason, "lower_bound", label)
    return table


def _time_uniform(c: Complexity, reasons: _Reasons) -> dict[str, float | None]:
    table: dict[str, float | None] = {}
    for reading in BOTH_READINGS:
        table[reading], reason = time_uniform_bound(c, reading)
        reasons.note(reason, "time_uniform", reading)
    return table
