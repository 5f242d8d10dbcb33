"""One step of a run, for one algorithm and one outcome model: choose, draw or receive, judge.

A step is put together here and nowhere else. The loops that play runs (on a CPU, on a GPU, with
delays, by splitting, as a trace, as a forecast) and the live experiment differ in where the run
lives and what they count, not in the step.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from goodarm.algorithms.contract import Algorithm
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Functions
from goodarm.outcomes.record import make_record
from goodarm.run import UNTRIED, Run
from goodarm.stopping.verdicts import boundary_verdict, make_verdict


class Step(NamedTuple):
    """The plain functions that make one step."""

    start: Callable[[Run], None]  # the algorithm's own memory, before the first step
    choose: Callable[[Run, int], int]  # the arm to pull after t observations, or NO_ARM
    receive: Callable[[Run, int, int, float], None]  # enters the t-th observation
    judge: Callable[[Run, int, int], int]  # CONTINUE, or the final answer, after it
    answer: Callable[[Run, int], int]  # the anytime recommendation


def make_step(algorithm: Algorithm, outcome: Outcome) -> Step:
    """The step of this algorithm for outcomes of this model."""
    verdict = algorithm.verdict
    judge = make_verdict(outcome.functions) if verdict is boundary_verdict else verdict
    choose = _sweeping(algorithm.choose) if algorithm.sweep else algorithm.choose
    receive = _receiving(outcome.functions, algorithm.observe)
    return _step(algorithm.start, choose, receive, judge, algorithm.answer)


# Algorithms with the same functions share their steps, and so their compiled loops.
_step = cache(Step)


@cache
def _sweeping(choose: Callable[[Run, int], int]) -> Callable[[Run, int], int]:

    def choose_next(run: Run, t: int) -> int:
        """An arm that was never pulled, while there is one; then the algorithm's choice."""
        if run.clock[UNTRIED] < len(run.counts):
            return run.clock[UNTRIED]
        return choose(run, t)

    return choose_next


@cache
def _receiving(
    functions: Functions, observe: Callable[[Run, int, int, float], None]
) -> Callable[[Run, int, int, float], None]:
    record = make_record(functions)

    def receive(run: Run, t: int, arm: int, value: float) -> None:
        record(run, arm, value, 1.0, 1)
        observe(run, t, arm, value)

    return receive


def make_enter(
    algorithm: Algorithm, outcome: Outcome
) -> Callable[[Run, int, int, float, float, int], None]:
    """As `Step.receive`, for outcomes that were told with a size: live ones only."""
    record, observe = make_record(outcome.functions), algorithm.observe

    def enter(run: Run, t: int, arm: int, value: float, size: float, many: int) -> None:
        """Whatever its size, an algorithm with a memory of its own sees one outcome."""
        record(run, arm, value, size, many)
        observe(run, t, arm, value / many)

    return enter
