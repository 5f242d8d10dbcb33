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

from goodarm.run import (
    CONTINUE,
    FIELDS,
    NONE,
    UNDEFINED,
    FloatSequence,
    IntSequence,
    Run,
    Sizes,
    make_copier,
    reset,
)
from goodarm.simulation.loops.compiler import Parts, register
from goodarm.simulation.loops.kernel import ANYTIME_MODE, CONFIDENCE_MODE, is_error
from goodarm.simulation.loops.truth import States, Truth, new_arms, view

FETCH_EVERY = 15  # a mask: threads of a warp start new runs together, not one after the other
# A slot's numbers besides its run: the run's number (−1: none), t, the next time to look at, and
# whether the answer was wrong, or undefined, when last looked at.
NUMBER, STEP, NEXT_MARK, WRONG, UNANSWERED = range(5)
SLOT_NUMBERS = 5
IN_REGISTERS = ("levels", "clock", "key")  # a few numbers, whatever the shape
LEVELS_SIZE, CLOCK_SIZE, KEY_SIZE = (f.size(Sizes(0)) for f in FIELDS if f.name in IN_REGISTERS)
IN_32_BITS = ("counts", "active")  # 32-bit numbers are enough, and half as much to move


class GpuOrders(NamedTuple):
    """What is asked of a launch: to play runs first..last−1, a number of steps in each thread."""

    mode: int
    first: int
    last: int
    limit: int  # pulls of a run
    steps: int
    times: IntSequence
    queue: Any  # how many runs were fetched so far


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
    gaps: bool  # whether the algorithm reads gaps or roots
    registers: int = 0  # of a thread, at most; 0: as many as the compiler likes

    @property
    def left_out(self) -> tuple[str, ...]:
        """The fields that a launch need not load and store by `move`."""
        unread = () if self.gaps else ("gaps", "roots")
        empty = tuple(f.name for f in FIELDS if f.size(self.sizes) == 0)
        return IN_REGISTERS + unread + empty


def kind_of(name: str) -> type[np.generic]:
    """The kind of numbers that a slot holds under a name."""
    if name in IN_32_BITS:
        return np.int32
    return np.int64 if any(f.name == name and f.whole for f in FIELDS) else np.float64


def slot_sizes(sizes: Sizes) -> dict[str, int]:
    """How many numbers a slot holds under each name."""
    return {f.name: max(f.size(sizes), 1) for f in FIELDS} | {"spare": sizes.arms}


def move_small(target: Run, source: Run) -> None:
    """Copy the fields that are small; with lengths that the compiler knows, they need no memory."""
    for i in range(LEVELS_SIZE):
        target.levels[i] = source.levels[i]
    for i in range(CLOCK_SIZE):
        target.clock[i] = source.clock[i]
    for i in range(KEY_SIZE):
        target.key[i] = source.key[i]


def begin(run: Run, truth: Truth, number: int) -> None:
    """A fresh run of that number; plain."""
    for i in range(LEVELS_SIZE):
        run.levels[i] = truth.levels[i]
    reset(run)
    run.key[0] = truth.seed0
    run.key[1] = truth.seed1
    run.key[2] = number & 0xFFFFFFFF
    run.key[3] = (number >> 32) & 0xFFFFFFFF


def count_change(steps: Any, mark: int, before: int, now: int) -> int:
    """Only changes are counted, so that few threads write to one number."""
    if now != before:
        cuda.atomic.add(steps, mark, now - before)
    return now


def count_pulls(run: Run, results: Results) -> None:
    """Add a run's pulls to those of its block."""
    for a in range(len(run.counts)):
        cuda.atomic.add(results.pulls, (cuda.blockIdx.x, a), run.counts[a])


@cache
def make_work(parts: Parts) -> Callable[..., None]:
    """The function in which a thread plays runs, `orders.steps` steps in all."""
    start, choose, receive, judge, answer = parts.step
    draw = parts.draw

    def work(
        orders: GpuOrders,
        truth: Truth,
        run: Run,
        spare: FloatSequence,
        own: IntSequence,
        results: Results,
    ) -> None:
        mode, first, last, limit, steps, times, queue = orders
        arms = new_arms(truth, spare)
        number, t, mark = own[NUMBER], own[STEP], own[NEXT_MARK]
        wrong, unanswered = own[WRONG], own[UNANSWERED]
        pulls = 0
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
                t = mark = wrong = unanswered = 0
            arm = choose(run, t)
            result = CONTINUE
            ended = arm < 0  # and from here on the compiler knows that an index is not negative
            if not ended:
                value = draw(arms, run, arm)
                t += 1
                pulls += 1
                receive(run, t, arm, value)
                if mode == CONFIDENCE_MODE:
                    result = judge(run, t, arm)
                    ended = result != CONTINUE
                elif mode == ANYTIME_MODE and t == times[mark]:
                    reply = answer(run, t)
                    now = int(is_error(reply, truth.good, truth.any_good))
                    wrong = count_change(results.error_steps, mark, wrong, now)
                    now = int(reply == UNDEFINED)
                    unanswered = count_change(results.undefined_steps, mark, unanswered, now)
                    mark += 1
            if ended or t >= limit:
                count_pulls(run, results)
                if mode != ANYTIME_MODE:
                    final = answer(run, t) if result == CONTINUE else result
                    results.stopped[number - first] = result != CONTINUE or t < limit
                    results.stopping_times[number - first] = t
                    results.answers[number - first] = max(final, NONE)
                number = -1
        cuda.atomic.add(results.progress, 0, pulls)
        own[NUMBER], own[STEP], own[NEXT_MARK] = number, t, mark
        own[WRONG], own[UNANSWERED] = wrong, unanswered

    return work


