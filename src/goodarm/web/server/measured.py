"""What the server does, counted for Prometheus, and said in a line for each request if wanted."""

import logging
import os
from time import perf_counter
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("goodarm.requests")
SEVERAL_PROCESSES = "PROMETHEUS_MULTIPROC_DIR"  # where they put their numbers together
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
NOWHERE = "(none)"  # the route of what was refused before it came to one


class Metrics:
    """The numbers of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "goodarm_request_seconds",
            "Requests by their route, with the time until the last byte.",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._commits = Counter(
            "goodarm_commits", "Changes of studies made by this server.", registry=self._registry
        )
        self.streams = 0  # of this process
        self._streams = Gauge(
            "goodarm_streams",
            "Pages and programs that listen for changes.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )

    def committed(self, study: int, seq: int) -> None:
        """A change was made."""
        self._commits.inc()

    def stream_begins(self) -> None:
        """Someone listens for changes."""
        self.streams += 1
        self._streams.inc()

    def stream_ends(self) -> None:
        """They have gone."""
        self.streams -= 1
        self._streams.dec()

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def text(self) -> bytes:
        """All numbers, of all processes of the server, as Prometheus reads them."""
        if SEVERAL_PROCESSES not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


class Measured:
    """Middleware that takes the time of every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            seconds = perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "OTHER"
            self._metrics.observe(method, _route(scope), status, seconds)
            if logger.isEnabledFor(logging.INFO):
                _say(scope, status, seconds)


METHODS = ("GET", "HEAD", "POST")


def _route(scope: Scope) -> str:
    """The route's pattern, of which there are few, and never the path itself."""
    if "endpoint" not in scope:
        return NOWHERE
    pattern = getattr(scope.get("route"), "path", None)
    if not pattern:
        return "/static"
    # Where routes are included under a prefix, that is in the path alone.
    parts, own = scope["path"].split("/"), pattern.split("/")[1:]
    return "/".join([*parts[: len(parts) - len(own)], *own])


def _say(scope: Scope, status: int, seconds: float) -> None:
    visitor = scope.get("state", {}).get("visitor")
    client = scope.get("client")
    fields: dict[str, Any] = {
        "method": scope["method"],
        "path": scope["path"],  # without the query, which may have a token in it
        "status": status,
        "ms": round(1000.0 * seconds, 1),
        "from": client[0] if client else None,
        "by": None if visitor is None else visitor.name,
    }
    # Those who have shown a token are not counted; lines about others are, by their kind.
    more = {"fields": fields, "unlimited": visitor is not None}
    said = (fields["method"], fields["path"], status, fields["ms"])
    logger.info("%s %s %d in %.1f ms", *said, extra=more)
