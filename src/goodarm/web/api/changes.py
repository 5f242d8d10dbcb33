"""Changing studies, as JSON. Each answer is durable when it arrives."""

from typing import Any

from fastapi import APIRouter

from goodarm.remote import acting, bodies
from goodarm.remote.importing import enter, look_at, pasted_text
from goodarm.study import Trial
from goodarm.web.api import shapes
from goodarm.web.api.studies import Id, shape
from goodarm.web.demo import create_demo
from goodarm.web.site import TheSite, TheVisitor

router = APIRouter(tags=["changing"])
for_the_page = APIRouter(tags=["changing"])


@router.post("/studies", status_code=201, response_model=shapes.StudyShape)
def create_study(body: bodies.NewStudy, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Create a study."""
    return shape(site.studies.create(**acting.new_settings(body), by=visitor.name))


@for_the_page.post("/demo", status_code=201, response_model=shapes.StudyShape)
def create_demo_study(site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Create a study to play with."""
    return shape(create_demo(site.studies, visitor.name))


@router.post("/studies/{study_id}/ask")
def ask(study_id: Id, body: bodies.Ask, site: TheSite, visitor: TheVisitor) -> list[Trial]:
    """What to try next."""
    return acting.ask(site.open(study_id, visitor), body)


@router.post("/studies/{study_id}/tell")
def tell(study_id: Id, body: bodies.Tell, site: TheSite, visitor: TheVisitor) -> Trial:
    """Record an outcome."""
    return acting.tell(site.open(study_id, visitor), body)


@router.post("/studies/{study_id}/tell-many")
def tell_many(
    study_id: Id, body: bodies.TellMany, site: TheSite, visitor: TheVisitor
) -> list[Trial] | shapes.TellBrief:
    """Record outcomes that came in together: they count at one moment, all or none."""
    told = acting.tell_many(site.open(study_id, visitor), body)
    return shapes.TellBrief(told=len(told)) if body.brief else told


@router.post("/studies/{study_id}/cancel")
def cancel(study_id: Id, body: bodies.Cancel, site: TheSite, visitor: TheVisitor) -> Trial:
    """Withdraw a suggestion whose outcome will not come."""
    return site.open(study_id, visitor).cancel(body.trial, body.reason, body.key)


@router.post("/studies/{study_id}/cancel-all")
def cancel_all(
    study_id: Id, body: bodies.CancelAll, site: TheSite, visitor: TheVisitor
) -> list[Trial]:
    """Withdraw every suggestion whose outcome has not come."""
    return site.open(study_id, visitor).cancel_all(body.reason, body.key)


@router.post("/studies/{study_id}/retract")
def retract(study_id: Id, body: bodies.Retract, site: TheSite, visitor: TheVisitor) -> Trial:
    """Take an outcome back; the log keeps it."""
    return site.open(study_id, visitor).retract(body.trial, body.reason, body.key)


@router.post("/studies/{study_id}/correct")
def correct(study_id: Id, body: bodies.Correct, site: TheSite, visitor: TheVisitor) -> Trial:
    """Replace a wrong outcome by the right one; the log keeps both."""
    return acting.correct(site.open(study_id, visitor), body)


@router.post("/studies/{study_id}/extend", response_model=shapes.StudyShape)
def extend(study_id: Id, body: bodies.Extend, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Go on after the end, or beyond the budget."""
    study = site.open(study_id, visitor)
    study.extend(body.trials, body.delta, body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/amend", response_model=shapes.StudyShape)
def amend(study_id: Id, body: bodies.Amend, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Change threshold or stopping rule; if outcomes are known already, readers are warned."""
    study = site.open(study_id, visitor)
    study.amend(body.threshold, body.reason, body.key, body.boundary)
    return shape(study)


@router.post("/studies/{study_id}/add-arm", response_model=shapes.StudyShape)
def add_arm(
    study_id: Id, body: bodies.AddArm, site: TheSite, visitor: TheVisitor
) -> dict[str, Any]:
    """One more arm, whose share of δ was laid aside beforehand, so that the guarantee holds."""
    study = site.open(study_id, visitor)
    acting.add_arm(study, body)
    return shape(study)


@router.post("/studies/{study_id}/retire-arm", response_model=shapes.StudyShape)
def retire_arm(
    study_id: Id, body: bodies.RetireArm, site: TheSite, visitor: TheVisitor
) -> dict[str, Any]:
    """Take an arm out: it is not tried any more and cannot be named; the others go on."""
    study = site.open(study_id, visitor)
    acting.retire_arm(study, body)
    return shape(study)


@router.post("/studies/{study_id}/rename", response_model=shapes.StudyShape)
def rename(study_id: Id, body: bodies.Rename, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Give the study another name, and so another id; the log keeps the old one."""
    study = site.open(study_id, visitor)
    study.rename(body.name, body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/archive", response_model=shapes.StudyShape)
def archive(
    study_id: Id, body: bodies.Archive, site: TheSite, visitor: TheVisitor
) -> dict[str, Any]:
    """Put the study away: lists leave it out, and nothing else changes."""
    study = site.open(study_id, visitor)
    study.archive(body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/unarchive", response_model=shapes.StudyShape)
def unarchive(
    study_id: Id, body: bodies.Archive, site: TheSite, visitor: TheVisitor
) -> dict[str, Any]:
    """Bring the study back into the lists."""
    study = site.open(study_id, visitor)
    study.unarchive(body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/tag", response_model=shapes.StudyShape)
def tag(study_id: Id, body: bodies.Tag, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """Add tags to the study, by which lists find it, and remove others."""
    study = site.open(study_id, visitor)
    study.tag(body.add, body.remove, body.key)
    return shape(study)


@router.post("/studies/{study_id}/renew")
def renew(study_id: Id, body: bodies.Renew, site: TheSite, visitor: TheVisitor) -> Trial:
    """Let a trial that is still being made expire later."""
    return site.open(study_id, visitor).renew(body.trial, body.lease)


@router.post("/studies/{study_id}/stop", response_model=shapes.StudyShape)
def stop(study_id: Id, body: bodies.Stop, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """End the study; outcomes that still come in count."""
    study = site.open(study_id, visitor)
    study.stop(body.reason, body.key)
    return shape(study)


@router.post("/studies/{study_id}/import", response_model=shapes.ImportShape)
def import_outcomes(
    study_id: Id, body: bodies.Import, site: TheSite, visitor: TheVisitor
) -> dict[str, int]:
    """Enter past outcomes from CSV text; they count at one moment."""
    study = site.open(study_id, visitor)
    preview = look_at(study, pasted_text(body.csv), body.source)
    return enter(study, preview, body.sure)._asdict()
