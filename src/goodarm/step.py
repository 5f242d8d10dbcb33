"""One step of a run, for one algorithm and one outcome model: choose, draw or receive, judge.

The only place where a step is put together. The loops that play runs (on a CPU, on a GPU, with
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
from goodarm.stopping.mixture import make_verdict
from goodarm.stopping.verdicts import verdict as boundary_verdict


class Step(NamedTuple):
    """The plain functions that make one step."""

    start: Callable[[Run], None]  # the rule's own memory, before the first step
    choose: Callable[[Run, int], int]  # the arm to pull after t observations, or NO_ARM
    receive: Callable[[Run, int, int, float], None]  # enters the t-th observation
    judge: Callable[[Run, int, int], int]  # CONTINUE, or the final answer, after it
    answer: Callable[[Run, int], int]  # the anytime recommendation


def make_step(algorithm: Algorithm, outcome: Outcome) -> Step:
    """The step of this algorithm for outcomes of this model."""
    rule = (
        algorithm.start, algorithm.choose, algorithm.observe, algorithm.answer, algorithm.verdict,
        algorithm.sweep,
    )  # fmt: skip
    return _step(*rule, outcome.functions)


@cache
def _step(
    start: Callable[[Run], None],
    choose: Callable[[Run, int], int],
    observe: Callable[[Run, int, int, float], None],
    answer: Callable[[Run, int], int],
    verdict: Callable[[Run, int, int], int],
    sweep: bool,
    functions: Functions,
) -> Step:
    record = make_record(functions)
    judge = make_verdict(functions) if verdict is boundary_verdict else verdict

    def choose_next(run: Run, t: int) -> int:
        """An arm that was never pulled, if the rule begins with one pull of each; else its choice.

        It changes nothing.
        """
        if sweep and run.clock[UNTRIED] < len(run.counts):
            return run.clock[UNTRIED]  # type: ignore[no-any-return]
        return choose(run, t)

    def receive(run: Run, t: int, arm: int, value: float) -> None:
        record(run, arm, value)
        observe(run, t, arm, value)

    return Step(start, choose_next, receive, judge, answer)
