"""Trials are kept running: begun as they are asked for, heard as they end, made again or given up.

Where they come from and where their outcomes go is the *source*: the memory of a gate
(`playing.py`), or the database of a study. Everything else about running trials is here, once.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from time import monotonic
from typing import NamedTuple, Protocol

from goodarm.gating.pace import Pace
from goodarm.gating.question import FAIL, Call, OnError
from goodarm.gating.workers import Workers
from goodarm.outcomes.contract import Reading

INTERRUPTED, NOT_BEGUN = "interrupted while it ran", "not begun"
LOOK_UP = 0.2  # seconds between two looks whether someone wants to interrupt, or a lease to end


class FruitlessError(Exception):
    """A trial was made, or could not be made, and there is no outcome; says why."""


class CannotRunError(FruitlessError):
    """Nothing was tried at all, so there is nothing to count or to try again."""


class TrialError(Exception):
    """A trial gave no outcome, and that ends the run; its cause says why."""


Told = Reading | Mapping[str, Reading]
"""What came out of a trial: an outcome, or one for each of several measurements."""


class Ended(NamedTuple):
    """A trial and what came out."""

    call: Call
    told: Told


class Exchange(NamedTuple):
    """What a source gives for outcomes: trials to be made, and outcomes that it does not take."""

    calls: Sequence[Call]
    refused: Sequence[tuple[Call, Exception]] = ()


class TrialSource(Protocol):
    """As the module's docstring says."""

    keeps: bool
    """Whether trials that run when no more are to begin are waited for, and their outcomes kept."""
    looks_ahead: bool
    """Whether taking outcomes is slow, so that more trials should be asked for than run."""
    failed: int
    """Errors that were taken for failures."""
    retried: int
    """Errors after which a trial was made again."""

    @property
    def finished(self) -> bool:
        """Whether no more trials are to begin."""
        ...

    def exchange(self, ended: Sequence[Ended], wanted: int) -> Exchange:
        """Take outcomes, oldest trial first, and give at most so many trials to be made now."""
        ...

    def read(self, given: object) -> Told:
        """What a trial gave as an outcome; an InputError if it is none."""
        ...

    @property
    def worst(self) -> Told:
        """What an error counts as, if errors count."""
        ...

    def title(self, call: Call) -> str:
        """What a message calls a trial."""
        ...

    def drop(self, calls: Sequence[Call], why: BaseException | str) -> None:
        """There will be no outcome of these trials."""
        ...

    def pause(self) -> bool:
        """Nothing runs here and nothing is to begin: wait a moment if that may change by itself."""
        ...

    def beat(self) -> None:
        """Say that the trials which were given out are still being made."""
        ...


