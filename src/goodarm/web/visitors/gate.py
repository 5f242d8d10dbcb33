"""The gate before every page: refuses what is not known to be meant, made and allowed.

In this order: a Host that is ours; something that was shown; a change only from our own pages or a
program with a token; a valid token; the right to change; a body of bounded size. A route added
later is behind it, too.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goodarm.web.visitors.access import Access, shown_in
from goodarm.web.visitors.addresses import Addresses
from goodarm.web.visitors.guesses import TooManyGuessesError

logger = logging.getLogger("goodarm.web")
UNEXPECTED = "Something went wrong on our side. The server's log says what."
LARGEST_BODY = 2 * 1024 * 1024
LARGEST_OF_PROGRAMS = 8 * 1024 * 1024  # many outcomes at once, under /api
BODY_SECONDS = 60.0
SAFE_METHODS = ("GET", "HEAD")
OPEN_PATHS = ("/enter", "/healthz")  # where a token is handed in; whether all is well
HARMLESS_PATHS = ("/leave", "/sessions/end", "/look")  # change the visitor's own browser only
OPEN_FOLDER = "/static/"  # scripts and styles, which hold nothing of anyone
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": under it browsers send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

Refusal = tuple[int, str] | tuple[int, str, int]  # status, reason, and when to ask again
Refuse = Callable[..., ASGIApp]
SIGN_IN = "Open the link that was printed when the server started."


class Gate:
    """Middleware that lets a request through or answers it with a refusal."""

    def __init__(
        self, app: ASGIApp, access: Access, addresses: Addresses, cookie: str, refuse: Refuse
    ) -> None:
        self._app = app
        self._access = access
        self._addresses = addresses
        self._cookie = cookie
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        send = _with_headers(send, scope["path"].startswith(OPEN_FOLDER))
        refusal = self._judge(scope, Headers(scope=scope))
        if refusal is None and scope["method"] not in SAFE_METHODS:
            largest = _largest(scope)
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = await _whole_body(receive, largest)
            except TimeoutError:
                refusal = 408, f"The request took longer than {BODY_SECONDS:g} seconds to arrive."
            else:
                if body is None:
                    refusal = _too_large(largest)
                else:
                    receive = _again(body, receive)
        if refusal is not None:
            await self._refuse(scope, *refusal)(scope, receive, send)
            return
        await self._pass(scope, receive, send)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through; an error that nobody expected is logged, not shown."""
        begun = False

        async def note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, note)
        except Exception:
            if begun:
                raise
            logger.exception("an unexpected error")
            await self._refuse(scope, 500, UNEXPECTED)(scope, receive, send)

    def _judge(self, scope: Scope, headers: Headers) -> Refusal | None:
        """None, or why the request is refused."""
        safe = scope["method"] in SAFE_METHODS
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._addresses.allows(hosts[0]):
            return 421, "This address is not one that this server answers to."
        shown, is_open = shown_in(headers, self._cookie), scope["path"] in OPEN_PATHS
        if not safe and shown.is_nothing and not is_open:
            return 401, SIGN_IN
        if not safe and not self._is_ours(headers, shown.token is None):
            return 403, "Changes are accepted from this server's own pages only."
        length = headers.get("content-length", "0")
        largest = _largest(scope)
        if not length.isascii() or not length.isdigit() or int(length) > largest:
            return _too_large(largest)
        if is_open or scope["path"].startswith(OPEN_FOLDER):
            return None
        try:
            visitor = self._access.of_request(shown, address_of(scope))
        except TooManyGuessesError as error:
            return 429, str(error), error.retry_after
        if visitor is None:
            return 401, SIGN_IN
        if not (safe or visitor.may_write or scope["path"] in HARMLESS_PATHS):
            return 403, "This token may look at everything and change nothing."
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        state["visitor"], state["session"] = visitor, shown.session
        return None

    def _is_ours(self, headers: Headers, in_cookie: bool) -> bool:
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None and site != "same-origin":
            return False
        if origin is not None:
            return self._addresses.same_origin(origin, headers.get("host"))
        # Programs send neither header, and show their token in one that no other site can set.
        return site is not None or not in_cookie


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else "nowhere"


def _with_headers(send: Send, is_static: bool) -> Send:
    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "max-age=3600" if is_static else "no-store")
        await send(message)

    return add


def _largest(scope: Scope) -> int:
    """How large a body may be."""
    return LARGEST_OF_PROGRAMS if scope["path"].startswith("/api/") else LARGEST_BODY


def _too_large(largest: int) -> tuple[int, str]:
    return 413, f"The request is larger than {largest // 1024:,} kB."


async def _whole_body(receive: Receive, largest: int) -> bytes | None:
    """The body, or None as soon as it is too large: a length may be missing or a lie."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > largest:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return waiting.pop() if waiting else await receive()

    return give
