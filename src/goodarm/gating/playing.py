"""The loop of a gate: trials are kept running until the answer is certain, or the budget spent.

The statistics are those of `goodarm.experiment`. Outcomes count in the order of asking, arm by arm
(`goodarm.asked_order`): where failures take longer than successes, counting each as it ends would
flatter the arm.
"""

import math
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from time import monotonic

from goodarm.asked_order import AskedOrder
from goodarm.gating.exact import ExactExperiment
from goodarm.gating.limits import shown_limits
from goodarm.gating.question import FAIL, Call, GateQuestion, Reader
from goodarm.gating.result import (
    INTERRUPTED,
    NONE_CLEARS,
    ONE_CLEARS,
    STOPPED,
    UNDECIDED,
    ArmTally,
    GateResult,
)
from goodarm.gating.workers import Workers
from goodarm.outcomes.contract import Reading


class CannotRunError(Exception):
    """Nothing was tried at all, so there is nothing to count or to try again."""


class TrialError(Exception):
    """A trial gave no outcome, and the gate was told to stop then; its cause says why."""


class RunningGate:
    """A gate while it runs: what was asked, what came out, what is still awaited."""

    def __init__(self, question: GateQuestion) -> None:
        self.question = question
        self.experiment = question.experiment()
        self.asked = self.entered = self.failed = self.retried = 0
        self._read = Reader(question)
        self._policy = question.error_policy
        self._order = AskedOrder()
        self._open: dict[int, int] = {}  # the arm of every trial that is running, as asked
        self._retries: dict[int, int] = {}
        self._began = monotonic()

    def play(
        self, workers: Workers, heard: Callable[["RunningGate"], None] | None = None
    ) -> GateResult:
        """Make trials until the stopping rule has spoken or nothing may be tried any more.

        `heard` is called after each outcome. A trial that gives none may raise a TrialError.
        """
        running: dict[Future[object], Call] = {}
        try:
            while not self.experiment.finished:
                while len(running) < workers.many and (call := self._next()) is not None:
                    running[workers.submit(call)] = call
                if not running:
                    break
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda one: running[one].trial):
                    call = running.pop(future)
                    if not self._take(call, future):
                        running[workers.submit(call)] = call
                if heard is not None:
                    heard(self)
        finally:
            workers.close()
        return self.result()

    def _next(self) -> Call | None:
        """The next trial, if there is to be one."""
        if self.asked == self.question.budget:
            return None
        waiting = [arm for arm in self._order.arms() for _ in range(self._order.waiting(arm))]
        arm = self.experiment.next_arm([*self._open.values(), *waiting])
        if arm is None:
            return None
        self.asked += 1
        self._open[self.asked] = arm
        return self.question.call(arm, self.asked)

    def _take(self, call: Call, future: "Future[object]") -> bool:
        """Count what a trial gave; False if it is to be made again."""
        if self.experiment.finished:
            return True  # what comes after the answer does not count, nor does an error
        try:
            told = self._read(future.result())
        except Exception as error:
            replaced = self._after_error(call, error)
            if replaced is None:
                return False
            told = replaced
        if self._read.has_sizes and isinstance(self.experiment, ExactExperiment):
            self._allow_sizes()
        arm = self._open.pop(call.trial)
        self._order.put(arm, call.trial, told)
        first_open = next((trial for trial, other in self._open.items() if other == arm), None)
        for ready in self._order.release(arm, first_open):
            self._enter(arm, ready)
        return True

    def _enter(self, arm: int, told: Reading) -> None:
        """An outcome whose turn has come; several may come up, the first of which decide."""
        if not self.experiment.finished:
            self.experiment.enter(arm, told)
            self.entered += 1

    def _allow_sizes(self) -> None:
        """Begin anew without a limit of outcomes; so far there are failures of errors, at most."""
        counts, self.experiment = self.experiment.run.counts, self.question.experiment(True)
        for arm, count in enumerate(counts):
            for _ in range(count):
                self.experiment.enter(arm, self.question.worst or Reading(0.0))

    def _after_error(self, call: Call, error: Exception) -> Reading | None:
        """The outcome that an error counts as; None to try again."""
        if not isinstance(error, CannotRunError):
            if self._policy.kind == FAIL:
                self.failed += 1
                return self.question.worst
            tried = self._retries.get(call.trial, 0)
            if tried < self._policy.retries:
                self._retries[call.trial] = tried + 1
                self.retried += 1
                return None
        arm = f" of arm {call.arm!r}" if len(self.question.arms) > 1 else ""
        raise TrialError(f"trial {call.trial}{arm} gave no outcome: {error}") from error

    def expected_left(self) -> int | None:
        """About how many more trials it takes if outcomes go on as they have; None if unknown.

        A rough figure for a person who waits: certificates grow in proportion to the trials.
        """
        experiment, levels = self.experiment, self.experiment.boundary.levels
        leader = experiment.recommendation
        if leader is None:
            arms = [arm for arm, active in enumerate(experiment.run.active) if active]
            side, level = 1, levels.none
        else:
            arms, side, level = [leader], 0, levels.name
        total = 0.0
        for arm in arms:
            now = experiment.certificates(arm)[side]
            if now <= 0.0:
                return None
            total += experiment.run.counts[arm] * max(level / now - 1.0, 0.0)
        return math.ceil(total)

    def result(self, error: str | None = None, interrupted: bool = False) -> GateResult:
        """Where the gate stands."""
        question, experiment = self.question, self.experiment
        arm = experiment.conclusion if experiment.finished else None
        if experiment.finished:
            verdict = NONE_CLEARS if arm is None else ONE_CLEARS
        elif interrupted:
            verdict = INTERRUPTED
        else:
            verdict = UNDECIDED if error is None else STOPPED
        return GateResult(
            verdict=verdict,
            arm=None if arm is None else question.arms[arm],
            bar=question.bar,
            goal=question.goal,
            delta=question.delta,
            outcome=question.model.text(),
            confidence=experiment.confidence,
            trials=self.entered,
            budget=question.budget,
            unused=self.asked - self.entered - (error is not None),
            failed=self.failed,
            retried=self.retried,
            seed=question.seed,
            seconds=monotonic() - self._began,
            error=error,
            arms=self._tallies(),
        )

    def _tallies(self) -> tuple[ArmTally, ...]:
        """Every arm with its limits, which never contradict the answer."""
        experiment, model = self.experiment, self.experiment.model
        bar, delta, goal = self.question.bar, self.question.delta, self.question.goal
        lows, highs = shown_limits(experiment, bar, delta, goal)
        return tuple(
            ArmTally(
                arm=name,
                count=experiment.run.counts[a],
                mean=experiment.mean(a),
                low=model.low if lows[a] is None else lows[a],
                high=model.high if highs[a] is None else highs[a],
            )
            for a, name in enumerate(experiment.names)
        )
