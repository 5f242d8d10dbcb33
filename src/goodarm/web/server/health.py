"""Whether the server works: in a word for anyone, in numbers for visitors."""

from math import inf
from threading import Lock
from time import monotonic

from fastapi import FastAPI
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, Response

from goodarm.study import StorageError
from goodarm.web.site import TheSite

ASKED_EVERY = 1.0  # seconds; whoever asks more often is told the same
PATIENCE_WITH_DATABASE = 5.0


class Health:
    """Whether the database answers, asked rarely however many want to know."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked = -inf
        self._well = False

    def is_well(self, site: TheSite) -> bool:
        """Whether the database has answered just now."""
        if self._lock.acquire(timeout=PATIENCE_WITH_DATABASE):
            try:
                if monotonic() > self._asked + ASKED_EVERY:
                    self._well = _answers(site)
                    self._asked = monotonic()
                return self._well
            finally:
                self._lock.release()
        return False


def _answers(site: TheSite) -> bool:
    try:
        site.studies.count()
    except StorageError:
        return False
    return True


def add_health(app: FastAPI) -> None:
    """Add both to the application."""
    health = Health()

    @app.get("/healthz", include_in_schema=False)
    def healthz(site: TheSite) -> Response:
        well = health.is_well(site)
        return JSONResponse({"status": "ok" if well else "no database"}, 200 if well else 503)

    @app.get("/metrics", include_in_schema=False)
    def metrics(site: TheSite) -> Response:
        return Response(site.metrics.text(), media_type=CONTENT_TYPE_LATEST)
