"""Requests to a goodarm server: sent again where trouble may pass, refused in its own words."""

import http.client
import json
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import local
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit
from weakref import WeakSet, finalize

from goodarm.errors import InputError
from goodarm.study.errors import (
    REMEDY,
    ConflictError,
    StorageError,
    StudyClosedError,
    UnlikelyOutcomeError,
)

PREFIX = "/api/v1"
PATIENCE_WITH_SERVER = 60.0  # seconds for which passing trouble is waited out
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
TRY_AGAIN = (429, 502, 503, 504)
LARGEST_MESSAGE = 500
OURS = 'If it is right, send it again with "sure": true.'
ERRORS: Mapping[str, type[Exception]] = {
    "conflict": ConflictError,
    "closed": StudyClosedError,
    "unlikely": UnlikelyOutcomeError,
    "database": StorageError,
    "internal": StorageError,
}


class Reply(NamedTuple):
    """What a server has answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """The way to one server; every thread has a connection of its own, kept open."""

    def __init__(self, url: str, token: str, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"url: {url!r} is none; write one such as http://127.0.0.1:8765")
        if not token.strip() or not token.isascii():
            raise InputError("token: give the one that `goodarm token create` has shown")
        self._parts, self._timeout = parts, timeout
        self._headers = {"Authorization": f"Bearer {token.strip()}", "Accept-Encoding": "identity"}
        self._own = local()
        self._every: WeakSet[http.client.HTTPConnection] = WeakSet()
        finalize(self, _close_all, self._every)

    def call(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """GET a path, or POST a body to it, which has to be harmless to repeat."""
        address = self._address(path, query)
        sent = None if body is None else json.dumps(body).encode()
        end, pause = time.monotonic() + PATIENCE_WITH_SERVER, FIRST_PAUSE
        while True:
            try:
                reply = self._once(address, sent, {**self._headers, **(headers or {})})
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if time.monotonic() + pause > end or isinstance(error, ssl.SSLError):
                    raise self._out_of_reach(error) from None
                wait = pause
            else:
                wait = _seconds(reply, pause)
                if reply.status not in TRY_AGAIN or time.monotonic() + wait > end:
                    return _checked(reply)
            time.sleep(wait)
            pause = min(2.0 * pause, LONGEST_PAUSE)

    def data(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> Any:
        """The JSON that a call is answered with."""
        return json.loads(self.call(path, body, query).body)

    def lines(self, path: str, query: Mapping[str, object]) -> Iterator[str]:
        """The lines of a stream, until it ends; on a connection of its own."""
        made = self._new()
        try:
            wanted = {**self._headers, "Accept": "text/event-stream"}
            try:
                made.request("GET", self._address(path, query), headers=wanted)
                answer = made.getresponse()
            except (OSError, http.client.HTTPException) as error:
                raise self._out_of_reach(error) from None
            if answer.status != 200:
                _checked(Reply(answer.status, dict(answer.headers), answer.read()))
            with suppress(OSError, http.client.HTTPException):  # it goes on with another
                while line := answer.readline():
                    yield line.decode().rstrip("\n")
        finally:
            made.close()

    def close(self) -> None:
        """Close this thread's connection; the next call opens another."""
        made: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        self._own.connection = None
        if made is not None:
            made.close()

    def close_all(self) -> None:
        """Close the connections of all threads."""
        _close_all(self._every)

    def __str__(self) -> str:
        return f"{self._parts.scheme}://{self._parts.netloc}{self._parts.path}"

    def _once(self, address: str, sent: bytes | None, headers: Mapping[str, str]) -> Reply:
        made: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if made is None:
            made = self._own.connection = self._new()
            self._every.add(made)
        kind = {} if sent is None else {"Content-Type": "application/json"}
        made.request("GET" if sent is None else "POST", address, sent, {**headers, **kind})
        answer = made.getresponse()
        return Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())

    def _out_of_reach(self, error: Exception) -> StorageError:
        return StorageError(f"{self}: the server cannot be reached ({error})")

    def _new(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._timeout)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _address(self, path: str, query: Mapping[str, object] | None) -> str:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        asked = f"?{urlencode(given)}" if given else ""
        return f"{self._parts.path.rstrip('/')}{PREFIX}{path}{asked}"


def _close_all(every: "WeakSet[http.client.HTTPConnection]") -> None:
    for made in list(every):
        made.close()


def _seconds(reply: Reply, pause: float) -> float:
    """How long to wait before a call is repeated."""
    wanted = reply.headers.get("retry-after", "")
    return max(pause, float(wanted)) if wanted.isdigit() else pause


def _checked(reply: Reply) -> Reply:
    """The reply, unless it is a refusal, which is raised as what it would be without a server."""
    if reply.status < 400:
        return reply
    try:
        said = json.loads(reply.body)
        message, code = str(said["error"]), str(said["code"])
    except (ValueError, LookupError, TypeError):
        text = reply.body.decode("utf-8", "replace")[:LARGEST_MESSAGE]
        raise StorageError(f"the answer {reply.status} is not goodarm's: {text}") from None
    raise ERRORS.get(code, InputError)(message.replace(OURS, REMEDY))
