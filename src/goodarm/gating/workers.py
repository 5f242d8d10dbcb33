"""Who makes the trials: this thread, several, or an executor (`coroutines.py` has an event loop).

Workers have a number, `many`, take a call and promise what it gives (`submit`), and give up at the
end whatever is still running (`close`). Nothing here knows what a gate is.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import Protocol

from goodarm.gating.pace import smoothed
from goodarm.gating.question import Call

MOST_WORKERS = 1000

Play = Callable[[Call], object]


class Workers(Protocol):
    """As the module's docstring says."""

    many: int
    queue: bool
    """Whether trials beyond those wait for their turn, and can be withdrawn until then."""
    seconds: float
    """How long a trial takes, about, where there is a queue; 0 if that is not known."""

    def submit(self, call: Call) -> "Future[object]":
        """Begin a trial; what it gives comes later."""
        ...

    def close(self) -> None:
        """Give up the trials that still run, and wait until they have ended."""
        ...


class OneByOne:
    """One trial after another, in this thread."""

    many = 1
    queue = False
    seconds = 0.0

    def __init__(self, play: Play) -> None:
        self._play = play

    def submit(self, call: Call) -> "Future[object]":
        """The trial, which has been made when this returns."""
        future: Future[object] = Future()
        try:
            future.set_result(self._play(call))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing runs."""


class Threads:
    """Several trials at once; `give_up` tells those that run to end."""

    queue = True

    def __init__(self, play: Play, many: int, give_up: Callable[[], None] | None = None) -> None:
        self.many = many
        self._play = play
        self._give_up = give_up
        self._pool = ThreadPoolExecutor(many, thread_name_prefix="goodarm-trial")
        self.seconds = 0.0

    def submit(self, call: Call) -> "Future[object]":
        """Begin a trial in a thread of its own."""
        return self._pool.submit(self._make, call)

    def _make(self, call: Call) -> object:
        began = monotonic()
        try:
            return self._play(call)
        finally:
            self.seconds = smoothed(self.seconds, monotonic() - began)

    def close(self) -> None:
        """A command can be ended; a function cannot, so it is waited for."""
        if self._give_up is not None:
            self._give_up()
        self._pool.shutdown(wait=True, cancel_futures=True)


class Elsewhere:
    """Several trials at once with someone's executor, which is not shut down here."""

    queue = False
    seconds = 0.0

    def __init__(self, begin: "Callable[[Call], Future[object]]", many: int) -> None:
        self.many = many
        self._begin = begin
        self._begun: set[Future[object]] = set()

    def submit(self, call: Call) -> "Future[object]":
        """Begin a trial, wherever the executor does that."""
        future = self._begin(call)
        self._begun.add(future)
        future.add_done_callback(self._begun.discard)
        return future

    def close(self) -> None:
        """Trials that have not begun will not begin; those that have are waited for."""
        left = list(self._begun)
        wait([future for future in left if not future.cancel()])
