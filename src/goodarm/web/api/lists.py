"""Lists with their totals, and the log as it grows, as JSON or as a stream."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool

from goodarm.web.api.shapes import EventList, StudyList
from goodarm.web.api.studies import (
    After,
    Archived,
    Id,
    Limit,
    MostEvents,
    Offset,
    Search,
    Tag,
    listed,
)
from goodarm.web.news.live import STREAM, log_stream
from goodarm.web.site import TheSite, TheVisitor

router = APIRouter(tags=["looking"])


@router.get("/studies", response_model=StudyList)
def list_studies(
    site: TheSite,
    search: Search = "",
    tag: Tag = "",
    archived: Archived = False,
    limit: Limit = 100,
    offset: Offset = 0,
) -> dict[str, Any]:
    """Studies whose names contain a text, the latest changed first, and how many there are."""
    wanted = search or None
    found = listed(site.studies.list(wanted, limit, offset, tag=tag, archived=archived))
    total = site.studies.count(wanted, tag=tag, archived=archived)
    return {"total": total, "studies": found}


@router.get(
    "/studies/{study_id}/events",
    response_model=EventList,
    responses={200: {"content": {STREAM: {"schema": {"type": "string"}}}}},
)
async def list_events(
    request: Request,
    study_id: Id,
    site: TheSite,
    visitor: TheVisitor,
    after: After = 0,
    limit: MostEvents = 1000,
    accept: Annotated[
        str, Header(description=f"{STREAM} for a stream that goes on as the log grows.")
    ] = "*/*",
    last_event_id: Annotated[
        int | None, Header(ge=0, description="Of a stream: the last event that had come through.")
    ] = None,
) -> Any:
    """The log after an event, oldest first; as a stream of server-sent events if you accept one."""
    study = await run_in_threadpool(site.open, study_id, visitor)
    if STREAM in accept:
        return log_stream(request, study, after if last_event_id is None else last_event_id)

    def found() -> dict[str, Any]:
        log = study.events(after, limit)
        return {"total": study.seq, "events": [event._asdict() for event in log]}

    return await run_in_threadpool(found)
