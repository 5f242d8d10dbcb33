"""Looking at studies, as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from goodarm.errors import InputError
from goodarm.remote.failures import NotFoundError
from goodarm.study import Forecast, Study, Trial
from goodarm.web.api.shapes import Listed, LogEntry, StudyShape
from goodarm.web.files import download
from goodarm.web.site import TheSite, TheVisitor
from goodarm.web.slugs import slug

router = APIRouter(tags=["looking"])
MOST_EVENTS = 10_000
Id = Annotated[
    str, Path(description="The name; other than letters, digits, - and _ as ~xx, UTF-8 in hex.")
]


def shape(study: Study, simultaneous: bool = False) -> dict[str, Any]:
    """A study as programs get it."""
    data = study.status(simultaneous).to_dict()
    return {**data, "id": slug(study.name), "pending": [t.to_dict() for t in study.pending]}


@router.get("/studies", response_model=list[Listed])
def list_studies(
    site: TheSite,
    search: Annotated[str, Query(max_length=200, description="A part of the name.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000, description="At most this many.")] = 100,
    offset: Annotated[int, Query(ge=0, le=10**6, description="Skip this many.")] = 0,
) -> list[dict[str, Any]]:
    """Studies whose names contain a text, the latest changed first."""
    summaries = site.studies.list(search or None, limit, offset)
    return [{**summary.to_dict(), "id": slug(summary.name)} for summary in summaries]


@router.get("/studies/{study_id}", response_model=StudyShape)
def show(
    study_id: Id,
    site: TheSite,
    visitor: TheVisitor,
    simultaneous: Annotated[
        bool, Query(description="Limits that hold for all arms and both sides together.")
    ] = False,
) -> dict[str, Any]:
    """Answer, confidence, evidence and what is pending."""
    return shape(site.open(study_id, visitor), simultaneous)


@router.get("/studies/{study_id}/trials/{number}")
def trial(study_id: Id, number: int, site: TheSite, visitor: TheVisitor) -> Trial:
    """One trial and what became of it."""
    try:
        return site.open(study_id, visitor).trial(number)
    except InputError as error:
        raise NotFoundError(str(error)) from None


@router.get("/studies/{study_id}/events", response_model=list[LogEntry])
def events(
    study_id: Id,
    site: TheSite,
    visitor: TheVisitor,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="Its number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS, description="At most this many.")] = 1000,
) -> list[dict[str, Any]]:
    """The log after an event, oldest first."""
    log = site.open(study_id, visitor).events(after, limit)
    return [event._asdict() for event in log]


@router.get("/studies/{study_id}/evidence")
def evidence(study_id: Id, site: TheSite, visitor: TheVisitor) -> dict[str, Any]:
    """How the evidence grew: with mixture each arm's share of the way, with glr W and boundary."""
    return site.open(study_id, visitor).evidence_curves().to_dict()


@router.get("/studies/{study_id}/forecast")
async def forecast(study_id: Id, site: TheSite, visitor: TheVisitor) -> Forecast:
    """How many more trials until the study may stop, by playing out futures."""
    return await site.forecast(await run_in_threadpool(site.open, study_id, visitor))


@router.get("/studies/{study_id}/verify")
def verify(
    study_id: Id,
    site: TheSite,
    visitor: TheVisitor,
    head: Annotated[str | None, Query(max_length=200, description="A hash noted earlier.")] = None,
) -> dict[str, Any]:
    """Audit the log: derive everything anew from it and the seed."""
    return site.verify(site.open(study_id, visitor), head).to_dict()


@router.get("/studies/{study_id}/export/{kind}", response_class=Response)
def export(study_id: Id, kind: str, site: TheSite, visitor: TheVisitor) -> Response:
    """The log as a file: csv, json or parquet."""
    return download(site.open(study_id, visitor), kind)
