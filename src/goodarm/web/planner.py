"""Plans in the background, one after another, with progress: how many trials would I need?"""

import secrets
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any

from goodarm.algorithms import algorithms
from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.planning import Plan
from goodarm.planning.planner import answer
from goodarm.planning.question import PlanQuestion
from goodarm.web.failures import BusyError, NotFoundError

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
NEEDED = {"anytime", "fixed-confidence"}
MOST_RUNS_HERE = 10_000
MOST_TRIALS_HERE = 100_000  # of one run
MOST_ARMS_HERE = 200
MOST_ALGORITHMS = 4
MOST_PLANS = 50  # to look at
MOST_WAITING = 4
EFFORT = 0.2  # of what `goodarm plan` simulates, since it is one thread that does it
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
        end = time.monotonic() + MOST_SECONDS

        def report(share: float) -> None:
            ticket.share = share
            if self._closing.is_set():
                raise InputError("the server is closing")
            if time.monotonic() > end:
                raise InputError(
                    f"this takes longer than {MOST_SECONDS:g} seconds, more than the server gives "
                    "to one plan; ask for fewer algorithms or trials, or run `goodarm plan`"
                )

        try:
            ticket.plan = answer(ticket.question, report, EFFORT, threads=1)
            ticket.state = FINISHED
        except InputError as error:
            ticket.error, ticket.state = str(error), FAILED
        except BaseException:
            ticket.error, ticket.state = "the simulation failed; the server's log says why", FAILED
            raise


def check_limits(question: PlanQuestion) -> None:
    """Refuse a question that is too large for a server that has other things to do."""
    arms = len(question.arms.names)
    if arms > MOST_ARMS_HERE:
        raise InputError(f"arms: {arms}; a plan on this server takes at most {MOST_ARMS_HERE}")
    if len(question.algorithms) > MOST_ALGORITHMS:
        raise InputError(f"algorithms: choose one to {MOST_ALGORITHMS}")
    if question.runs is not None and question.runs > MOST_RUNS_HERE:
        raise InputError(f"runs: {question.runs:,} is more than {MOST_RUNS_HERE:,}")
    if question.limit > MOST_TRIALS_HERE:
        raise InputError(f"budget: {question.limit:,} is more than {MOST_TRIALS_HERE:,} trials")


def plannable_algorithms() -> dict[str, str]:
    """The algorithms that can answer every question, with their one-line guides."""
    return {
        name: algorithm.summary
        for name, algorithm in algorithms.items()
        if set(algorithm.settings) >= NEEDED and not algorithm.needs
    }


def plannable_algorithm(name: str) -> str:
    """The name, if it is in the list: an algorithm can also be a file, but not by a request."""
    guides = plannable_algorithms()
    if name not in guides:
        raise InputError(f"algorithms: choose from {', '.join(guides)}")
    return name
