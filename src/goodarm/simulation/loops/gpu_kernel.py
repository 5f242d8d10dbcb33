"""The loop over runs for CUDA: one thread plays one run at a time and then fetches the next.

The same plain functions as on the CPU; only the loop around them differs. A launch makes a
bounded number of steps, so that progress can be shown and Ctrl-C heard. What a thread is in the
middle of is kept in its slot of global memory from one launch to the next; so no thread idles
while another plays a long run, except at the very end.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import boolean, cuda, float64, from_dtype, int32, int64, types

from goodarm.run import CONTINUE, FIELDS, NONE, UNDEFINED, Run, Sizes, make_copier, reset
from goodarm.simulation.loops.compiler import Parts, register
from goodarm.simulation.loops.kernel import ANYTIME, CONFIDENCE, is_error
from goodarm.simulation.loops.truth import States, Truth, new_arms, view

FETCH_EVERY = 15  # a mask: threads of a warp start new runs together, not one after the other
# A slot's numbers besides its run: the run's number (−1: none), t, the next time to look at, and
# whether the answer was wrong, or undefined, when last looked at.
NUMBER, STEP, MARK, WRONG, UNSURE = range(5)
SLOT_NUMBERS = 5
SMALL = ("levels", "clock", "key")  # a few numbers, in registers whatever the shape
LEVELS, CLOCK, KEY = (f.size(Sizes(0)) for f in FIELDS if f.name in SMALL)
SHORT = ("counts", "active")  # 32-bit numbers are enough, and half as much to move


class Results(NamedTuple):
    """What the runs give: arrays in global memory, by run, by block and arm, or by time."""

    stopping_times: Any
    answers: Any
    stopped: Any
    pulls: Any
    error_steps: Any  # how the number of wrong, or undefined, answers changes from time to time
    undefined_steps: Any
    progress: Any


class Shape(NamedTuple):
    """What a kernel is compiled for; 0 arms means any number, with every array in global memory."""

    sizes: Sizes
    threads: int
    shared: bool  # counts, sums, tree and spare in shared memory
    gaps: bool  # whether the rule reads gaps or roots
    registers: int = 0  # of a thread, at most; 0: as many as the compiler likes

    @property
    def left_out(self) -> tuple[str, ...]:
        """The fields that a launch need not load and store by `move`."""
        unread = () if self.gaps else ("gaps", "roots")
        empty = tuple(f.name for f in FIELDS if f.size(self.sizes) == 0)
        return SMALL + unread + empty


def kind_of(name: str) -> type[np.generic]:
    """The kind of numbers that a slot holds under a name."""
    if name in SHORT:
        return np.int32
    return np.int64 if any(f.name == name and f.whole for f in FIELDS) else np.float64


def slot_sizes(sizes: Sizes) -> dict[str, int]:
    """How many numbers a slot holds under each name."""
    return {f.name: max(f.size(sizes), 1) for f in FIELDS} | {"spare": sizes.arms}


def move_small(target: Run, source: Run) -> None:
    """Copy the fields that are small; with lengths that the compiler knows, they need no memory."""
    for i in range(LEVELS):
        target.levels[i] = source.levels[i]
    for i in range(CLOCK):
        target.clock[i] = source.clock[i]
    for i in range(KEY):
        target.key[i] = source.key[i]


def begin(run: Run, truth: Truth, number: int) -> None:
    """A fresh run of that number; plain."""
    for i in range(LEVELS):
        run.levels[i] = truth.levels[i]
    reset(run)
    run.key[0] = truth.seed0
    run.key[1] = truth.seed1
    run.key[2] = number & 0xFFFFFFFF
    run.key[3] = (number >> 32) & 0xFFFFFFFF


def count_change(steps: Any, mark: int, before: int, now: int) -> int:
    """Only changes are counted, so that few threads write to one place."""
    if now != before:
        cuda.atomic.add(steps, mark, now - before)
    return now


@cache
def make_work(parts: Parts) -> Callable[..., None]:
    """The function in which a thread plays runs, `steps` steps in all."""
    start, choose, receive, judge, answer = parts.step
    draw = parts.draw

    def work(  # type: ignore[no-untyped-def]
        mode, truth, run, spare, own, first, last, limit, steps, times, queue, results
    ):
        arms = new_arms(truth, spare)
        number, t, mark = own[NUMBER], own[STEP], own[MARK]
        wrong, unsure = own[WRONG], own[UNSURE]
        made = 0
        for step in range(steps):
            if number < 0:
                if step & FETCH_EVERY:
                    continue
                number = first + cuda.atomic.add(queue, 0, 1)
                if number >= last:
                    number = -1
                    break
                begin(run, truth, number)
                start(run)
                t = mark = wrong = unsure = 0
            arm = choose(run, t)
            result = CONTINUE
            ended = arm < 0  # and from here on the compiler knows that an index is not negative
            if not ended:
                value = draw(arms, run, arm)
                t += 1
                made += 1
                receive(run, t, arm, value)
                if mode == CONFIDENCE:
                    result = judge(run, t, arm)
                    ended = result != CONTINUE
                elif mode == ANYTIME and t == times[mark]:
                    said = answer(run, t)
                    now = int(is_error(said, truth.good, truth.any_good))
                    wrong = count_change(results.error_steps, mark, wrong, now)
                    now = int(said == UNDEFINED)
                    unsure = count_change(results.undefined_steps, mark, unsure, now)
                    mark += 1
            if ended or t >= limit:
                for a in range(len(run.counts)):
                    cuda.atomic.add(results.pulls, (cuda.blockIdx.x, a), run.counts[a])
                if mode != ANYTIME:
                    results.stopped[number - first] = result != CONTINUE or t < limit
                    if result == CONTINUE:
                        result = answer(run, t)
                    results.stopping_times[number - first] = t
                    results.answers[number - first] = max(result, NONE)
                number = -1
        cuda.atomic.add(results.progress, 0, made)
        own[NUMBER], own[STEP], own[MARK] = number, t, mark
        own[WRONG], own[UNSURE] = wrong, unsure

    return work


def make_gpu_kernel(parts: Parts, stamp: str, shape: Shape) -> Any:
    """The kernel for one algorithm, kind of outcome and shape, not yet compiled.

    Arrays close to a thread must be made in the kernel itself: they end with the function that
    makes them.
    """
    fixed, shared, threads = shape.sizes.arms > 0, shape.shared, shape.threads
    work = make_work(parts)
    move = make_copier(skip=shape.left_out) if fixed else move_small
    register((move,))
    room = slot_sizes(shape.sizes)
    size, tree_size = room["counts"], room["tree"]
    kept_size, float_size, int_size = room["kept"], room["floats"], room["ints"]

    def play(  # type: ignore[no-untyped-def]
        mode, truth, first, last, limit, steps, times, queue, slots, own, results
    ):
        len(stamp)
        slot = cuda.grid(1)
        home = view(slots, slot, truth)
        spare = slots.spare[:, slot]
        levels = cuda.local.array(LEVELS, float64)
        clock = cuda.local.array(CLOCK, int64)
        key = cuda.local.array(KEY, int64)
        if fixed:
            if shared:
                thread = cuda.threadIdx.x
                sums = cuda.shared.array((size, threads), float64)[:, thread]
                tree = cuda.shared.array((tree_size, threads), float64)[:, thread]
                close = cuda.shared.array((size, threads), float64)[:, thread]
                counts = cuda.shared.array((size, threads), int32)[:, thread]
            else:
                sums = cuda.local.array(size, float64)
                tree = cuda.local.array(tree_size, float64)
                close = cuda.local.array(size, float64)
                counts = cuda.local.array(size, int32)
            gaps = cuda.local.array(size, float64)
            roots = cuda.local.array(size, float64)
            active = cuda.local.array(size, int32)
            kept = cuda.local.array(kept_size, float64)
            floats = cuda.local.array(float_size, float64)
            ints = cuda.local.array(int_size, int64)
            run = Run(
                counts, sums, gaps, roots, tree, active, kept, levels, clock, key, floats, ints,
                home.scales, home.model, home.constants,
            )  # fmt: skip
            move(run, home)
            for a in range(size):
                close[a] = spare[a]
        else:
            close = spare
            run = Run(
                home.counts, home.sums, home.gaps, home.roots, home.tree, home.active, home.kept,
                levels, clock, key, home.floats, home.ints, home.scales, home.model,
                home.constants,
            )  # fmt: skip
        move_small(run, home)
        work(
            mode, truth, run, close, own[:, slot], first, last, limit, steps, times, queue,
            results,
        )  # fmt: skip
        move_small(home, run)
        if fixed:
            move(home, run)
            for a in range(size):
                spare[a] = close[a]

    return play


def helpers(parts: Parts) -> tuple[Callable[..., Any], ...]:
    """The functions that the kernel calls besides the parts."""
    return begin, move_small, count_change, view, new_arms, is_error, make_work(parts)


def kernel_signature() -> tuple[Any, ...]:
    """The types of a kernel's arguments, for compiling without a GPU."""
    line, whole = float64[::1], int64[::1]
    truth = dict.fromkeys(Truth._fields, line)
    truth |= dict.fromkeys(("kinds", "starts", "good"), whole)
    truth |= {"any_good": boolean, "seed0": int64, "seed1": int64}
    slots = [from_dtype(np.dtype(kind_of(name)))[:, ::1] for name in slot_sizes(Sizes(1))]
    results = dict.fromkeys(Results._fields, whole)
    results |= {"answers": int32[::1], "stopped": boolean[::1], "pulls": int64[:, ::1]}
    return (
        int64, types.NamedTuple(list(truth.values()), Truth), int64, int64, int64, int64, whole,
        whole, types.NamedTuple(slots, States), int64[:, ::1],
        types.NamedTuple(list(results.values()), Results),
    )  # fmt: skip
