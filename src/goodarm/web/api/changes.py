"""Changing studies, as JSON. Each answer is durable when it arrives."""

from dataclasses import fields
from typing import Any

from fastapi import APIRouter

from goodarm.errors import InputError, unknown_name
from goodarm.outcomes import Outcome, outcome_from_data, outcomes
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
    settings: dict[str, Any] = body.model_dump() | {"outcome": _outcome(body.outcome)}
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
    study = site.open(study_id, visitor)
    if (body.trial is None) == (body.arm is None):
        raise InputError("give either a trial (its number) or an arm (its name)")
    what = body.trial if body.trial is not None else body.arm or ""
    return study.tell(what, body.value, body.at, body.note, body.key, body.sure)


@router.post("/studies/{study_id}/tell-many")
def tell_many(
    study_id: Id, body: shapes.TellMany, site: TheSite, visitor: TheVisitor
) -> list[Trial]:
    """Record outcomes that came in together: they count at one moment, all or none."""
    pairs = [(pair.trial, pair.value) for pair in body.outcomes]
    return site.open(study_id, visitor).tell_many(pairs, body.sure)


@router.post("/studies/{study_id}/cancel")
def cancel(study_id: Id, body: shapes.Cancel, site: TheSite, visitor: TheVisitor) -> Trial:
    """Withdraw a suggestion whose outcome will not come."""
    return site.open(study_id, visitor).cancel(body.trial, body.reason)


@router.post("/studies/{study_id}/retract")
def retract(study_id: Id, body: shapes.Retract, site: TheSite, visitor: TheVisitor) -> Trial:
    """Take an outcome back; the log keeps it."""
    return site.open(study_id, visitor).retract(body.trial, body.reason)


@router.post("/studies/{study_id}/correct")
def correct(study_id: Id, body: shapes.Correct, site: TheSite, visitor: TheVisitor) -> Trial:
    """Replace a wrong outcome by the right one; the log keeps both."""
    study = site.open(study_id, visitor)
    return study.correct(body.trial, body.value, body.reason, body.note, body.sure)


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


def _outcome(data: str | shapes.OutcomeData) -> str | Outcome:
    """The model that a text, or an object with its parameters by name, describes."""
    if isinstance(data, str):
        return data
    parameters = data.model_extra or {}
    if data.kind not in outcomes:
        raise unknown_name("outcome", data.kind, list(outcomes))
    wanted = {field.name for field in fields(outcomes[data.kind])}
    if set(parameters) != wanted:
        needed = ", ".join(sorted(wanted)) or "no parameters"
        extra = ", ".join(sorted(parameters))
        raise InputError(f"outcome: {data.kind} takes {needed}, not {extra}")
    return outcome_from_data({"kind": data.kind, **parameters})
