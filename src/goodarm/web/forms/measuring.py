"""What is typed as the outcome of a trial: one value, or one for each of several measurements."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from goodarm.errors import InputError
from goodarm.inquiry import Criterion
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Reading
from goodarm.study import Study
from goodarm.study.actions import unlikely
from goodarm.study.settings import Settings
from goodarm.web.forms.typed import inputs_named
from goodarm.wording import figure

ONE = "value"  # the input of the only measurement; of several there are value1, value2, …
FAR_OUT = 100.0  # times the magnitude of what was there before: such a number is asked about
_COUNT = re.compile(r"([0-9.]+) +of +([0-9.]+)")
_INPUT = re.compile(r"value[0-9]{0,2}|count|of")


@dataclass(frozen=True)
class Measurement:
    """One of them: its input on the page, and its criterion."""

    input: str
    criterion: Criterion

    @property
    def name(self) -> str:
        """What it is called."""
        return self.criterion.name

    @property
    def outcome(self) -> Outcome:
        """What it can be."""
        return self.criterion.outcome

    @property
    def is_yes_or_no(self) -> bool:
        """Whether two buttons will do."""
        return is_yes_or_no(self.outcome, self.criterion.reference)


def measurements(settings: Settings) -> tuple[Measurement, ...]:
    """Those of a study; where there is one, it has no name."""
    if not settings.criteria:
        return (Measurement(ONE, settings.every_criterion[0]),)
    named = enumerate(settings.criteria, 1)
    return tuple(Measurement(f"{ONE}{number}", criterion) for number, criterion in named)


def is_yes_or_no(outcome: Outcome, threshold: float) -> bool:
    """Whether 0 and 1 are all the outcomes there can be, so that two buttons will do."""
    if (outcome.low, outcome.high) != (0.0, 1.0):
        return False
    try:
        outcome.check(0.5, threshold)
    except InputError:
        return True
    return False


def read_outcome(study: Study, one: Measurement, text: str, sure: bool) -> Reading:
    """An outcome as its model reads it: 0.7, 37/1000, 5+; and 37 of 1000.

    What is far out is asked about, also where the model knows too little to be surprised.
    """
    outcome = one.outcome
    told, size = outcome.read(_COUNT.sub(r"\1/\2", text.strip())), study.magnitude
    outcome.check_sized(*told, one.criterion.reference)
    if (
        not sure
        and not outcome.knows_scatter
        and math.isfinite(told.unit)
        and abs(told.unit) > FAR_OUT * size > 0.0
    ):
        raise unlikely(
            f"{told.unit:g} is {figure(int(abs(told.unit) / size))} times as large as any average "
            "so far, and as the bar"
        )
    return told


Told = tuple[float | dict[str, float], float | dict[str, float] | None]
"""Value and size, as `Study.tell` takes them."""


def read_told(study: Study, typed: Mapping[str, str], sure: bool) -> Told:
    """What was typed into the inputs of a trial; of several measurements some may be missing."""
    asked = measurements(study.settings)
    if not study.settings.criteria:
        told = read_outcome(study, asked[0], _one(typed), sure)
        return told.value, told.size
    values: dict[str, float] = {}
    sizes: dict[str, float] = {}
    for one in asked:
        text = typed.get(one.input, "").strip()
        if not text:
            continue
        try:
            values[one.name], size = read_outcome(study, one, text, sure)
        except InputError as error:
            raise type(error)(f"{one.name}: {str(error).removeprefix('value: ')}") from None
        if size != 1.0:
            sizes[one.name] = size
    if not values:
        raise InputError("value: nothing is filled in; type what is known by now")
    return values, sizes or None


def told_texts(asked: Sequence[Measurement], told: Told) -> list[str]:
    """An outcome as a table has it: a cell for each measurement, empty where there is none."""
    value, size = told
    if not isinstance(value, dict):
        return [asked[0].outcome.write(Reading(value, size if isinstance(size, float) else 1.0))]
    sizes = size if isinstance(size, dict) else {}
    return [
        one.outcome.write(Reading(value[one.name], sizes.get(one.name, 1.0)))
        if one.name in value
        else ""
        for one in asked
    ]


def _one(typed: Mapping[str, str]) -> str:
    """A value, or so many yes of so many."""
    count, of = typed.get("count", ""), typed.get("of", "")
    return f"{count.strip()}/{of.strip()}" if count or of else typed.get(ONE, "")


TypedValues = Annotated[dict[str, str], Depends(inputs_named(_INPUT))]
"""What was typed into the inputs of a trial, by their names."""
