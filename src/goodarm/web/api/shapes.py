"""What programs send and get, field by field."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from goodarm import defaults
from goodarm.outcomes import outcomes
from goodarm.planning.planner import RECOMMENDED
from goodarm.study import ArmReport, Trial
from goodarm.study.settings import AS_ASKED, MIXTURE

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole = Annotated[int, Field(strict=True)]
Sure = Annotated[
    bool,
    Field(strict=True, description="Record it though the declared outcome makes it unlikely."),
]
FORMS = ", ".join(model.form() for model in outcomes.values())
Key = Annotated[
    str | None, Field(description="Repeating a request with the same key changes nothing.")
]


class Sent(BaseModel):
    """A body; a field that is not known is an error, since it was meant to do something."""

    model_config = ConfigDict(extra="forbid")


class OutcomeData(BaseModel):
    """An outcome model with its parameters by name; one that may differ by arm can be a list."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Number | list[Number]]

    kind: Annotated[str, Field(description="The model's name.", examples=["gaussian"])]


class NewStudy(Sent):
    """A study to create."""

    name: str
    arms: Annotated[list[str], Field(description="The options' names.")]
    threshold: Annotated[Number, Field(description="The bar that a mean must clear.")]
    outcome: Annotated[
        str | OutcomeData,
        Field(
            description=f"What an outcome is: {FORMS}; or an object with kind and parameters, "
            "in which one for each arm is a list.",
            examples=["bernoulli", {"kind": "gaussian", "sigma": [0.2, 0.3]}],
        ),
    ]
    delta: Annotated[Number | None, Field(description="End by itself when sure at 1 − δ.")] = None
    algorithm: str = defaults.ALGORITHM
    goal: Annotated[str, Field(description="above or below.")] = "above"
    boundary: Annotated[
        str, Field(description="The stopping rule: mixture, or glr, the paper's.")
    ] = MIXTURE
    decide: Annotated[
        str,
        Field(
            description="When an outcome counts: as-asked (once those of its arm asked before it "
            "are known) or as-told (at once; delays must have nothing to do with values)."
        ),
    ] = AS_ASKED
    budget: Annotated[Whole | None, Field(description="Suggest at most so many trials.")] = None
    lease: Annotated[Number | None, Field(description="Seconds until a suggestion expires.")] = None
    seed: Whole | None = None


class Ask(Sent):
    """A request for suggestions."""

    n: Annotated[Whole, Field(ge=1, le=10_000, description="How many.")] = 1
    arm: Annotated[str | None, Field(description="This arm, whatever the rule says.")] = None
    lease: Annotated[Number | None, Field(description="Seconds until they expire.")] = None
    key: Key = None


class Tell(Sent):
    """An outcome: of a trial by its number, or of an arm by its name."""

    trial: Annotated[Whole | None, Field(description="The trial's number, or else an arm.")] = None
    arm: Annotated[str | None, Field(description="An arm that was tried unasked.")] = None
    value: Annotated[Number, Field(description="What came out.")]
    at: Annotated[str | None, Field(description="When it was observed, ISO 8601.")] = None
    note: str | None = None
    key: Key = None
    sure: Sure = False


class Pair(Sent):
    """A trial and what came out."""

    trial: Annotated[Whole, Field(description="The trial's number.")]
    value: Number


class TellMany(Sent):
    """Outcomes that came in together: they count at one moment, all or none."""

    outcomes: Annotated[
        list[Pair],
        Field(min_length=1, max_length=10_000, description="Trials, each with its value."),
    ]
    sure: Sure = False


class Cancel(Sent):
    """A suggestion to withdraw."""

    trial: Whole
    reason: str | None = None


class Retract(Sent):
    """An outcome to take back."""

    trial: Whole
    reason: str


class Correct(Sent):
    """An outcome to replace."""

    trial: Whole
    value: Number
    reason: str
    note: str | None = None
    sure: Sure = False


class Extend(Sent):
    """How the study is to go on."""

    trials: Annotated[Whole | None, Field(description="So many more.")] = None
    delta: Annotated[Number | None, Field(description="Until sure at 1 − δ.")] = None
    reason: str | None = None
    key: Key = None


