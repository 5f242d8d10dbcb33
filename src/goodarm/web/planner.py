"""Small simulations in the background, with progress: how many trials would I need?"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from goodarm.errors import InputError
from goodarm.simulation import simulate
from goodarm.web.failures import BusyError, NotFoundError
from goodarm.web.plan import FAILED, FINISHED, MOST_PULLS, RUNNING, Plan, Question

T = TypeVar("T")
MOST_KEPT = 50
MOST_WAITING = 4
CHUNKS = 40  # so many steps of progress for each algorithm


class Counted(Executor):
    """One thread that plays chunks and counts their runs in a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="goodarm-plan-runs")

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        """Play a chunk: a job, its first run, and the one after its last."""
        future = self._thread.submit(work, *args, **kwargs)
        runs = int(args[2]) - int(args[1])
        future.add_done_callback(lambda _: self._count(runs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait, cancel_futures=cancel_futures)

    def _count(self, runs: int) -> None:
        self._plan.done += runs


class Planner:
    """Plans, one after another in a thread of their own; the latest are kept for looking at."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._plans: OrderedDict[str, Plan] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="goodarm-plan")

    def submit(self, question: Question) -> Plan:
        """Begin a simulation, or wait for those before it."""
        with self._lock:
            if sum(not plan.is_over for plan in self._plans.values()) >= MOST_WAITING:
                raise BusyError("other simulations are waiting; try again in a moment")
            plan = Plan(secrets.token_urlsafe(9), question)
            self._plans[plan.number] = plan
            while len(self._plans) > MOST_KEPT:
                self._plans.popitem(last=False)
        self._thread.submit(_run, plan)
        return plan

    def find(self, number: str) -> Plan:
        """The plan of that number."""
        with self._lock:
            if number not in self._plans:
                raise NotFoundError("there is no such plan; plans are forgotten after a while")
            return self._plans[number]

    def close(self) -> None:
        """Let go of what has not begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _run(plan: Plan) -> None:
    asked = plan.question
    plan.state = RUNNING
    executor = Counted(plan)
    try:
        results = simulate(
            asked.instance,
            asked.algorithms,
            delta=asked.delta,
            horizon=asked.horizon,
            cap=None if asked.delta is None else MOST_PULLS,
            runs=asked.runs,
            seed=asked.seed,
            threads=1,
            chunk=-(-asked.runs // CHUNKS),
            executor=executor,
        )
        plan.results = [result.to_dict() for result in results.values()]
        plan.state = FINISHED
    except InputError as error:
        plan.error, plan.state = str(error), FAILED
    except BaseException:
        plan.error, plan.state = "the simulation failed; the server's log says why", FAILED
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
