"""The loop over runs for CUDA: one thread plays one run at a time and then fetches the next.

The same plain functions as on the CPU; only the loop around them differs. A launch makes a
bounded number of steps, so that progress can be shown and Ctrl-C heard. What a thread is in the
middle of is kept in its slot of global memory from one launch to the next; so no thread idles
while another plays a long run, except at the very end.
"""

from typing import Any, NamedTuple

from numba import boolean, cuda, float64, int32, int64, types

from goodarm.algorithms.contract import Algorithm
from goodarm.run import CONTINUE, NONE, UNDEFINED, Run, record, reset
from goodarm.simulation.kernel import ANYTIME, CONFIDENCE, is_error
from goodarm.simulation.rewards import Arms, draw

LEVELS, CLOCK, KEY = 5, 3, 4
# Numbers of a slot that are not part of the run: its run (−1: none), t, next time to look at,
# and whether the answer was wrong, or undefined, when last looked at.
NUMBER, STEP, MARK, WRONG, UNSURE = range(5)
SLOT_NUMBERS = 5
FETCH_EVERY = 15  # a mask: threads of a warp start new runs together, not one after the other


class Slots(NamedTuple):
    """Where unfinished runs wait between launches: [number, slot] arrays in global memory."""

    counts: Any
    sums: Any
    gaps: Any
    roots: Any
    tree: Any
    spare: Any
    active: Any
    small: Any  # levels
    whole: Any  # clock, key and the slot's own numbers
    floats: Any
    ints: Any


class Shape(NamedTuple):
    """What a kernel is compiled for; 0 arms means any number, with every array in global memory."""

    K: int
    floats: int
    ints: int
    threads: int
    shared: bool  # counts, sums, tree and spare in shared memory
    gaps: bool  # whether the rule reads gaps or roots


