"""What an arm must clear, from wherever it was declared: a threshold, criteria, a control."""

from collections.abc import Sequence
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.inquiry import Criterion
from goodarm.inquiry.criteria import check_criteria

COLUMNS_OF_TABLES = ("trial", "arm", "at", "note")  # see `log/tables.py`
OF_THE_FIRST = ("threshold", "outcome", "goal")


def mirrored(criteria: Sequence[Criterion]) -> dict[str, Any]:
    """The settings that are those of the first criterion, where there are criteria."""
    if not criteria:
        return {}
    first = criteria[0]
    bar = first.reference if first.threshold is None else first.threshold_of(0)
    return {"threshold": bar, "outcome": first.outcome, "goal": first.goal}


def bars(checked: dict[str, Any]) -> dict[str, Any]:
    """Threshold, outcome and goal, from wherever they were given."""
    K, criteria = len(checked["arms"]), checked["criteria"]
    control, better = checked["control"], (checked["margin"], checked["lift"])
    if control is not None and control not in checked["arms"]:
        raise unknown_name("arm", control, checked["arms"])
    if criteria:
        for name in ("threshold", "outcome", "margin", "lift"):
            if checked[name] is not None:
                raise InputError(f"{name}: leave it out; each criterion has its own")
        check_criteria(criteria, K)
        for one in criteria:
            if one.name in COLUMNS_OF_TABLES:
                raise InputError(
                    f"criteria: {one.name!r} is a column of every table of outcomes; give that "
                    "measurement another name"
                )
        return mirrored(criteria)
    if checked["outcome"] is None:
        raise InputError(
            "outcome: say what an outcome is: bernoulli for yes or no, gaussian:σ for measurements"
        )
    outcome, goal, threshold = checked["outcome"], checked["goal"], checked["threshold"]
    if better != (None, None) or control is not None:
        if control is None:
            raise InputError("control: name the arm that margin or lift compares with")
        one = Criterion.declare(outcome, threshold, goal, margin=better[0], lift=better[1])
        if one.threshold is not None:
            raise InputError("threshold: with a control give margin or lift instead")
        return {"threshold": one.reference}
    if threshold is None:
        raise InputError("threshold: give the bar that an arm's mean must clear, such as 0.5")
    if isinstance(threshold, Sequence) and not isinstance(threshold, str):
        one = Criterion.declare(outcome, threshold, goal)
        check_criteria((one,), K)
        several = one.threshold if isinstance(one.threshold, tuple) else None
        return {"threshold": one.threshold_of(0), "thresholds": several}
    return {"threshold": outcome.check_threshold(threshold)}
