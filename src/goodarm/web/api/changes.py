"""Changing studies, as JSON. Each answer is durable when it arrives."""

from dataclasses import fields
from typing import Any

from fastapi import APIRouter

from goodarm.errors import InputError, unknown_name
from goodarm.outcomes import Outcome, outcomes
from goodarm.study import Trial
from goodarm.web.api import shapes
from goodarm.web.api.studies import Id, shape
from goodarm.web.demo import create_demo
from goodarm.web.importing import enter, look_at, pasted_text
from goodarm.web.site import TheSite, TheVisitor

router = APIRouter(tags=["changing"])


@router.post("/studies", status_code=201, response_model=shapes.StudyShape)
def create(body: shapes.NewStudy, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Create a study."""
    settings: dict[str, Any] = body.model_dump() | {"outcome": declared(body.outcome)}
    return shape(site.studies.create(**settings, by=visitor.name))


@router.post("/demo", status_code=201, response_model=shapes.StudyShape)
def demo(site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Create a study to play with."""
    return shape(create_demo(site.studies, visitor.name))


@router.post("/studies/{study_id}/ask")
def ask(study_id: Id, body: shapes.Ask, site: TheSite, visitor: TheVisitor) -> list[Trial]:
    """What to try next."""
    study = site.open(study_id, visitor)
    return study.ask(body.n, arm=body.arm, lease=body.lease, key=body.key)


@router.post("/studies/{study_id}/tell")
def tell(study_id: Id, body: shapes.Tell, site: TheSite, visitor: TheVisitor) -> Trial:
    """Record an outcome."""
    study, what = site.open(study_id, visitor), _trial_or_arm(body)
    return study.tell(what, body.value, body.at, body.note, body.key, body.sure, body.size)


@router.post("/studies/{study_id}/tell-many")
def tell_many(
    study_id: Id, body: shapes.TellMany, site: TheSite, visitor: TheVisitor
) -> list[Trial] | shapes.TellBrief:
    """Record outcomes that came in together: they count at one moment, all or none."""
    many = len(body.outcomes)
    if many > shapes.MOST_LISTED and not body.brief:
        raise InputError(
            f"outcomes: {many:,}; an answer lists at most {shapes.MOST_LISTED:,} trials, so send "
            '"brief": true, or fewer at once'
        )
    entries = [_entry(position, pair) for position, pair in enumerate(body.outcomes)]
    told = site.open(study_id, visitor).tell_many(entries, body.sure, body.key)
    return shapes.TellBrief(told=many) if body.brief else told


@router.post("/studies/{study_id}/cancel")
def cancel(study_id: Id, body: shapes.Cancel, site: TheSite, visitor: TheVisitor) -> Trial:
    """Withdraw a suggestion whose outcome will not come."""
    return site.open(study_id, visitor).cancel(body.trial, body.reason)


@router.post("/studies/{study_id}/cancel-all")
def cancel_all(
    study_id: Id, body: shapes.CancelAll, site: TheSite, visitor: TheVisitor
) -> list[Trial]:
    """Withdraw every suggestion whose outcome has not come."""
    return site.open(study_id, visitor).cancel_all(body.reason)


@router.post("/studies/{study_id}/retract")
def retract(study_id: Id, body: shapes.Retract, site: TheSite, visitor: TheVisitor) -> Trial:
    """Take an outcome back; the log keeps it."""
    return site.open(study_id, visitor).retract(body.trial, body.reason)


@router.post("/studies/{study_id}/correct")
def correct(study_id: Id, body: shapes.Correct, site: TheSite, visitor: TheVisitor) -> Trial:
    """Replace a wrong outcome by the right one; the log keeps both."""
    study = site.open(study_id, visitor)
    return study.correct(body.trial, body.value, body.reason, body.note, body.sure, body.size)


@router.post("/studies/{study_id}/extend", response_model=shapes.StudyShape)
def extend(study_id: Id, body: shapes.Extend, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Go on after the end, or beyond the budget."""
    study = site.open(study_id, visitor)
    study.extend(body.trials, body.delta, body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/amend", response_model=shapes.StudyShape)
def amend(study_id: Id, body: shapes.Amend, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Change threshold or stopping rule; if outcomes are known already, readers are warned."""
    study = site.open(study_id, visitor)
    study.amend(body.threshold, body.reason, body.key, body.boundary)
    return shape(study)


@router.post("/studies/{study_id}/stop", response_model=shapes.StudyShape)
def stop(study_id: Id, body: shapes.Stop, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """End the study; outcomes that still come in count."""
    study = site.open(study_id, visitor)
    study.stop(body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/import", response_model=shapes.ImportShape)
def enter_past(
    study_id: Id, body: shapes.Import, site: TheSite, visitor: TheVisitor
) -> dict[str, int]:
    """Enter past outcomes from CSV text; they count at one moment."""
    study = site.open(study_id, visitor)
    preview = look_at(study, pasted_text(body.csv), body.source)
    return enter(study, preview, body.sure)._asdict()


def _entry(position: int, pair: shapes.Pair) -> Any:
    """A trial or an arm, its value, and its size if it has one."""
    try:
        what = _trial_or_arm(pair)
    except InputError as error:
        raise InputError(f"outcomes.{position}: {error}") from None
    return (what, pair.value) if pair.size is None else (what, pair.value, pair.size)


def _trial_or_arm(outcome: shapes.Tell | shapes.Pair) -> int | str:
    if (outcome.trial is None) == (outcome.arm is None):
        raise InputError("give either a trial (its number) or an arm (its name)")
    return outcome.trial if outcome.trial is not None else outcome.arm or ""


def declared(data: str | shapes.OutcomeData) -> str | Outcome:
    """The model that a text, or an object with its parameters by name, describes."""
    if isinstance(data, str):
        return data
    parameters = data.model_extra or {}
    if data.kind not in outcomes:
        raise unknown_name("outcome", data.kind, list(outcomes))
    known = {field.name: field.default is None for field in fields(outcomes[data.kind])}
    given = {name: value for name, value in parameters.items() if value is not None}
    missing = [name for name, may_be_left_out in known.items() if not may_be_left_out]
    if not set(missing) <= set(given) or not set(parameters) <= set(known):
        takes = [name if name in missing else f"{name} (optional)" for name in known]
        raise InputError(
            f"outcome: {data.kind} takes {', '.join(takes) or 'no parameters'}, not "
            f"{', '.join(sorted(given)) or 'nothing'}"
        )
    return outcomes[data.kind](**given)
