"""The application: gate, pages, API, and what is behind them."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from goodarm import __version__
from goodarm.study import Studies
from goodarm.web.api import add_api, add_changes
from goodarm.web.news.webhooks import Webhooks
from goodarm.web.pages import add_pages
from goodarm.web.server.failures import add_failures
from goodarm.web.server.health import add_health
from goodarm.web.server.measured import Measured
from goodarm.web.server.mounted import Mounted
from goodarm.web.server.one_at_a_time import OneAtATime
from goodarm.web.shown.render import problem
from goodarm.web.site import Site
from goodarm.web.visitors.access import Access
from goodarm.web.visitors.addresses import Addresses
from goodarm.web.visitors.gate import Gate
from goodarm.web.visitors.sessions import Sessions
from goodarm.web.visitors.tokens import TokenFile, sessions_beside

SMALL = 2_000  # bytes, which are not worth packing
LITTLE_EFFORT = 4
ABOUT: dict[str, Any] = {
    "title": "goodarm",
    "version": __version__,
    "summary": "Find an option that clears the bar, or learn that none does.",
    "docs_url": None,
    "redoc_url": None,
    "openapi_url": None,
    "redirect_slashes": False,
}
STATIC = Path(__file__).parent / "static"


def create_app(
    studies: Studies,
    token: str | None,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    allow_hosts: Iterable[str] = (),
    owner: str | None = None,
    tokens: TokenFile | None = None,
    root: str = "",
    usual_port: int = 80,
    webhook: tuple[str, str] | None = None,
    folder: Path | None = None,
) -> FastAPI:
    """An application for the studies of one database.

    `token` opens everything, as `owner`; `tokens` holds the named ones. `host` and `port` are
    where the server listens: requests that name another address are refused. `root` is the path
    below which a proxy has the page, `usual_port` the one that addresses leave out.
    `webhook` is an address that is told of answers, and the secret to sign with. In `folder` is
    what several processes of one server share.
    """
    # Cookies do not know ports: two servers on one machine need two names.
    sessions = Sessions(None if tokens is None else sessions_beside(tokens.path))
    access = Access(token, owner, tokens, sessions, folder)
    site = Site(studies, access, f"goodarm_{port}", folder)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        site.bell.open()
        hooks = None if webhook is None else Webhooks(studies, *webhook, folder)
        yield
        if hooks is not None:
            hooks.close()
        site.close()

    app = FastAPI(lifespan=life, **ABOUT)
    app.state.site = site
    add_failures(app)
    add_changes(app)
    add_pages(app)
    add_api(app)
    add_health(app)
    # What pages and reports have in common is there, too.
    files = StaticFiles(directory=STATIC, packages=[("goodarm.showing", "static")])
    app.mount("/static", files, name="static")
    app.add_middleware(OneAtATime)
    app.add_middleware(
        Gate,
        access=site.access,
        addresses=Addresses(host, port, allow_hosts, usual_port),
        cookie=site.cookie,
        refuse=problem,
    )
    app.add_middleware(Measured, metrics=site.metrics)
    app.add_middleware(Mounted, root=root)
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=LITTLE_EFFORT)
    return app


def warm_up(app: FastAPI) -> None:
    """Let the routes get ready, which FastAPI would put off until the first visitor waits."""
    nowhere = {"type": "http", "method": "GET", "path": "/-", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(dict(nowhere))