def make_gpu_kernel(algorithm: Algorithm, stamp: str, shape: Shape) -> Any:  # noqa: PLR0915
    """The kernel for one algorithm and shape, not yet compiled."""
    start, choose, observe = algorithm.start, algorithm.choose, algorithm.observe
    answer, verdict, sweep = algorithm.answer, algorithm.verdict, algorithm.sweep
    size, float_size, int_size, threads, shared, gaps_used = shape
    fixed, tree_size = size > 0, 2 * size
    float_room, int_room = max(float_size, 1), max(int_size, 1)

    def play(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0915
        mode, kinds, means, sigmas, table, starts, scales, levels, constants, seed0, seed1, first,
        last, limit, steps, times, good, any_good, queue, slots,
        stopping_times, answers, stopped, pulls, error_steps, undefined_steps, progress,
    ):  # fmt: skip
        len(stamp)
        slot = cuda.grid(1)
        thread = cuda.threadIdx.x
        small = cuda.local.array(LEVELS, float64)
        clock = cuda.local.array(CLOCK, int64)
        key = cuda.local.array(KEY, int64)
        K = len(means)
        if fixed:
            K = size
            if shared:
                memory = cuda.shared.array(0, float64)
                mine = memory[thread : 4 * size * threads + thread : threads]
                sums = mine[0:size]
                tree = mine[size : 3 * size]
                spare = mine[3 * size : 4 * size]
                whole_memory = cuda.shared.array(0, int32)
                begin = 8 * size * threads + thread
                counts = whole_memory[begin : begin + size * threads : threads]
            else:
                sums = cuda.local.array(size, float64)
                tree = cuda.local.array(tree_size, float64)
                spare = cuda.local.array(size, float64)
                counts = cuda.local.array(size, int32)
            gaps = cuda.local.array(size, float64)
            roots = cuda.local.array(size, float64)
            active = cuda.local.array(size, int32)
            floats = cuda.local.array(float_room, float64)
            ints = cuda.local.array(int_room, int64)
            for a in range(K):
                counts[a] = slots.counts[a, slot]
                sums[a] = slots.sums[a, slot]
                tree[a] = slots.tree[a, slot]
                tree[K + a] = slots.tree[K + a, slot]
                spare[a] = slots.spare[a, slot]
                active[a] = slots.active[a, slot]
                if gaps_used:
                    gaps[a] = slots.gaps[a, slot]
                    roots[a] = slots.roots[a, slot]
            for i in range(float_size):
                floats[i] = slots.floats[i, slot]
            for i in range(int_size):
                ints[i] = slots.ints[i, slot]
        else:
            counts = slots.counts[:, slot]
            sums = slots.sums[:, slot]
            gaps = slots.gaps[:, slot]
            roots = slots.roots[:, slot]
            tree = slots.tree[:, slot]
            spare = slots.spare[:, slot]
            active = slots.active[:, slot]
            floats = slots.floats[:, slot]
            ints = slots.ints[:, slot]
        for i in range(LEVELS):
            small[i] = slots.small[i, slot]
        for i in range(CLOCK):
            clock[i] = slots.whole[i, slot]
        for i in range(KEY):
            key[i] = slots.whole[CLOCK + i, slot]
        own = CLOCK + KEY
        number = slots.whole[own + NUMBER, slot]
        t = slots.whole[own + STEP, slot]
        mark = slots.whole[own + MARK, slot]
        wrong = slots.whole[own + WRONG, slot]
        unsure = slots.whole[own + UNSURE, slot]
        run = Run(
            counts, sums, gaps, roots, tree, scales, active, small, clock, key, constants, floats,
            ints,
        )  # fmt: skip
        arms = Arms(kinds, means, sigmas, table, starts, spare)
        made = 0
        for step in range(steps):
            if number < 0:
                if step & FETCH_EVERY:
                    continue
                number = first + cuda.atomic.add(queue, 0, 1)
                if number >= last:
                    number = -1
                    break
                reset(run)
                for i in range(LEVELS - 1):
                    small[i] = levels[i]
                key[0] = seed0
                key[1] = seed1
                key[2] = number & 0xFFFFFFFF
                key[3] = (number >> 32) & 0xFFFFFFFF
                start(run)
                t = 0
                mark = 0
                wrong = 0
                unsure = 0
            arm = t
            if not sweep or t >= K:
                arm = choose(run, t)
            result = CONTINUE
            ended = arm < 0  # and from here on the compiler knows that an index is not negative
            if not ended:
                value = draw(arms, run, arm)
                record(run, arm, value)
                t += 1
                made += 1
                observe(run, t, arm, value)
                if mode == CONFIDENCE:
                    result = verdict(run, t, arm)
                    ended = result != CONTINUE
                elif mode == ANYTIME and t == times[mark]:
                    said = answer(run, t)
                    # Only changes are counted, so that few threads write to one place.
                    now = int(is_error(said, good, any_good))
                    if now != wrong:
                        cuda.atomic.add(error_steps, mark, now - wrong)
                        wrong = now
                    now = int(said == UNDEFINED)
                    if now != unsure:
                        cuda.atomic.add(undefined_steps, mark, now - unsure)
                        unsure = now
                    mark += 1
            if ended or t >= limit:
                for a in range(K):
                    cuda.atomic.add(pulls, (cuda.blockIdx.x, a), counts[a])
                if mode != ANYTIME:
                    stopped[number - first] = result != CONTINUE or t < limit
                    if result == CONTINUE:
                        result = answer(run, t)
                    stopping_times[number - first] = t
                    answers[number - first] = max(result, NONE)
                number = -1
        cuda.atomic.add(progress, 0, made)
        slots.whole[own + NUMBER, slot] = number
        slots.whole[own + STEP, slot] = t
        slots.whole[own + MARK, slot] = mark
        slots.whole[own + WRONG, slot] = wrong
        slots.whole[own + UNSURE, slot] = unsure
        for i in range(LEVELS):
            slots.small[i, slot] = small[i]
        for i in range(CLOCK):
            slots.whole[i, slot] = clock[i]
        for i in range(KEY):
            slots.whole[CLOCK + i, slot] = key[i]
        if fixed:
            for a in range(K):
                slots.counts[a, slot] = counts[a]
                slots.sums[a, slot] = sums[a]
                slots.tree[a, slot] = tree[a]
                slots.tree[K + a, slot] = tree[K + a]
                slots.spare[a, slot] = spare[a]
                slots.active[a, slot] = active[a]
                if gaps_used:
                    slots.gaps[a, slot] = gaps[a]
                    slots.roots[a, slot] = roots[a]
            for i in range(float_size):
                slots.floats[i, slot] = floats[i]
            for i in range(int_size):
                slots.ints[i, slot] = ints[i]

    return play


def kernel_signature() -> tuple[Any, ...]:
    """The types of a kernel's arguments, for compiling without a GPU."""
    floats, ints, small_ints = float64[:, ::1], int64[:, ::1], int32[:, ::1]
    kinds = {"counts": small_ints, "active": small_ints, "whole": ints, "ints": ints}
    slots = types.NamedTuple([kinds.get(field, floats) for field in Slots._fields], Slots)
    line, whole = float64[::1], int64[::1]
    return (
        int64, whole, line, line, line, whole, line, line, line, int64, int64, int64, int64, int64,
        int64,
        whole, whole, boolean, whole, slots, whole, int32[::1], boolean[::1], ints, whole, whole,
        whole,
    )  # fmt: skip
