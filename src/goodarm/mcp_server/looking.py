"""Tools that look: nothing is changed by any of them."""

from dataclasses import fields
from typing import Annotated, Any

from pydantic import Field

from goodarm.mcp_server.answers import Answer, answer, whole_status
from goodarm.mcp_server.contract import OfStudy, ToolEntry
from goodarm.mcp_server.workplace import Visit
from goodarm.outcomes import outcomes
from goodarm.remote.acting import forecast_of
from goodarm.remote.bodies import Sent, Whole
from goodarm.study.log.events import Event, Stored, read_event
from goodarm.study.report.status_text import forecast_text, verification_text
from goodarm.wording import counted

MOST_STUDIES = 200
MOST_EVENTS = 200
LONGEST_EVENT = 4_000  # characters


class ListTool(Sent):
    """Which studies to list."""

    search: Annotated[str, Field(max_length=200, description="A part of the name.")] = ""
    limit: Annotated[Whole, Field(ge=1, le=MOST_STUDIES, description="At most this many.")] = 50


class StatusTool(OfStudy):
    """Which study, and which limits."""

    simultaneous: Annotated[
        bool, Field(description="Limits that hold for all arms and both sides together.")
    ] = False


class VerifyTool(OfStudy):
    """Which study, and what its log must still contain."""

    head: Annotated[
        str | None,
        Field(max_length=200, description="A head hash noted earlier, to see that it is there."),
    ] = None


class LogTool(OfStudy):
    """Which part of a study's log."""

    after: Annotated[Whole, Field(ge=0, description="Only events after this number.")] = 0
    limit: Annotated[Whole, Field(ge=1, le=MOST_EVENTS, description="At most this many.")] = 50


def list_outcome_models(visit: Visit, body: Sent) -> Answer:
    """What an outcome can be."""
    models = [
        {
            "name": model.name,
            "form": model.form(),
            "title": model.title,
            "summary": model.summary,
            "parameters": {field.name: field.metadata.get("help", "") for field in fields(model)},
            "sizes": model.size_form,
        }
        for model in outcomes.values()
    ]
    names = ", ".join(str(model["name"]) for model in models)
    return answer(f"An outcome can be {names}; yes or no is bernoulli.", models=models)


def list_studies(visit: Visit, body: ListTool) -> Answer:
    """Studies by name."""
    found = [each.to_dict() for each in visit.studies.list(body.search or None, body.limit)]
    some = "There is no such study." if not found else f"{counted(len(found), 'study', 'studies')}."
    return answer(some, studies=found)


def status(visit: Visit, body: StatusTool) -> Answer:
    """Where a study stands."""
    return whole_status(visit.open(body.study), body.simultaneous)


def forecast(visit: Visit, body: OfStudy) -> Answer:
    """How many more trials."""
    expected = forecast_of(visit.open(body.study))
    return answer(forecast_text(expected).replace("\n", " "), **expected.to_dict())


def log(visit: Visit, body: LogTool) -> Answer:
    """What happened in a study."""
    events = [
        _event(read_event(stored.text), stored)
        for stored in visit.open(body.study).events(body.after, body.limit)
    ]
    return answer(f"{counted(len(events), 'event')} after number {body.after}.", events=events)


def _event(event: Event, stored: Stored) -> dict[str, Any]:
    """An event; what one says that creates a study with thousands of arms is left out."""
    is_long = len(stored.text) > LONGEST_EVENT
    return {
        "seq": event.seq,
        "kind": event.kind,
        "at": event.at,
        "by": event.by,
        "body": {} if is_long else event.body,
        "body_left_out": is_long,
        "hash": stored.hash,
    }


def verify(visit: Visit, body: VerifyTool) -> Answer:
    """Whether a study's log is sound."""
    audit = visit.open(body.study).verify(body.head)
    return answer(verification_text(audit).replace("\n", " "), **audit.to_dict())


TOOLS = (
    ToolEntry(
        "list_outcome_models",
        "Which kinds of outcomes there are",
        "Lists the outcome models: what one outcome of a trial can be (yes or no, a bounded score, "
        "a measurement, a count, a duration), how each is written, and its parameters. Call it "
        "before create_study or plan if you are not sure what to give as `outcome`.",
        Sent,
        list_outcome_models,
    ),
    ToolEntry(
        "list_studies",
        "List studies",
        "Lists the studies in the database, the latest changed first: name, state, number of "
        "outcomes told, answer and confidence. Call it to find a study's exact name.",
        ListTool,
        list_studies,
    ),
    ToolEntry(
        "status",
        "Where a study stands",
        "Says where one study stands: the decision if there is one, otherwise the best guess and "
        "how sure one may be of it (confidence, 0 to 1), each arm's count, mean and limits in the "
        "outcome's own units, what is pending, warnings, and what to try next. Looking as often "
        "as you like does no harm: confidence and limits hold at all times together.",
        StatusTool,
        status,
    ),
    ToolEntry(
        "forecast",
        "How many more trials",
        "Simulates how a study that is under way may go on: about how many more trials until it "
        "is sure (median and range), and how it may end. Takes about a second. For a study that "
        "has not begun, use plan.",
        OfStudy,
        forecast,
    ),
    ToolEntry(
        "log",
        "What happened in a study",
        "Reads a study's append-only log, event by event (created, asked, told, corrected, "
        "stopped …), each with the hash that fixes it and all before it. For questions about who "
        "did what and when.",
        LogTool,
        log,
    ),
    ToolEntry(
        "verify",
        "Audit a study",
        "Audits a study's log: checks the chain of hashes and derives every suggestion anew. "
        "`ok` is true if nothing was altered. Give a head hash that was noted earlier to be sure "
        "that nothing after it was cut off.",
        VerifyTool,
        verify,
    ),
)