class Loop:
    """Keeps as many trials running as there are workers, until the source has had enough.

    `heard` is called after outcomes were taken. With a source that keeps what was begun, errors and
    Ctrl-C end the play only when the trials that run have ended; a second Ctrl-C gives them up.
    """

    def __init__(
        self,
        source: TrialSource,
        workers: Workers,
        policy: OnError,
        heard: Callable[[], object] | None = None,
    ) -> None:
        self._source, self._workers, self._policy = source, workers, policy
        self._heard = heard
        self._ready: deque[Call] = deque()  # given, and not handed to a worker yet
        self._running: dict[Future[object], Call] = {}
        self._ended: dict[int, Ended] = {}  # by trial: not taken yet
        self._retries: dict[int, int] = {}
        self._interrupted = False
        self.winds_up = False  # no more trials begin
        self.waits: Callable[[list[int]], object] | None = None  # told which trials are let end
        self.let_end: list[int] = []  # trials that ended after no more were to begin
        self._pace = Pace(workers.many if source.looks_ahead and workers.queue else 0)

    @property
    def untold(self) -> list[Ended]:
        """The outcomes that the source has not taken, should it have failed."""
        return [self._ended[trial] for trial in sorted(self._ended)]

    @property
    def running(self) -> list[int]:
        """The trials that run now, or wait for a worker."""
        return sorted(call.trial for call in self._running.values())

    def play(self) -> None:
        """Make trials. One that gives no outcome may raise a TrialError."""
        try:
            try:
                self._keep_going()
            finally:
                if self._source.keeps:
                    self._wind_up()
        finally:
            self._workers.close()
            if self._source.keeps:
                self._give_up()

    def interrupt(self) -> None:
        """For a signal's handler: `play` soon raises KeyboardInterrupt, with nothing half done."""
        self._interrupted = True

    def _keep_going(self) -> None:
        while True:
            self._exchange(self._room() - len(self._ready))
            if self._source.finished:
                return
            self._fill()
            if self._running:
                self._hear()
                until = monotonic() + self._pace.patience
                while self._pace.may_wait(len(self._running)) and monotonic() < until:
                    self._hear(until)  # several outcomes together
            elif self._source.pause():
                self._heed()
            else:
                return

    def _wind_up(self) -> None:
        """No more trials begin, and those that run are kept."""
        self.winds_up = True
        self._withdraw()
        if self._running and self.waits is not None:
            self.waits(self.running)
        trouble: Exception | None = None
        while self._running:
            before = self.running
            self._hear()
            self.let_end += [trial for trial in before if trial not in self.running]
            self.let_end.sort()
            try:
                self._exchange(0)
            except Exception as error:  # it may pass while the others run
                trouble = error
        if self._ended:
            self._exchange(0)
        elif trouble is not None:
            raise trouble

    def _withdraw(self) -> None:
        """Trials that no worker has begun will not begin."""
        if self._workers.queue:
            for future, call in list(self._running.items()):
                if future.cancel():
                    del self._running[future]
                    self._ready.append(call)
        self._source.drop(list(self._ready), NOT_BEGUN)
        self._ready.clear()

    def _give_up(self) -> None:
        """Whoever made trials has been told to end; what came out all the same is kept."""
        interrupted = []
        for future, call in list(self._running.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                self._finish(call, future)
            else:
                interrupted.append(call)
        self._running.clear()
        self._source.drop(interrupted, INTERRUPTED)
        if self._ended:
            self._exchange(0)

    def _exchange(self, wanted: int) -> None:
        """Hand in what has ended, and get trials to be made."""
        ended, began = self.untold, monotonic()
        given = self._source.exchange(ended, wanted)
        if ended:
            self._pace.note(monotonic() - began, self._workers.seconds)
        self._ended.clear()
        self._ready.extend(given.calls)
        for call, error in given.refused:
            self._stop(call, error)
        if ended and self._heard is not None:
            self._heard()

    def _fill(self) -> None:
        """Let every worker have a trial, if there are enough."""
        while self._ready and self._room() > 0:
            self._begin(self._ready.popleft())

    def _room(self) -> int:
        """How many more trials may be handed to the workers: a few wait for their turn there."""
        return self._workers.many + self._pace.ahead - len(self._running)

    def _begin(self, call: Call) -> None:
        try:
            self._running[self._workers.submit(call)] = call
        except BaseException as error:
            self._source.drop([call], error)
            raise

    def _hear(self, until: float = math.inf) -> None:
        """Wait until at least one trial has ended, or until then, and see what came out."""
        done: set[Future[object]] = set()
        while not done and (now := monotonic()) < until:
            patience = min(until - now, LOOK_UP)
            done, _ = wait(self._running, patience, FIRST_COMPLETED)
            self._heed()
            self._source.beat()
        for future in sorted(done, key=lambda one: self._running[one].trial):
            self._finish(self._running[future], future)
            self._running.pop(future, None)

    def _finish(self, call: Call, future: "Future[object]") -> None:
        try:
            self._ended[call.trial] = Ended(call, self._source.read(future.result()))
            return
        except Exception as error:
            wrong = error  # dealt with below, or it would be the context of whatever comes later
        except BaseException as error:
            self._running.pop(future, None)
            self._source.drop([call], error)
            raise
        self._exchange(0)  # what ended before it may be the answer
        self._running.pop(future, None)
        self._after_error(call, wrong)

    def _after_error(self, call: Call, error: Exception) -> None:
        """Count the error, make the trial again, or stop: as someone has said."""
        if self._source.finished and not self._source.keeps:
            return
        if isinstance(error, CannotRunError):
            self._stop(call, error)
        elif self._policy.kind == FAIL:
            self._source.failed += 1
            self._ended[call.trial] = Ended(call, self._source.worst)
        elif self._retries.get(call.trial, 0) < self._policy.retries:
            self._retries[call.trial] = self._retries.get(call.trial, 0) + 1
            self._source.retried += 1
            self._begin(call)
        else:
            self._stop(call, error)

    def _stop(self, call: Call, error: Exception) -> None:
        """A trial has no outcome, which ends the play unless that ends anyway."""
        self._source.drop([call], error)
        if not self.winds_up and not self._source.finished:
            raise TrialError(f"{self._source.title(call)} gave no outcome: {error}") from error

    def _heed(self) -> None:
        if self._interrupted:
            self._interrupted = False
            raise KeyboardInterrupt