class Amend(Sent):
    """Another threshold, another stopping rule, or both."""

    threshold: Annotated[Number | None, Field(description="The new bar.")] = None
    boundary: Annotated[str | None, Field(description="The new rule: mixture or glr.")] = None
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


class ImportShape(BaseModel):
    """What an import did."""

    added: int
    already: int


class NewPlan(Sent):
    """A study to be planned; of its options give one of means, unknown and data."""

    means: Annotated[
        list[Number | str] | None,
        Field(max_length=200, description="A guess an option: a number, or a range as 0.3..0.6."),
    ] = None
    unknown: Annotated[Whole | None, Field(description="No guess: so many options.")] = None
    data: Annotated[
        str | None, Field(description="Recorded outcomes: CSV text with columns arm, value.")
    ] = None
    threshold: Annotated[Number, Field(description="The bar that a mean must clear.")]
    outcome: Annotated[str, Field(description=f"{FORMS}.", examples=["bernoulli"])]
    goal: Annotated[str, Field(description="above or below.")] = "above"
    names: Annotated[list[str] | None, Field(description="The options' names.")] = None
    delta: Annotated[Number | None, Field(description="Stop when sure at 1 − δ.")] = None
    budget: Annotated[Whole | None, Field(description="At most so many trials.")] = None
    algorithms: Annotated[list[str], Field(min_length=1, max_length=3)] = list(RECOMMENDED)
    batch: Annotated[Whole | None, Field(description="Also in batches of this size.")] = None
    per_day: Annotated[Whole | None, Field(description="Also with so many trials a day.")] = None
    delay: Annotated[
        Whole, Field(description="Outcomes are known so many days (or else batches) later.")
    ] = 0
    studies: Annotated[Whole | None, Field(description="Simulate so many of each.")] = None
    seed: Whole = 0


class Problem(BaseModel):
    """What went wrong, in a sentence that says what to do."""

    error: str
    confirm: Annotated[
        dict[str, bool] | None,
        Field(description="If it is right all the same: send it again with these fields."),
    ] = None


class CautionShape(BaseModel):
    """A warning (the confidence may not hold) or a note (it does, and why)."""

    level: str
    text: str


class StudyShape(BaseModel):
    """A study at one moment; `id` is its name as it stands in addresses."""

    id: str
    name: str
    state: str
    meaning: str
    answer: str | None
    confidence: float
    delta: float | None
    decided: bool
    decision: str | None
    next_arm: str | None
    trials: int
    pending: list[Trial]
    limit: int | None
    boundary: Annotated[float | None, Field(description="What |W| must reach, with glr.")]
    rule: Annotated[str, Field(description="The stopping rule: mixture or glr.")]
    decide: Annotated[str, Field(description="When an outcome counts: as-asked or as-told.")]
    waiting: Annotated[int, Field(description="Outcomes that were told, but do not count yet.")]
    waiting_for: Annotated[list[int], Field(description="The open trials that they wait for.")]
    interval_delta: float
    simultaneous: Annotated[
        bool, Field(description="Whether the limits hold for all arms and both sides together.")
    ]
    arms: list[ArmReport]
    cautions: list[CautionShape]
    threshold: float
    goal: str
    outcome: str
    algorithm: str
    seed: int
    stopped: str | None
    created_at: str
    updated_at: str
    events: int
    head: str


class Listed(BaseModel):
    """A study in the list."""

    id: str
    name: str
    state: str
    arms: int
    told: int
    open: int
    answer: str | None
    confidence: float
    created_at: str
    updated_at: str
    events: int
    head: str


class LogEntry(BaseModel):
    """One event, as its canonical text, with the hash that fixes it and all before it."""

    seq: int
    kind: str
    text: str
    hash: str


class PlanShape(BaseModel):
    """The share of a plan that is done; then the plan, as `goodarm plan --json` prints it."""

    id: str
    state: str
    share: float
    error: str | None
    plan: dict[str, Any] | None
