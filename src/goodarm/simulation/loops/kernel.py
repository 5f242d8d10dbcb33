"""The loop that plays many runs of one algorithm; compiled once, for all modes."""

from collections.abc import Callable
from typing import Any, NamedTuple

from goodarm.run import CONTINUE, NONE, UNDEFINED, IntSequence, Run, reset
from goodarm.simulation.loops.compiler import Parts
from goodarm.simulation.loops.rewards import Arms

CONFIDENCE_MODE, BUDGET_MODE, ANYTIME_MODE = range(3)
# Positions in `control`, which the caller and the running kernel share: whether to give up, and
# the steps made so far.
CANCEL, PROGRESS = range(2)
CHECK_EVERY = 4095  # a mask: how often a long run looks whether it should give up


class Orders(NamedTuple):
    """What is asked of the loop: to play runs first..last−1, how, and what a right answer is."""

    mode: int
    first: int
    last: int
    limit: int  # pulls of a run
    times: IntSequence  # when to look at the answer in anytime mode; one more that never comes
    good: IntSequence
    any_good: bool


class Tally(NamedTuple):
    """What the runs give: arrays by run, by arm, or by time."""

    stopping_times: Any
    answers: Any
    stopped: Any
    pulls: Any
    error_counts: Any
    undefined_counts: Any


def is_error(answer: int, good: IntSequence, any_good: bool) -> bool:
    """Whether an answer is wrong; one that does not exist yet is not judged."""
    if answer == UNDEFINED:
        return False
    if any_good:
        return answer == NONE or bool(good[answer] == 0)
    return answer != NONE


def make_kernel(parts: Parts, stamp: str, decorate: Callable[[Any], Any]) -> Any:
    """The loop for one algorithm and kind of outcome; `decorate` compiles it, or leaves it plain.

    `stamp` changes whenever any source that the loop reaches changes. The loop mentions it so
    that it becomes part of the compiled code's cache key, which knows nothing of those sources.
    """
    start, choose, receive, judge, answer = parts.step
    draw = parts.draw

    def play(orders: Orders, arms: Arms, run: Run, tally: Tally, control: IntSequence) -> None:
        len(stamp)
        mode, first, last, limit, times, good, any_good = orders
        for number in range(first, last):
            run.key[2] = number & 0xFFFFFFFF
            run.key[3] = (number >> 32) & 0xFFFFFFFF
            reset(run)
            start(run)
            t = 0
            mark = 0
            result = CONTINUE
            while t < limit:
                arm = choose(run, t)
                if arm < 0:  # NO_ARM; and now the compiler knows that no index is negative
                    break
                value = draw(arms, run, arm)
                t += 1
                receive(run, t, arm, value)
                if mode == CONFIDENCE_MODE:
                    result = judge(run, t, arm)
                    if result != CONTINUE:
                        break
                elif mode == ANYTIME_MODE and t == times[mark]:
                    result = answer(run, t)
                    tally.undefined_counts[mark] += result == UNDEFINED
                    tally.error_counts[mark] += is_error(result, good, any_good)
                    mark += 1
                if t & CHECK_EVERY == 0:
                    control[PROGRESS] += CHECK_EVERY + 1
                    if control[CANCEL] != 0:
                        return
            control[PROGRESS] += t & CHECK_EVERY
            for a in range(len(run.counts)):
                tally.pulls[a] += run.counts[a]
            if mode != ANYTIME_MODE:
                tally.stopped[number - first] = result != CONTINUE or t < limit
                if result == CONTINUE:
                    result = answer(run, t)
                tally.stopping_times[number - first] = t
                tally.answers[number - first] = max(result, NONE)  # no answer yet counts as none
            if control[CANCEL] != 0:
                return

    return decorate(play)
