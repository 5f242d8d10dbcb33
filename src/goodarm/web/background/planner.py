"""Plans in the background, one after another, with progress: how many trials would I need?"""

import os
import secrets
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.planning import Plan
from goodarm.planning.question import PlanQuestion
from goodarm.remote.failures import BusyError, NotFoundError
from goodarm.remote.plans import bounded_answer, check_limits
from goodarm.web.server.shared import Shared

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
MOST_PLANS = 50  # to look at
MOST_WAITING = 4
NOTED_EVERY = 0.1  # seconds: progress
MOST_SECONDS = 120.0  # the first plan compiles, which takes a while


@dataclass
class PlanTicket:
    """A plan to be made, under way, or made."""

    number: str
    question: PlanQuestion
    maker: int  # the number of a process
    state: str = WAITING
    share: float = 0.0
    error: str | None = None
    plan: Plan | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (FINISHED, FAILED)

    def to_dict(self) -> dict[str, Any]:
        """The progress and the plan as plain data."""
        return {
            "id": self.number,
            "state": self.state,
            "share": self.share,
            "error": self.error,
            "plan": None if self.plan is None else self.plan.to_dict(),
        }


class Planner:
    """Plans, one after another in a thread of their own; the latest are kept for looking at.

    Processes that share a folder know each other's plans.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._tickets = Shared[OrderedDict[str, PlanTicket]](OrderedDict, folder, "plans")
        self._closing = Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="goodarm-plan")

    def submit(self, question: PlanQuestion) -> PlanTicket:
        """Begin a plan, or wait for those before it."""
        need(LAB, "a plan")
        check_limits(question)
        with self._tickets.held() as tickets:
            for ticket in tickets.values():
                _check_maker(ticket)
            if sum(not ticket.is_over for ticket in tickets.values()) >= MOST_WAITING:
                raise BusyError("other plans are waiting; try again in a moment")
            ticket = PlanTicket(secrets.token_urlsafe(9), question, os.getpid())
            tickets[ticket.number] = ticket
            while len(tickets) > MOST_PLANS:
                tickets.popitem(last=False)
        self._thread.submit(self._make, ticket.number, question)
        return ticket

    def find(self, number: str) -> PlanTicket:
        """The plan of that number."""
        with self._tickets.held() as tickets:
            if number not in tickets:
                raise NotFoundError("there is no such plan; plans are forgotten after a while")
            _check_maker(tickets[number])
            return tickets[number]

    def close(self) -> None:
        """Give up what is under way, and let go of what has not begun."""
        self._closing.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _make(self, number: str, question: PlanQuestion) -> None:
        self._note(number, state=RUNNING)
        noted = monotonic()

        def heard(share: float) -> None:
            nonlocal noted
            if self._closing.is_set():
                raise InputError("the server is closing")
            if monotonic() > noted + NOTED_EVERY:
                self._note(number, share=share)
                noted = monotonic()

        try:
            plan = bounded_answer(question, heard, MOST_SECONDS)
            self._note(number, state=FINISHED, share=1.0, plan=plan)
        except InputError as error:
            self._note(number, state=FAILED, error=str(error))
        except BaseException:
            said = "the simulation failed; the server's log says why"
            self._note(number, state=FAILED, error=said)
            raise

    def _note(self, number: str, **news: Any) -> None:
        with self._tickets.held() as tickets:
            if number in tickets:
                for what, value in news.items():
                    setattr(tickets[number], what, value)


def _check_maker(ticket: PlanTicket) -> None:
    """A plan does not outlive the process that makes it."""
    if not ticket.is_over and ticket.maker != os.getpid():
        try:
            os.kill(ticket.maker, 0)
        except OSError:
            ticket.state, ticket.error = FAILED, "its process has ended; begin it again"
