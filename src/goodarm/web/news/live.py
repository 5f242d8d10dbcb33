"""Server-sent events: who listens hears when anyone, anywhere, has changed a study."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from goodarm.remote.failures import BusyError
from goodarm.study import Study
from goodarm.web.news.bell import Bell

STREAM = "text/event-stream"
SIGN_OF_LIFE = 15.0
LONGEST = 600.0  # then whoever listens connects anew, and shows their token again
MOST_STREAMS = 200  # of one process
AT_ONCE = 500  # events read together
UNBUFFERED = {"X-Accel-Buffering": "no"}  # or nginx keeps every word to itself


def stream(request: Request, study: Study) -> StreamingResponse:
    """A stream with the number of the last event, now and whenever it changes."""
    return _counted(request, _changes(request.app.state.site.bell, study))


def log_stream(request: Request, study: Study, after: int) -> StreamingResponse:
    """A stream with every event after one, those that are there and those that will be."""
    return _counted(request, _events(request.app.state.site.bell, study, after))


def _counted(request: Request, pieces: AsyncIterator[str]) -> StreamingResponse:
    metrics = request.app.state.site.metrics
    if metrics.streams >= MOST_STREAMS:
        raise BusyError("too many pages are open; reload this one to see changes")

    async def marked() -> AsyncIterator[str]:
        metrics.stream_begins()
        try:
            async for piece in pieces:
                yield piece
        finally:
            metrics.stream_ends()

    return StreamingResponse(marked(), media_type=STREAM, headers=UNBUFFERED)


async def _changes(bell: Bell, study: Study) -> AsyncIterator[str]:
    clock = asyncio.get_running_loop().time
    end, latest = clock() + LONGEST, -1
    now = await run_in_threadpool(lambda: study.seq)
    while clock() < end:
        if now > latest:
            latest = now
            yield f"data: {json.dumps({'events': latest})}\n\n"
        else:
            yield ": still here\n\n"
        now = await bell.wait(study, latest, SIGN_OF_LIFE)


async def _events(bell: Bell, study: Study, after: int) -> AsyncIterator[str]:
    clock = asyncio.get_running_loop().time
    end = clock() + LONGEST
    while clock() < end:
        some = await run_in_threadpool(study.events, after, AT_ONCE)
        for event in some:
            shown = {"seq": event.seq, "kind": event.kind, "text": event.text, "hash": event.hash}
            yield f"id: {event.seq}\nevent: {event.kind}\ndata: {json.dumps(shown)}\n\n"
            after = event.seq
        if not some:
            yield ": still here\n\n"
            await bell.wait(study, after, SIGN_OF_LIFE)
