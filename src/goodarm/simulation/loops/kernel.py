"""The loop that plays many runs of one algorithm; compiled once, for all modes."""

from collections.abc import Callable
from typing import Any

from goodarm.run import CONTINUE, NONE, UNDEFINED, reset
from goodarm.simulation.loops.compiler import Parts

# Modes.
CONFIDENCE, BUDGET, ANYTIME = range(3)
# Positions in `control`, which the caller and the running kernel share.
CANCEL, STEPS = range(2)
CHECK_EVERY = 4095  # a mask: how often a long run looks whether it should give up


def is_error(answer: int, good: Any, any_good: bool) -> bool:
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

    def play(  # type: ignore[no-untyped-def]
        mode, arms, run, first, last, limit, times, good, any_good,
        stopping_times, answers, stopped, pulls, error_counts, undefined_counts, control,
    ):  # fmt: skip
        len(stamp)
        K = len(run.counts)
        key = run.key
        for number in range(first, last):
            key[2] = number & 0xFFFFFFFF
            key[3] = (number >> 32) & 0xFFFFFFFF
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
                if mode == CONFIDENCE:
                    result = judge(run, t, arm)
                    if result != CONTINUE:
                        break
                elif mode == ANYTIME and t == times[mark]:
                    result = answer(run, t)
                    undefined_counts[mark] += result == UNDEFINED
                    error_counts[mark] += is_error(result, good, any_good)
                    mark += 1
                if t & CHECK_EVERY == 0:
                    control[STEPS] += CHECK_EVERY + 1
                    if control[CANCEL] != 0:
                        return
            control[STEPS] += t & CHECK_EVERY
            for a in range(K):
                pulls[a] += run.counts[a]
            if mode != ANYTIME:
                stopped[number - first] = result != CONTINUE or t < limit
                if result == CONTINUE:
                    result = answer(run, t)
                stopping_times[number - first] = t
                answers[number - first] = max(result, NONE)  # no answer yet counts as none
            if control[CANCEL] != 0:
                return

    return decorate(play)
