"""What programs and agents send, field by field.

What repeats the settings of a study is made from them: one that is added there is here by itself.
"""

import math
import types
from collections.abc import Iterable
from dataclasses import MISSING
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError

from goodarm.inquiry import Criterion
from goodarm.outcomes import Outcome, outcomes
from goodarm.study.arms import ArmDetails
from goodarm.study.settings import Settings, declared_settings
from goodarm.study.tags import MOST_TAGS

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole = Annotated[int, Field(strict=True)]
Sure = Annotated[
    bool,
    Field(
        strict=True,
        description="Record it even if the declared outcome model makes it very unlikely.",
    ),
]
FORMS = ", ".join(model.form() for model in outcomes.values())
MOST_OUTCOMES = 100_000  # in one request
MOST_LISTED = 10_000  # trials in one answer
MOST_PLANNED = 200  # arms of a plan


def _number_or(several: type, or_null: bool = False) -> BeforeValidator:
    """What may be one number or `several`: one that is neither is refused as a number would be."""

    def check(value: object) -> object:
        if value is None and or_null:
            return value
        many = isinstance(value, several)
        for one in _entries(value) if many else (value,):
            if isinstance(one, bool) or not isinstance(one, int | float):
                raise PydanticCustomError("float_type", "give a number")
            if isinstance(one, float) and not math.isfinite(one):
                raise PydanticCustomError("finite_number", "give a finite number")
        return value

    return BeforeValidator(check)


def _entries(value: Any) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


Size = Annotated[
    Number | dict[str, Number] | None,
    _number_or(dict, or_null=True),
    Field(
        description="What the value is out of, where the outcome model has sizes: 37 successes of "
        "1000 trials, 3 events in an exposure of 2.5; 0 for a duration that is still running. By "
        "measurement where a trial has several."
    ),
]
Key = Annotated[
    str | None, Field(description="Repeating a request with the same key changes nothing.")
]


Value = Annotated[
    Number | dict[str, Number],
    _number_or(dict),
    Field(description="What came out; by measurement where a trial has several."),
]


class Sent(BaseModel):
    """A body; a field that is not known is an error, since it was meant to do something."""

    model_config = ConfigDict(extra="forbid")


