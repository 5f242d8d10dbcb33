"""What programs get, field by field, and a plan as they ask for it.

What repeats a record of the study (its status, its summary) is made from that record: a field that
is added there is here by itself. What else they send is in `goodarm.remote.bodies`.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, Field, create_model

from goodarm.planning.question import COMPARED
from goodarm.remote.bodies import PlannedStudy
from goodarm.remote.plans import MOST_ALGORITHMS
from goodarm.study import Status, Summary, Trial
from goodarm.study.log.importing import Imported


class NewPlan(PlannedStudy):
    """A study to be planned; of its arms give one of means, unknown and data."""

    algorithms: list[str] = Field(list(COMPARED), min_length=1, max_length=MOST_ALGORITHMS)


class Problem(BaseModel):
    """What went wrong, in a sentence that says what to do."""

    error: str
    code: Annotated[str, Field(description="The kind of problem, in one word for programs.")]
    confirm: Annotated[
        dict[str, bool] | None,
        Field(description="If it is right all the same: send it again with these fields."),
    ] = None


@dataclass(frozen=True)
class StudyShape(Status):
    """A study at one moment; `id` is its name as it stands in addresses."""

    pending: tuple[Trial, ...]  # type: ignore[assignment]  # the trials, not only their number
    id: str = field(kw_only=True)


@dataclass(frozen=True)
class Listed(Summary):
    """A study in the list."""

    id: str


_imported: dict[str, Any] = {name: (kind, ...) for name, kind in get_type_hints(Imported).items()}
ImportShape = create_model("ImportShape", __doc__=Imported.__doc__, **_imported)


class TellBrief(BaseModel):
    """How many outcomes were recorded together."""

    told: int


class LogEntry(BaseModel):
    """One event, as its canonical text, with the hash that fixes it and all before it."""

    seq: int
    kind: str
    text: str
    hash: str


class StudyList(BaseModel):
    """Some of the studies, and how many there are."""

    total: int
    studies: list[Listed]


class EventList(BaseModel):
    """Some of the log, and the number of its last event."""

    total: int
    events: list[LogEntry]


class Parameter(BaseModel):
    """A parameter of an outcome model."""

    name: str
    meaning: str
    hint: str
    optional: bool
    per_arm: Annotated[bool, Field(description="A list with one for each arm is allowed.")]


class OutcomeModel(BaseModel):
    """What an outcome can be."""

    name: str
    form: Annotated[str, Field(description="As text; [:X] may be left out.")]
    title: str
    summary: str
    parameters: list[Parameter]
    columns: Annotated[tuple[str, str], Field(description="Of a table: those of value and size.")]
    sizes: Annotated[str, Field(description="How an outcome with a size is typed, if it can be.")]


class CandidateShape(BaseModel):
    """One outcome model: whether recorded outcomes can be its own, and why."""

    outcome: str
    fits: bool
    why: str
    confirm: Annotated[str | None, Field(description="What must be so, as only a person can know.")]
    watched: list[str]
    doubts: list[str]


class SuggestionShape(BaseModel):
    """Every outcome model with its verdict, the best first."""

    suggested: Annotated[str | None, Field(description="null where nothing fits.")]
    confirm: str | None
    arms: list[str]
    facts: dict[str, Any]
    candidates: list[CandidateShape]


class PlanShape(BaseModel):
    """The share of a plan that is done; then the plan, as `goodarm plan --json` prints it."""

    id: str
    state: str
    share: float
    error: str | None
    plan: dict[str, Any] | None
