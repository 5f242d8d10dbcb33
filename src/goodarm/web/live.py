"""Server-sent events: an open page hears when anyone, anywhere, has changed its study."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from goodarm.remote.failures import BusyError
from goodarm.study import Study

LISTEN_EVERY = 1.0  # seconds; the database is asked, so that other processes are heard, too
SIGN_OF_LIFE = 15.0
LONGEST = 600.0  # then the browser connects anew, and shows its token again
MOST_STREAMS = 200
UNBUFFERED = {"X-Accel-Buffering": "no"}  # or nginx keeps every word to itself

_open: set[object] = set()


def stream(request: Request, study: Study) -> StreamingResponse:
    """A stream with the number of the last event, now and whenever it changes."""
    if len(_open) >= MOST_STREAMS:
        raise BusyError("too many pages are open; reload this one to see changes")
    return StreamingResponse(
        _changes(request, study), media_type="text/event-stream", headers=UNBUFFERED
    )


async def _changes(request: Request, study: Study) -> AsyncIterator[str]:
    mark = object()
    _open.add(mark)
    clock = asyncio.get_running_loop().time
    began = spoke = clock()
    latest = -1
    try:
        while clock() - began < LONGEST and not await request.is_disconnected():
            now = await run_in_threadpool(lambda: study.seq)
            if now != latest:
                latest, spoke = now, clock()
                yield f"data: {json.dumps({'events': latest})}\n\n"
            elif clock() - spoke > SIGN_OF_LIFE:
                spoke = clock()
                yield ": still here\n\n"
            await asyncio.sleep(LISTEN_EVERY)
    finally:
        _open.discard(mark)