class OutcomeData(BaseModel):
    """An outcome model with its parameters by name; one that may differ by arm can be a list.

    Parameters that are optional may be left out, or null.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Number | list[Number] | None]

    kind: Annotated[str, Field(description="The model's name.", examples=["gaussian"])]


def _text_or_object(value: object) -> object:
    """Anything else would be refused in terms of the two types that it could have been."""
    if isinstance(value, str | dict | OutcomeData):
        return value
    raise PydanticCustomError(
        "outcome",
        "give the text of an outcome model, such as bernoulli, or an object with kind and "
        "parameters",
    )


Declared = Annotated[str | OutcomeData, BeforeValidator(_text_or_object)]


class OptionDetails(Sent):
    """What is known of an option besides its name."""

    label: Annotated[str | None, Field(description="A longer name.", examples=["Low dose"])] = None
    cost: Annotated[Number | None, Field(description="What a trial costs.", examples=[2.5])] = None
    note: Annotated[str | None, Field(description="A remark.", examples=["since May"])] = None


AS_SENT: dict[Any, Any] = {
    # Nothing is converted: true is not 1, and "1" is not a number.
    float: Number,
    int: Whole,
    tuple[str, ...]: list[str],
    tuple[Criterion, ...]: list[str],
    tuple[ArmDetails, ...]: dict[str, OptionDetails],
    Outcome: Annotated[
        Declared, Field(examples=["bernoulli", {"kind": "gaussian", "sigma": [0.2, 0.3]}])
    ],
}
MODELS = f"{FORMS}; or an object with kind and parameters, in which one for each arm is a list"


def _as_sent(annotation: Any, is_optional: bool) -> Any:
    """The type of a field of a body, from that of a setting."""
    if get_origin(annotation) in (Union, types.UnionType):
        parts = get_args(annotation)
        return Union[tuple(_as_sent(part, False) for part in parts)]  # noqa: UP007
    plain = AS_SENT.get(annotation, annotation)
    return plain | None if is_optional else plain


def _declared_fields() -> dict[str, Any]:
    """Every setting of a study as a field: its type, its meaning, its default."""
    hints = get_type_hints(Settings)
    declared = {}
    for setting in declared_settings():
        kind = _as_sent(hints[setting.name], setting.default is None)
        if setting.metadata["per_arm"]:
            kind = Annotated[kind | list[Number], _number_or(list, or_null=True)]
        meaning = Field(description=setting.metadata["help"].replace("MODELS", MODELS))
        default = ... if setting.default is MISSING else setting.default
        if default == ():  # an empty list, or an object without entries
            default = get_origin(kind)()
        declared[setting.name] = (Annotated[kind, meaning], default)
    return declared


if TYPE_CHECKING:

    class NewStudy(Sent):
        """A study to create: its name and all its settings."""

        name: str
        key: str | None
        outcome: str | OutcomeData | None

else:
    NewStudy = create_model(
        "NewStudy",
        __base__=Sent,
        __doc__="A study to create.",
        name=(str, ...),
        key=(Key, None),
        **_declared_fields(),
    )


class Ask(Sent):
    """A request for suggestions."""

    n: Annotated[Whole, Field(ge=1, le=10_000, description="How many.")] = 1
    arm: Annotated[str | None, Field(description="This arm, whatever is suggested.")] = None
    lease: Annotated[Number | None, Field(description="Seconds until they expire.")] = None
    key: Key = None


class Tell(Sent):
    """An outcome: of a trial by its number, or of an arm by its name."""

    trial: Annotated[Whole | None, Field(description="The trial's number, or else an arm.")] = None
    arm: Annotated[str | None, Field(description="An arm that was tried unasked.")] = None
    value: Value
    size: Size = None
    at: Annotated[str | None, Field(description="When it was observed, ISO 8601.")] = None
    note: str | None = None
    key: Key = None
    sure: Sure = False


class Pair(Sent):
    """A trial by its number, or an arm by its name, and what came out."""

    trial: Annotated[Whole | None, Field(description="The trial's number, or else an arm.")] = None
    arm: Annotated[str | None, Field(description="An arm that was tried unasked.")] = None
    value: Value
    size: Size = None


class TellMany(Sent):
    """Outcomes that came in together: they count at one moment, all or none."""

    outcomes: Annotated[
        list[Pair],
        Field(
            min_length=1,
            max_length=MOST_OUTCOMES,
            description=f"Trials or arms, each with its value; at most {MOST_OUTCOMES:,}.",
        ),
    ]
    brief: Annotated[
        bool,
        Field(
            strict=True,
            description="Answer with the number of outcomes only, not with the trials; needed for "
            f"more than {MOST_LISTED:,}.",
        ),
    ] = False
    key: Key = None
    sure: Sure = False


class Cancel(Sent):
    """A suggestion to withdraw."""

    trial: Whole
    reason: str | None = None
    key: Key = None


class CancelAll(Sent):
    """The withdrawal of every suggestion whose outcome is awaited."""

    reason: str | None = None
    key: Key = None


class Retract(Sent):
    """An outcome to take back."""

    trial: Whole
    reason: str
    key: Key = None


class Correct(Sent):
    """An outcome to replace."""

    trial: Whole
    value: Value
    size: Size = None
    reason: str
    note: str | None = None
    sure: Sure = False
    key: Key = None


class Rename(Sent):
    """Another name for a study."""

    name: Annotated[str, Field(description="The new name, which no other study has.")]
    reason: str | None = None
    key: Key = None


class Archive(Sent):
    """Lists are to leave the study out, or to have it again."""

    reason: str | None = None
    key: Key = None


class Tag(Sent):
    """Tags to add, and tags to remove."""

    add: Annotated[list[str], Field(max_length=MOST_TAGS, description="Tags to add.")] = []
    remove: Annotated[list[str], Field(max_length=MOST_TAGS, description="Tags to remove.")] = []
    key: Key = None


class Renew(Sent):
    """More time for a trial that is still being made."""

    trial: Whole
    lease: Annotated[Number, Field(description="Seconds from now until it expires.")]


class Extend(Sent):
    """How the study is to go on."""

    trials: Annotated[Whole | None, Field(description="How many more trials.")] = None
    delta: Annotated[Number | None, Field(description="Until sure at 1 − δ.")] = None
    reason: str | None = None
    key: Key = None


class Amend(Sent):
    """Another threshold, another stopping rule, or both."""

    threshold: Annotated[Number | None, Field(description="The new threshold.")] = None
    boundary: Annotated[str | None, Field(description="The new stopping rule: mixture or glr.")] = (
        None
    )
    reason: str
    key: Key = None


class AddArm(OptionDetails):
    """One more arm, while the study is under way."""

    arm: Annotated[str, Field(description="Its name, which no arm has had before.")]
    threshold: Annotated[
        Number | dict[str, Number] | None,
        _number_or(dict, or_null=True),
        Field(
            description="Its bar, where every arm has its own; by measurement where there are "
            "several."
        ),
    ] = None
    reason: str
    key: Key = None


class RetireArm(Sent):
    """An arm to be taken out: not tried any more, and not to be named."""

    arm: Annotated[str, Field(description="Its name.")]
    reason: str
    key: Key = None


class Stop(Sent):
    """The end, with its reason."""

    reason: str
    key: Key = None


class Import(Sent):
    """Past outcomes; all are entered, or none."""

    csv: Annotated[str, Field(description="Lines under a header: arm,value and maybe at,note.")]
    source: Annotated[
        str | None, Field(description="Lines of a source that are there already stay alone.")
    ] = None
    sure: Sure = False


class PlannedStudy(Sent):
    """A study to be planned; of its arms give one of means, unknown and data."""

    means: Annotated[
        list[Number | str] | None,
        Field(
            max_length=MOST_PLANNED,
            description="One guess per arm: a number, or a range as 0.3..0.6.",
        ),
    ] = None
    unknown: Annotated[Whole | None, Field(description="No guess: how many arms there are.")] = None
    data: Annotated[
        str | None, Field(description="Recorded outcomes: CSV text with columns arm, value.")
    ] = None
    threshold: Annotated[Number, Field(description="The threshold that a mean must clear.")]
    outcome: Annotated[Declared, Field(description=f"{MODELS}.", examples=["bernoulli"])]
    scatter: Annotated[
        Number | None,
        Field(description="A guess of the standard deviation, where the outcome says nothing."),
    ] = None
    goal: Annotated[str, Field(description="above or below.")] = "above"
    names: Annotated[list[str] | None, Field(description="The arms' names.")] = None
    delta: Annotated[Number | None, Field(description="Stop when sure at 1 − δ.")] = None
    budget: Annotated[Whole | None, Field(description="At most this many trials.")] = None
    batch: Annotated[Whole | None, Field(description="Also in batches of this size.")] = None
    per_day: Annotated[Whole | None, Field(description="Also with this many trials a day.")] = None
    delay: Annotated[
        Whole, Field(description="Outcomes are known this many days (or else batches) later.")
    ] = 0
    runs: Annotated[Whole | None, Field(description="Simulate this many runs of each.")] = None
    seed: Whole = 0


class Recorded(Sent):
    """Recorded outcomes to look at."""

    data: Annotated[
        str,
        Field(description="CSV text with columns arm, value, or arm and the columns of a model."),
    ]
    threshold: Annotated[
        Number | None, Field(description="The threshold, if it is known already.")
    ] = None
