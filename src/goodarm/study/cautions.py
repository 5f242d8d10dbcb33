"""What a reader of the stated confidence must know: what was done that may break it, or not."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from goodarm.numerics import normal_cdf
from goodarm.study.fold import Fold
from goodarm.study.outcomes import Gaussian

WARNING, NOTE = "warning", "note"
SCATTER_LEVEL = 1e-3  # how unlikely the scatter must be under the declared σ to be mentioned


class Caution(NamedTuple):
    """A warning (the confidence may not hold) or a note (it does, and why)."""

    level: str
    text: str


def cautions(fold: Fold) -> tuple[Caution, ...]:
    """Everything that a reader of the study's confidence must know."""
    return tuple(_warnings(fold)) + tuple(_notes(fold))


def _warnings(fold: Fold) -> Iterator[Caution]:
    dropped = fold.tally["retracted"] - fold.tally["corrected"]
    if dropped > 0:
        yield Caution(
            WARNING,
            f"{_many(dropped, 'outcome')} retracted without a replacement. If one was dropped "
            "because of its value, the stated confidence does not hold.",
        )
    for change in fold.amendments:
        if change["told"] == 0:
            continue
        if change["what"] == "threshold":
            yield Caution(
                WARNING,
                f"The threshold was changed from {change['from']:g} to {change['to']:g} after "
                f"{change['told']} outcomes. If the outcomes suggested it, the stated confidence "
                "does not hold.",
            )
        elif change["from"] is None or change["to"] > change["from"]:
            before = "none" if change["from"] is None else f"{change['from']:g}"
            yield Caution(
                WARNING,
                f"δ was changed from {before} to {change['to']:g} after {change['told']} "
                "outcomes. Stopping at a level chosen after seeing them is not covered.",
            )
    found = _excess_scatter(fold)
    if found is not None:
        yield Caution(
            WARNING,
            f"The outcomes of an arm scatter by {found:.3g} around its mean, more than the "
            f"declared {fold.settings.outcome.sigma:g}. The stated confidence is too high.",
        )
    if not fold.rule_is_known:
        yield Caution(
            WARNING,
            f"The rule {fold.settings.algorithm} that this study began with is not installed any "
            "more: outcomes count and evidence holds, but nothing can be suggested.",
        )


def _notes(fold: Fold) -> Iterator[Caution]:
    tally = fold.tally
    if tally["corrected"]:
        yield Caution(
            NOTE,
            f"{_many(tally['corrected'], 'outcome')} corrected; the log has both values and the "
            "reason.",
        )
    if tally["imported"]:
        yield Caution(
            NOTE,
            f"{_many(tally['imported'], 'outcome')} imported. They count in full provided that "
            "none was left out because of its value.",
        )
    entered = tally["unasked"] - tally["imported"] + tally["chosen"]
    if entered > 0:
        yield Caution(
            NOTE,
            f"{_many(entered, 'trial')} chosen by a person. That does not touch the confidence, "
            "which holds for any choice of trials.",
        )
    if tally["cancelled"] or tally["expired"]:
        count = tally["cancelled"] + tally["expired"]
        yield Caution(
            NOTE,
            f"{_many(count, 'suggestion')} cancelled or expired. That is harmless unless an "
            "outcome was seen and kept back.",
        )
    if fold.going_on or tally["after the end"]:
        yield Caution(NOTE, "The study went on after its end. That does not touch the confidence.")


def _excess_scatter(fold: Fold) -> float | None:
    """The scatter within arms, where it is far above what a Gaussian study has declared."""
    sigma = fold.settings.outcome.sigma
    seen = sum(1 for count in fold.experiment.run.counts if count)
    freedom = fold.told - seen
    if not isinstance(fold.settings.outcome, Gaussian) or freedom < 5:
        return None
    variance = sum(fold.squares) / freedom
    # Wilson and Hilferty: the cube root of a χ² over its degrees of freedom is almost normal.
    spread = 2.0 / (9.0 * freedom)
    z = ((variance / sigma**2) ** (1.0 / 3.0) - (1.0 - spread)) / math.sqrt(spread)
    return math.sqrt(variance) if normal_cdf(-z) < SCATTER_LEVEL else None


def _many(count: int, what: str) -> str:
    return f"1 {what} was" if count == 1 else f"{count} {what}s were"
