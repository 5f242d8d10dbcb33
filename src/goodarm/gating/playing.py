"""The loop of a gate: trials are kept running until the answer is certain, or the budget spent.

The statistics are those of `goodarm.experiment`. Outcomes count in the order of asking, arm by arm
(`goodarm.asked_order`): where failures take longer than successes, counting each as it ends would
flatter the arm.
"""

from collections.abc import Callable, Sequence
from time import monotonic

from goodarm.asked_order import AskedOrder
from goodarm.gating.exact import ExactExperiment
from goodarm.gating.limits import shown_limits
from goodarm.gating.loop import CannotRunError, Ended, Exchange, Loop, TrialError
from goodarm.gating.progress import Headway, expected_left, headway
from goodarm.gating.question import Call, GateQuestion, Reader, worst_outcome
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

__all__ = ["CannotRunError", "RunningGate", "TrialError"]


class RunningGate:
    """A gate while it runs: what was asked, what came out, what is still awaited.

    It is a source of trials for `loop.Loop`, in memory.
    """

    keeps = False  # the answer is all that remains of it
    looks_ahead = False

    def __init__(self, question: GateQuestion) -> None:
        self.question = question
        self.experiment = question.experiment()
        self.asked = self.entered = self.failed = self.retried = 0
        self._reader = Reader(question)
        self._order = AskedOrder()
        self._open: dict[int, int] = {}  # the arm of every trial that is running, as asked
        self._began = monotonic()

    def play(
        self, workers: Workers, heard: Callable[["RunningGate"], None] | None = None
    ) -> GateResult:
        """Make trials until the stopping rule has spoken or nothing may be tried any more.

        `heard` is called after outcomes. A trial that gives none may raise a TrialError.
        """
        self.loop(workers, None if heard is None else lambda: heard(self)).play()
        return self.result()

    def loop(self, workers: Workers, heard: Callable[[], object] | None = None) -> Loop:
        """What keeps the trials running, for those who want to interrupt it."""
        return Loop(self, workers, self.question.error_policy, heard)

    @property
    def finished(self) -> bool:
        """Whether the stopping rule has spoken."""
        return self.experiment.finished

    def exchange(self, ended: Sequence[Ended], wanted: int) -> Exchange:
        """Count outcomes, and ask for trials; what comes after the answer does not count."""
        for one in ended:
            assert isinstance(one.told, Reading)  # there is one measurement
            self._take(one.call, one.told)
        calls: list[Call] = []
        while len(calls) < wanted:
            call = self._next()
            if call is None:
                break
            calls.append(call)
        return Exchange(calls)

    def read(self, given: object) -> Reading:
        """What a trial gave as an outcome."""
        return self._reader(given)

    @property
    def worst(self) -> Reading:
        """The outcome on the bad side beyond which there is none."""
        return worst_outcome(self.question.model, self.question.goal)

    def title(self, call: Call) -> str:
        """The trial's number, and its arm if there are others."""
        arm = f" of arm {call.arm!r}" if len(self.question.arms) > 1 else ""
        return f"trial {call.trial}{arm}"

    def drop(self, calls: Sequence[Call], why: BaseException | str) -> None:
        """Nothing is kept of a trial without an outcome."""

    def remedies(self) -> list[str]:
        """Nothing more can be done about a trial without an outcome."""
        return []

    def fates(self, loop: Loop) -> dict[str, list[int]]:
        """Trials that run at the end are given up, and the result says how many."""
        return {}

    def pause(self) -> bool:
        """Nobody else makes trials."""
        return False

    def beat(self) -> None:
        """Nobody else waits for them."""

    def _next(self) -> Call | None:
        """The next trial, if there is to be one."""
        if self.finished or self.asked == self.question.budget:
            return None
        waiting = [arm for arm in self._order.arms() for _ in range(self._order.waiting(arm))]
        arm = self.experiment.next_arm([*self._open.values(), *waiting])
        if arm is None:
            return None
        self.asked += 1
        self._open[self.asked] = arm
        return self.question.call(arm, self.asked)

    def _take(self, call: Call, told: Reading) -> None:
        if self.finished:
            return
        if self._reader.has_sizes and isinstance(self.experiment, ExactExperiment):
            self._allow_sizes()
        arm = self._open.pop(call.trial)
        self._order.put(arm, call.trial, told)
        first_open = next((trial for trial, other in self._open.items() if other == arm), None)
        for ready in self._order.release(arm, first_open):
            self._enter(arm, ready)

    def _enter(self, arm: int, told: Reading) -> None:
        """An outcome whose turn has come; several may come up, the first of which decide."""
        if not self.finished:
            self.experiment.enter(arm, told)
            self.entered += 1

    def _allow_sizes(self) -> None:
        """Begin anew without a limit of outcomes; so far there are failures of errors, at most."""
        counts, self.experiment = self.experiment.run.counts, self.question.experiment(True)
        for arm, count in enumerate(counts):
            for _ in range(count):
                self.experiment.enter(arm, self.worst)

    def progress(self) -> Headway:
        """How far it has come."""
        return headway(self.experiment, self.entered)

    def expected_left(self) -> int | None:
        """About how many more trials it takes if outcomes go on as they have; None if unknown."""
        return expected_left(self.experiment)

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
