"""The certificates of one sequence of outcomes, without any study: how others can check ours."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from goodarm.errors import InputError
from goodarm.inputs import number
from goodarm.outcomes.certificate_text import certificate_html, certificate_text
from goodarm.outcomes.contract import Outcome, Reading, seen
from goodarm.outcomes.record import one_arm_run
from goodarm.outcomes.registry import find_outcome
from goodarm.showing.markup import Html
from goodarm.showing.snippet import WIDTH, Shown
from goodarm.wording import wrapped


@dataclass(frozen=True, repr=False)
class Certificate(Shown):
    """What a sequence of outcomes proves about its mean.

    `above` is ln E⁺ (against "the mean is at most θ"), `below` ln E⁻ (against "at least θ"). Each
    ever reaches ln(1/α) with probability at most α if what it speaks against is true, however
    often one looks. `lower` and `upper` are limits of the mean, each missed with probability at
    most `alpha`.
    """

    outcome: str
    threshold: float
    alpha: float
    count: int
    mean: float | None
    above: float
    below: float
    lower: float | None  # None: no limit
    upper: float | None

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain data."""
        return asdict(self)

    def _in_short(self) -> list[str]:
        lines = certificate_text(self).split("\n")
        return [short for line in lines for short in wrapped(line, WIDTH)]

    def _in_html(self) -> Html:
        return certificate_html(self)


def certificate(
    outcome: Outcome | str,
    threshold: float,
    values: Iterable[float | tuple[float, float]],
    alpha: float = 0.05,
) -> Certificate:
    """What these outcomes prove about their mean.

    One with a size is a pair: (37, 1000) for 37 yes among 1,000. The order does not matter, unless
    the model is `in_order`, as symmetric is: then outcomes must be in the order of their trials,
    and sorted ones prove nothing.

    >>> proof = certificate("bernoulli", 0.85, [1] * 42)
    >>> round(proof.above, 3), proof.lower > 0.85
    (4.528, True)
    """
    model = find_outcome(outcome)
    model.check_arms(1)
    theta = model.check_threshold(threshold)
    level = number("alpha", alpha)
    if not 0.0 < level < 1.0:
        raise InputError(f"alpha: {alpha!r} is not strictly between 0 and 1")
    run = one_arm_run(model, theta, _all_checked(model, values, theta))
    n = run.counts[0]
    amount = model.amount(n, list(run.kept)) if n else 0.0
    above = below = 0.0
    lower, upper = model.low, model.high
    if n:
        above, below = model.functions.for_good(run, 0), model.functions.for_bad(run, 0)
        low, high = model.limits(seen(run, model.memory), theta, level, level)
        lower, upper = (
            end if math.isfinite(end) else None for end in (float(low[0]), float(high[0]))
        )
    return Certificate(
        outcome=model.text(),
        threshold=theta,
        alpha=level,
        count=n,
        mean=run.sums[0] / amount if amount else None,
        above=above,
        below=below,
        lower=lower,
        upper=upper,
    )


def _all_checked(model: Outcome, values: Iterable[object], threshold: float) -> Iterator[Reading]:
    for position, value in enumerate(values, 1):
        try:
            yield _checked(model, value, threshold)
        except InputError as error:
            raise InputError(f"values: number {position}: {error}") from None


def _checked(model: Outcome, told: object, threshold: float) -> Reading:
    """An outcome, or a pair of one and its size."""
    if not isinstance(told, tuple | list):
        return model.check_sized(told, None, threshold)
    if len(told) != 2:
        raise InputError(f"value: {told!r} is not a value with its size; give two numbers")
    return model.check_sized(told[0], told[1], threshold)
