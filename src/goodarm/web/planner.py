"""Plans in the background, one after another, with progress: how many trials would I need?"""

import secrets
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any

from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.planning import Plan
from goodarm.planning.question import PlanQuestion
from goodarm.remote.failures import BusyError, NotFoundError
from goodarm.remote.plans import bounded_answer, check_limits

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
MOST_PLANS = 50  # to look at
MOST_WAITING = 4
MOST_SECONDS = 120.0  # the first plan compiles, which takes a while


@dataclass
class PlanTicket:
    """A plan to be made, under way, or made."""

    number: str
    question: PlanQuestion
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
    """Plans, one after another in a thread of their own; the latest are kept for looking at."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tickets: OrderedDict[str, PlanTicket] = OrderedDict()
        self._closing = Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="goodarm-plan")

    def submit(self, question: PlanQuestion) -> PlanTicket:
        """Begin a plan, or wait for those before it."""
        need(LAB, "a plan")
        check_limits(question)
        with self._lock:
            if sum(not ticket.is_over for ticket in self._tickets.values()) >= MOST_WAITING:
                raise BusyError("other plans are waiting; try again in a moment")
            ticket = PlanTicket(secrets.token_urlsafe(9), question)
            self._tickets[ticket.number] = ticket
            while len(self._tickets) > MOST_PLANS:
                self._tickets.popitem(last=False)
        self._thread.submit(self._make, ticket)
        return ticket

    def find(self, number: str) -> PlanTicket:
        """The plan of that number."""
        with self._lock:
            if number not in self._tickets:
                raise NotFoundError("there is no such plan; plans are forgotten after a while")
            return self._tickets[number]

    def close(self) -> None:
        """Give up what is under way, and let go of what has not begun."""
        self._closing.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _make(self, ticket: PlanTicket) -> None:
        ticket.state = RUNNING

        def heard(share: float) -> None:
            ticket.share = share
            if self._closing.is_set():
                raise InputError("the server is closing")

        try:
            ticket.plan = bounded_answer(ticket.question, heard, MOST_SECONDS)
            ticket.state = FINISHED
        except InputError as error:
            ticket.error, ticket.state = str(error), FAILED
        except BaseException:
            ticket.error, ticket.state = "the simulation failed; the server's log says why", FAILED
            raise
