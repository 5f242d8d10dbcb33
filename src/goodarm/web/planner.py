"""Plans in the background, one after another, with progress: how many trials would I need?"""

import secrets
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

from goodarm.errors import InputError
from goodarm.planning.planner import answer
from goodarm.planning.question import Question
from goodarm.web.failures import BusyError, NotFoundError
from goodarm.web.plan import FAILED, FINISHED, RUNNING, Asked, check_limits

MOST_KEPT = 50
MOST_WAITING = 4
EFFORT = 0.2  # of what `goodarm plan` simulates, since it is one thread that does it
MOST_SECONDS = 120.0  # the first plan compiles, which takes a while


class Planner:
    """Plans, one after another in a thread of their own; the latest are kept for looking at."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked: OrderedDict[str, Asked] = OrderedDict()
        self._closing = Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="goodarm-plan")

    def submit(self, question: Question) -> Asked:
        """Begin a plan, or wait for those before it."""
        check_limits(question)
        with self._lock:
            if sum(not asked.is_over for asked in self._asked.values()) >= MOST_WAITING:
                raise BusyError("other plans are waiting; try again in a moment")
            asked = Asked(secrets.token_urlsafe(9), question)
            self._asked[asked.number] = asked
            while len(self._asked) > MOST_KEPT:
                self._asked.popitem(last=False)
        self._thread.submit(self._make, asked)
        return asked

    def find(self, number: str) -> Asked:
        """The plan of that number."""
        with self._lock:
            if number not in self._asked:
                raise NotFoundError("there is no such plan; plans are forgotten after a while")
            return self._asked[number]

    def close(self) -> None:
        """Give up what is under way, and let go of what has not begun."""
        self._closing.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _make(self, asked: Asked) -> None:
        asked.state = RUNNING
        end = time.monotonic() + MOST_SECONDS

        def report(share: float) -> None:
            asked.share = share
            if self._closing.is_set():
                raise InputError("the server is closing")
            if time.monotonic() > end:
                raise InputError(
                    f"this takes longer than {MOST_SECONDS:g} seconds, more than the server gives "
                    "to one plan; ask for fewer rules or trials, or run `goodarm plan`"
                )

        try:
            asked.plan = answer(asked.question, report, EFFORT, threads=1)
            asked.state = FINISHED
        except InputError as error:
            asked.error, asked.state = str(error), FAILED
        except BaseException:
            asked.error, asked.state = "the simulation failed; the server's log says why", FAILED
            raise