def make_gpu_kernel(parts: Parts, stamp: str, shape: Shape) -> Any:
    """The kernel for one algorithm, kind of outcome and shape, not yet compiled.

    Arrays close to a thread must be made in the kernel itself: they end with the function that
    makes them.
    """
    if shape.sizes.arms == 0:
        return _make_distant_kernel(make_work(parts), stamp)
    return _make_close_kernel(make_work(parts), stamp, shape)


def _make_distant_kernel(work: Callable[..., None], stamp: str) -> Any:
    """For any number of arms: all but a few numbers stay in global memory."""

    def play(orders: GpuOrders, truth: Truth, slots: Any, own: Any, results: Results) -> None:
        len(stamp)
        slot = cuda.grid(1)
        home = view(slots, slot, truth)
        run = Run(
            home.counts,
            home.sums,
            home.gaps,
            home.roots,
            home.tree,
            home.active,
            home.kept,
            cuda.local.array(LEVELS_SIZE, float64),
            cuda.local.array(CLOCK_SIZE, int64),
            cuda.local.array(KEY_SIZE, int64),
            home.floats,
            home.ints,
            home.scales,
            home.model,
            home.constants,
        )
        move_small(run, home)
        work(orders, truth, run, slots.spare[:, slot], own[:, slot], results)
        move_small(home, run)

    return play


def _make_close_kernel(work: Callable[..., None], stamp: str, shape: Shape) -> Any:
    """For one number of arms: a run is loaded, played in shared or local memory, and stored."""
    shared, threads = shape.shared, shape.threads
    move = make_copier(skip=shape.left_out)
    register((move,))
    room = slot_sizes(shape.sizes)
    size, tree_size = room["counts"], room["tree"]
    kept_size, float_size, int_size = room["kept"], room["floats"], room["ints"]

    def play(orders: GpuOrders, truth: Truth, slots: Any, own: Any, results: Results) -> None:
        len(stamp)
        slot = cuda.grid(1)
        home = view(slots, slot, truth)
        if shared:
            thread = cuda.threadIdx.x
            sums = cuda.shared.array((size, threads), float64)[:, thread]
            tree = cuda.shared.array((tree_size, threads), float64)[:, thread]
            spare = cuda.shared.array((size, threads), float64)[:, thread]
            counts = cuda.shared.array((size, threads), int32)[:, thread]
        else:
            sums = cuda.local.array(size, float64)
            tree = cuda.local.array(tree_size, float64)
            spare = cuda.local.array(size, float64)
            counts = cuda.local.array(size, int32)
        run = Run(
            counts,
            sums,
            cuda.local.array(size, float64),  # gaps
            cuda.local.array(size, float64),  # roots
            tree,
            cuda.local.array(size, int32),  # active
            cuda.local.array(kept_size, float64),
            cuda.local.array(LEVELS_SIZE, float64),
            cuda.local.array(CLOCK_SIZE, int64),
            cuda.local.array(KEY_SIZE, int64),
            cuda.local.array(float_size, float64),
            cuda.local.array(int_size, int64),
            home.scales,
            home.model,
            home.constants,
        )
        move(run, home)
        copy_numbers(spare, slots.spare[:, slot], size)
        move_small(run, home)
        work(orders, truth, run, spare, own[:, slot], results)
        move_small(home, run)
        move(home, run)
        copy_numbers(slots.spare[:, slot], spare, size)

    return play


def copy_numbers(target: FloatSequence, source: FloatSequence, size: int) -> None:
    """Copy one sequence into another."""
    for i in range(size):
        target[i] = source[i]


def helpers(parts: Parts) -> tuple[Callable[..., Any], ...]:
    """The functions that the kernel calls besides the parts."""
    plain = (begin, move_small, copy_numbers, count_change, count_pulls, view, new_arms, is_error)
    return (*plain, make_work(parts))


def kernel_signature() -> tuple[Any, ...]:
    """The types of a kernel's arguments, for compiling without a GPU."""
    line, whole = float64[::1], int64[::1]
    orders = dict.fromkeys(GpuOrders._fields, int64) | {"times": whole, "queue": whole}
    truth = dict.fromkeys(Truth._fields, line)
    truth |= dict.fromkeys(("kinds", "starts", "good"), whole)
    truth |= {"any_good": boolean, "seed0": int64, "seed1": int64}
    slots = [from_dtype(np.dtype(kind_of(name)))[:, ::1] for name in slot_sizes(Sizes(1))]
    results = dict.fromkeys(Results._fields, whole)
    results |= {"answers": int32[::1], "stopped": boolean[::1], "pulls": int64[:, ::1]}
    return (
        types.NamedTuple(list(orders.values()), GpuOrders),
        types.NamedTuple(list(truth.values()), Truth),
        types.NamedTuple(slots, States),
        int64[:, ::1],
        types.NamedTuple(list(results.values()), Results),
    )
