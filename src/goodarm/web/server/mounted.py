"""Below another address: a proxy has the page at https://lab.example/goodarm, say.

Inside, every path is as if there were no such prefix. It is taken off a request that has it (some
proxies do so themselves), and put before every address that an answer sends someone to.
"""

import re

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goodarm.errors import InputError

_ROOT = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
# Addresses of the templates' own: what people have typed has its quotation marks escaped.
_OWN = re.compile(r'(\s(?:href|src|action|formaction|data-[a-z-]+)=")/(?!/)')


def check_root_path(text: str) -> str:
    """The prefix as it is used: it begins with a slash and does not end with one."""
    root = text.rstrip("/")
    if root and _ROOT.fullmatch(root) is None:
        raise InputError(f"root-path: {text[:80]!r} is no path; write one such as /goodarm")
    return root


def with_root(html: str, root: str) -> str:
    """A page whose links lead to where it is mounted."""
    return _OWN.sub(rf"\1{root}/", html) if root else html


def root_of(scope: Scope) -> str:
    """The prefix of the server that got a request."""
    return str(scope.get("state", {}).get("root", ""))


class Mounted:
    """Middleware that takes the prefix off, and puts it back on."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self._app = app
        self._root = root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request below the prefix, or one that has lost it on its way."""
        if scope["type"] != "http" or not self._root:
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if path == self._root:
            await RedirectResponse(f"{self._root}/", 308)(scope, receive, send)
            return
        below = path[len(self._root) :] if path.startswith(f"{self._root}/") else path
        state = {**scope.get("state", {}), "root": self._root}

        async def sent_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                where = headers.get("location", "")
                if where.startswith("/") and not where.startswith("//"):
                    headers["location"] = self._root + where
            await send(message)

        await self._app({**scope, "path": below, "state": state}, receive, sent_on)
