"""Everything at once: the object that ``goodarm theory --json`` prints."""

from collections.abc import Mapping
from typing import Any

from goodarm.instance import Instance
from goodarm.theory.complexity import Complexity, complexity
from goodarm.theory.constants import error_rate_constant
from goodarm.theory.error_bounds import ErrorBound
from goodarm.theory.error_formulas import RULES
from goodarm.theory.lower_bounds import lower_bound
from goodarm.theory.sample_complexity import expected_sample_complexity
from goodarm.theory.time_uniform import time_uniform_bound
from goodarm.theory.unverifiable import STOPPABLE, unverifiable_sample_complexity
from goodarm.theory.values import CORRECTED, PRINTED

BOTH = (PRINTED, CORRECTED)


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
    bounds = {reading: {rule: ErrorBound(c, rule, reading) for rule in RULES} for reading in BOTH}
    return {
        "instance": instance.name,
        "K": c.K,
        "good_arms": c.good,
        "threshold": instance.threshold,
        "complexity": c.to_dict(),
        "error_bound": {r: _error_bounds(bounds[r], times, reasons, r) for r in BOTH},
        "error_rate_constant": {r: _constants(c, r, reasons) for r in BOTH},
        "below_one_from": {
            r: {rule: bound.below_one_from() for rule, bound in bounds[r].items()} for r in BOTH
        },
        "unverifiable": {r: _unverifiable(c, risks, r, reasons) for r in BOTH},
        "sample_complexity": {r: _sample_complexity(c, risks, r, reasons) for r in BOTH},
        "lower_bound": _lower_bounds(c, risks, reasons),
        "time_uniform": _time_uniform(c, reasons),
        "reasons": dict(reasons),
    }


def _error_bounds(
    bounds: Mapping[str, ErrorBound], times: Mapping[str, float], reasons: _Reasons, reading: str
) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for rule, bound in bounds.items():
        table[rule] = {}
        for label, t in times.items():
            at = bound.at(t)
            table[rule][label] = {"log": at.log, "value": at.value}
            reasons.note(at.reason, "error_bound", reading, rule, label)
    return table


def _constants(c: Complexity, reading: str, reasons: _Reasons) -> dict[str, float | None]:
    table: dict[str, float | None] = {}
    for rule in RULES:
        table[rule], reason = error_rate_constant(c, rule, reading)
        reasons.note(reason, "error_rate_constant", reading, rule)
    return table


def _unverifiable(
    c: Complexity, risks: Mapping[str, float], reading: str, reasons: _Reasons
) -> dict[str, dict[str, float | None]]:
    table: dict[str, dict[str, float | None]] = {rule: {} for rule in STOPPABLE}
    for rule in STOPPABLE:
        for label, risk in risks.items():
            table[rule][label], reason = unverifiable_sample_complexity(
                c, rule, reading=reading, log_inverse_delta=risk
            )
            reasons.note(reason, "unverifiable", reading, rule, label)
    return table


def _sample_complexity(
    c: Complexity, risks: Mapping[str, float], reading: str, reasons: _Reasons
) -> dict[str, dict[str, dict[str, float | None]]]:
    table: dict[str, dict[str, dict[str, float | None]]] = {rule: {} for rule in STOPPABLE}
    for rule in STOPPABLE:
        for label, risk in risks.items():
            found = expected_sample_complexity(c, rule, reading=reading, log_inverse_delta=risk)
            entry = {"C": found.C, "C_prime": found.C_prime, "bound": found.bound}
            if reading == CORRECTED:
                entry["bound_proved"] = found.bound_proved
            table[rule][label] = entry
            reasons.note(found.reason, "sample_complexity", reading, rule, label)
    return table


def _lower_bounds(
    c: Complexity, risks: Mapping[str, float], reasons: _Reasons
) -> dict[str, dict[str, float | None]]:
    table = {}
    for label, risk in risks.items():
        found = lower_bound(c, log_inverse_delta=risk)
        table[label] = {"log_form": found.log_form, "kl_form": found.kl_form}
        reasons.note(found.reason, "lower_bound", label)
    return table


def _time_uniform(c: Complexity, reasons: _Reasons) -> dict[str, float | None]:
    table: dict[str, float | None] = {}
    for reading in BOTH:
        table[reading], reason = time_uniform_bound(c, reading)
        reasons.note(reason, "time_uniform", reading)
    return table
