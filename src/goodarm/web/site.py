"""What all pages and the API share: the studies, the planner, and who is asking."""

from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from goodarm.errors import InputError
from goodarm.remote.failures import BusyError, NotFoundError
from goodarm.study import Forecast, Studies, Study, Verification
from goodarm.web.background.forecasts import Forecasts
from goodarm.web.background.planner import Planner
from goodarm.web.news.bell import Bell
from goodarm.web.server.measured import Metrics
from goodarm.web.shown.slugs import name_of
from goodarm.web.visitors.access import Access, Visitor
from goodarm.web.visitors.screen_claims import ScreenClaims

AUDITS_AT_ONCE = 2


@dataclass
class Site:
    """The parts of a running server."""

    studies: Studies
    access: Access
    cookie: str
    folder: Path | None = None  # what the processes of one server share

    def __post_init__(self) -> None:
        self.claims = ScreenClaims(self.folder)
        self.planner = Planner(self.folder)
        self._audits = BoundedSemaphore(AUDITS_AT_ONCE)
        url = self.studies.store.url.render_as_string(hide_password=False)
        self._forecasts = Forecasts(url, self.folder)
        self.bell = Bell(self.studies)
        self.metrics = Metrics()
        self.studies.store.followers.add(self.metrics)

    def close(self) -> None:
        """Give up what is being simulated."""
        self.planner.close()
        self._forecasts.close()
        self.bell.close()

    def open(self, slug: str, visitor: Visitor) -> Study:
        """The study that an address names; the visitor's name goes into everything done."""
        try:
            return self.studies.open(name_of(slug), visitor.name)
        except InputError:
            # The original message names the database, which is no visitor's business.
            raise NotFoundError("there is no study of that name") from None

    def verify(self, study: Study, head: str | None) -> Verification:
        """Audit a study; long logs take a while, so only a few audits run at once."""
        if not self._audits.acquire(blocking=False):
            raise BusyError("other audits are running; try again in a moment")
        try:
            return study.verify(head)
        finally:
            self._audits.release()

    async def forecast(self, study: Study) -> Forecast:
        """How many more trials; computed once for each state of a study."""
        return await self._forecasts.of(study, await run_in_threadpool(lambda: study.head))


async def _site(request: Request) -> Site:  # async, or each would be handed to a thread and back
    site = request.app.state.site
    assert isinstance(site, Site)
    return site


async def _visitor(request: Request) -> Visitor:
    visitor = request.state.visitor  # the gate has set it, or nobody would be here
    assert isinstance(visitor, Visitor)
    return visitor


TheSite = Annotated[Site, Depends(_site)]
TheVisitor = Annotated[Visitor, Depends(_visitor)]


def _study(slug: str, site: TheSite, visitor: TheVisitor) -> Study:
    return site.open(slug, visitor)


TheStudy = Annotated[Study, Depends(_study)]
"""The study that `{slug}` in the address of a page names."""
