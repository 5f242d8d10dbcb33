"""Who has which trial on the screen: so that no two people make the same one unawares.

A claim is no more than a mark, with a lease that the open page renews. It is forgotten when the
server restarts, and an outcome is taken from whoever hands it in first: the trial's number, which
comes with it, says what it belongs to. The study's own leases are another matter; they say when a
trial that nobody makes any more may be suggested anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from goodarm.study import Trial
from goodarm.web.server.shared import Shared

LEASE = 90.0  # seconds; browsers let a page in the background speak once a minute
MOST_CLAIMS = 20_000
MOST_SHOWN = 100  # trials of one screen


@dataclass(frozen=True)
class Screen:
    """A browser, by a number that it was given, and the name of whoever sits before it."""

    number: str
    name: str | None


class ScreenClaim(NamedTuple):
    """A trial is on a screen, as the page of that number shows it, until a time."""

    screen: Screen
    view: str
    until: float


class Shares(NamedTuple):
    """The open trials of a study, as one screen sees them."""

    mine: tuple[Trial, ...]
    others: tuple[tuple[Trial, Screen | None], ...]  # with the screen that has it, if any


@dataclass
class _Known:
    """Which trial is on which screen, by study and number."""

    claims: dict[tuple[str, int], ScreenClaim] = field(default_factory=dict)
    declined: set[tuple[str, int, str]] = field(default_factory=set)  # on purpose, and by whom

    def take(
        self, trial: tuple[str, int], screen: Screen, view: str, now: float, force: bool
    ) -> bool:
        there = self.claims.get(trial)
        if not force and there is not None and there.screen.number != screen.number:
            return False
        self.declined.discard((*trial, screen.number))
        self.claims[trial] = ScreenClaim(screen, view, now + LEASE)
        return True

    def forget(self, now: float) -> None:
        """Let go of what has run out; and of everything, should there be absurdly much."""
        gone = [place for place, claim in self.claims.items() if claim.until < now]
        for place in gone:
            del self.claims[place]
        for kept in (self.claims, self.declined):
            if len(kept) > MOST_CLAIMS:
                kept.clear()


class ScreenClaims:
    """Which trial is on which screen; for several threads, and processes that share a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._known = Shared(_Known, folder, "screens")

    def claim(
        self, study: str, numbers: Iterable[int], screen: Screen, view: str, force: bool = False
    ) -> list[int]:
        """Put trials on a screen, but for those that another one has; which it has now."""
        now = monotonic()
        with self._known.held() as known:
            known.forget(now)
            return [n for n in numbers if known.take((study, n), screen, view, now, force)]

    def let_go(
        self, study: str, numbers: Iterable[int], screen: Screen, view: str | None = None
    ) -> None:
        """Take trials off the screen. With the number of a page: only if no other shows them.

        Without one they are let go on purpose, and do not come back by themselves.
        """
        with self._known.held() as known:
            for number in numbers:
                there = known.claims.get((study, number))
                if there is None or there.screen.number != screen.number:
                    continue
                if view is None:
                    known.declined.add((study, number, screen.number))
                if view in (None, there.view):
                    del known.claims[study, number]

    def share_out(
        self,
        study: str,
        pending: Sequence[Trial],
        screen: Screen,
        view: str,
        known: set[int] | None = None,
    ) -> Shares:
        """The open trials: those of this screen, which gets what no other has, and the others.

        A page that looks again says which trials it shows (`known`), and gets no more by looking.
        """
        if not pending:
            return Shares((), ())
        now = monotonic()
        mine: list[Trial] = []
        others: list[tuple[Trial, Screen | None]] = []
        with self._known.held() as shown:
            shown.forget(now)
            for trial in pending:
                place = study, trial.number
                there = shown.claims.get(place)
                wanted = known is None or trial.number in known
                wanted = wanted and (*place, screen.number) not in shown.declined
                own = there is not None and there.screen.number == screen.number
                if (own or (there is None and wanted)) and len(mine) < MOST_SHOWN:
                    shown.take(place, screen, view, now, force=True)
                    mine.append(trial)
                else:
                    others.append((trial, None if there is None else there.screen))
        return Shares(tuple(mine), tuple(others))
