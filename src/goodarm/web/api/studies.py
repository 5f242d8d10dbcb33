"""Looking at studies, as JSON."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from goodarm import __version__
from goodarm.errors import InputError
from goodarm.inputs import stamp
from goodarm.remote.failures import NotFoundError
from goodarm.study import Forecast, Study, Summary, Trial
from goodarm.study.log.events import canonical, digest
from goodarm.web.api.shapes import Listed, LogEntry, StudyShape
from goodarm.web.shown.files import download
from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheSite, TheVisitor

router = APIRouter(tags=["looking"])
before_totals = APIRouter(tags=["looking"])  # lists as they were
MOST_EVENTS = 10_000
Search = Annotated[str, Query(max_length=200, description="A part of the name.")]
Tag = Annotated[str, Query(max_length=200, description="Only those that have this tag.")]
Archived = Annotated[bool, Query(description="Those that were put away, instead of the others.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="At most this many.")]
Offset = Annotated[int, Query(ge=0, le=10**6, description="Skip this many.")]
After = Annotated[int, Query(ge=0, le=2**31 - 1, description="The number of an event.")]
MostEvents = Annotated[int, Query(ge=1, le=MOST_EVENTS, description="At most this many.")]
Id = Annotated[
    str, Path(description="The name; other than letters, digits, - and _ as ~xx, UTF-8 in hex.")
]


def shape(study: Study, simultaneous: bool = False) -> dict[str, Any]:
    """A study as programs get it."""
    data = study.status(simultaneous).to_dict()
    return {**data, "id": slug(study.name), "pending": [t.to_dict() for t in study.pending]}


def listed(summaries: list[Summary]) -> list[dict[str, Any]]:
    """Studies in a list as programs get them."""
    return [{**summary.to_dict(), "id": slug(summary.name)} for summary in summaries]


@before_totals.get("/studies", response_model=list[Listed])
def list_studies(
    site: TheSite, search: Search = "", limit: Limit = 100, offset: Offset = 0
) -> list[dict[str, Any]]:
    """Studies whose names contain a text, the latest changed first."""
    return listed(site.studies.list(search or None, limit, offset, archived=None))


@router.get(
    "/studies/{study_id}",
    response_model=StudyShape,
    responses={304: {"description": "It is as it was when you got the ETag that you sent"}},
)
def show_study(
    response: Response,
    study_id: Id,
    site: TheSite,
    visitor: TheVisitor,
    simultaneous: Annotated[
        bool, Query(description="Limits that hold for all arms and both sides together.")
    ] = False,
    if_none_match: Annotated[
        str, Header(description="The ETag of an earlier answer: 304 if nothing has changed.")
    ] = "",
) -> Any:
    """Answer, confidence, evidence and what is pending."""
    study = site.open(study_id, visitor)
    headers = {"ETag": _tag(study, simultaneous), "Cache-Control": "private, no-cache"}
    if headers["ETag"] in if_none_match:
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return shape(study, simultaneous)


def _tag(study: Study, simultaneous: bool) -> str:
    """What is the same as long as the status is: it depends on the log, and on leases by clock."""
    now = stamp(datetime.now(UTC))
    expired = sum(1 for t in study.pending if t.expires_at is not None and t.expires_at <= now)
    parts = (__version__, study.head, simultaneous, expired)
    return f'W/"{digest(canonical(parts))[:32]}"'


@router.get("/studies/{study_id}/trials/{number}")
def show_trial(study_id: Id, number: int, site: TheSite, visitor: TheVisitor) -> Trial:
    """One trial and what became of it."""
    try:
        return site.open(study_id, visitor).trial(number)
    except InputError as error:
        raise NotFoundError(str(error)) from None


@before_totals.get("/studies/{study_id}/events", response_model=list[LogEntry])
def list_events(
    study_id: Id,
    site: TheSite,
    visitor: TheVisitor,
    after: After = 0,
    limit: MostEvents = 1000,
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
