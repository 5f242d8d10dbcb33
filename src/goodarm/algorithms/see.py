"""SEE: Sequential-Explore-Exploit, looks for a candidate and certifies it on separate samples.

Phase k = 1, 2, … at δ_k = 3^−k, with α_k = 5^k, β_k = beta0·2^k, C = 1.01 and the bonus

    U(N, δ') = √(2·2^L ln(2L²/δ'))/N,   L = max(⌈log2 N⌉, 1):

explore
    by the largest d^e + U(N^e, δ_k/K), arms without a sample first, in index order. After each
    sample: give the phase up at 1000(C + 1)² K β_k ln(4K/δ_k) samples; "none" when every such bound
    is at most 0; the arm is the candidate when d^e − C·U(N^e, δ_k/K) > 0, and its latest sample
    goes into its drawer, to be its next exploration sample, without a pull.
none
    ∅ when δ_k < δ/3, else phase k + 1.
exploit
    pull the candidate until d^x − U(N^x, δ/(K α_k)) > 0, which answers it, or until
    N^x ≥ 1000 β_k ln(4K α_k/δ), which leads to phase k + 1.

Exploration (e) and exploitation (x) keep their own statistics, across phases; d is a mean of the
standardised outcomes (x − θ)/σ_a.

Guarantee: δ-correct by its own stopping rule, with an expected number of pulls within logarithms
of the best possible for *every* δ, not only as δ → 0. When to use it: when that is what matters;
with 100 arms (TwoG, δ = 0.01) it needs two to four times TaS's pulls, on NoA1 and NoA2 as many.
Reference: Li and Cheung, "Near optimal non-asymptotic sample complexity of 1-identification",
ICML (2025); their experiments have beta0 = 0.25.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from goodarm.algorithms.contract import FIXED_CONFIDENCE, Algorithm, Option, Setting
from goodarm.algorithms.scanning import argmax
from goodarm.run import CONTINUE, NO_ARM, NONE, SIDE, THRESHOLD, Run

C = 1.01
LOG_2 = math.log(2.0)
LOG_3 = math.log(3.0)
LOG_5 = math.log(5.0)

LOG_INVERSE_DELTA, BETA0, LAST_PHASE = range(3)  # positions in `constants`
# In `ints`: five numbers, then N^e, N^x and whether the drawer is full, for every arm.
PHASE, CANDIDATE, NEXT, RESULT, EXPLORED = range(5)
NO_CANDIDATE = -1
FIRST_COUNT = 5
# In `floats`: the limits of the phase, then sum^e, sum^x, drawer, d^e + U, U, by arm.
EXPLORE_LIMIT, EXPLOIT_LIMIT = range(2)
FIRST_SUM = 2


def bonus(count: int, log_inverse: float) -> float:
    """U(N, δ') from N and ln(1/δ')."""
    rungs = 1
    if count > 2:
        _, rungs = math.frexp(count - 1.0)  # ⌈log2 N⌉, exactly
    log_term = LOG_2 + 2.0 * math.log(rungs) + log_inverse
    return math.sqrt(math.ldexp(2.0, rungs) * log_term) / count


def start(run: Run) -> None:
    """Phase 1, nothing explored."""
    run.ints[RESULT] = CONTINUE
    run.ints[CANDIDATE] = NO_CANDIDATE
    _next_phase(run)


def choose(run: Run, t: int) -> int:
    """What `observe` has prepared."""
    return run.ints[NEXT] if run.ints[NEXT] >= 0 else NO_ARM


def verdict(run: Run, t: int, arm: int) -> int:
    """What `observe` has found."""
    return run.ints[RESULT]


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Take one sample in, and go on to the next pull."""
    if run.ints[RESULT] != CONTINUE:
        return
    x = (value - run.levels[THRESHOLD]) * run.scales[arm] * run.levels[SIDE]
    candidate = run.ints[CANDIDATE]
    if candidate == arm:
        _exploit(run, t, arm, x)
    else:
        _explore(run, arm, x)
        if candidate == NO_CANDIDATE and not _settled(run, arm, x):
            _go_on(run, t)


def _exploit(run: Run, t: int, arm: int, x: float) -> None:
    K = len(run.counts)
    count = run.ints[FIRST_COUNT + K + arm] + 1
    total = run.floats[FIRST_SUM + K + arm] + x
    run.ints[FIRST_COUNT + K + arm] = count
    run.floats[FIRST_SUM + K + arm] = total
    log_inverse = run.constants[LOG_INVERSE_DELTA] + math.log(K) + run.ints[PHASE] * LOG_5
    if total / count - bonus(count, log_inverse) > 0.0:
        _finish(run, arm)
    elif count >= run.floats[EXPLOIT_LIMIT]:
        run.ints[CANDIDATE] = NO_CANDIDATE
        _next_phase(run)
        _go_on(run, t)


def _explore(run: Run, arm: int, x: float) -> None:
    """Enter one exploration sample."""
    run.ints[EXPLORED] += 1
    run.ints[FIRST_COUNT + arm] += 1
    run.floats[FIRST_SUM + arm] += x
    _set_bound(run, arm)


def _settled(run: Run, arm: int, x: float) -> bool:
    """After exploration sample x of the arm: has exploring ended in a candidate or an answer?"""
    K = len(run.counts)
    if run.ints[EXPLORED] >= run.floats[EXPLORE_LIMIT]:
        _next_phase(run)
        return False
    if _all_low(run, arm):
        if run.ints[PHASE] >= run.constants[LAST_PHASE]:
            _finish(run, NONE)
            return True
        _next_phase(run)
        return False
    count = run.ints[FIRST_COUNT + arm]
    mean = run.floats[FIRST_SUM + arm] / count
    if mean - C * run.floats[FIRST_SUM + 4 * K + arm] <= 0.0:
        return False
    run.ints[FIRST_COUNT + 2 * K + arm] = 1
    run.floats[FIRST_SUM + 2 * K + arm] = x
    run.ints[EXPLORED] -= 1
    run.ints[FIRST_COUNT + arm] -= 1
    run.floats[FIRST_SUM + arm] -= x
    _set_bound(run, arm)
    run.ints[CANDIDATE] = arm
    run.ints[NEXT] = arm
    return True


def _go_on(run: Run, t: int) -> None:
    """Explore with the samples that lie in drawers, until a pull is needed."""
    K = len(run.counts)
    slot = 0
    arm = _most_promising(run, t, slot)
    while run.ints[FIRST_COUNT + 2 * K + arm] == 1:
        x = run.floats[FIRST_SUM + 2 * K + arm]
        run.ints[FIRST_COUNT + 2 * K + arm] = 0
        _explore(run, arm, x)
        if _settled(run, arm, x):
            return
        slot += 1
        arm = _most_promising(run, t, slot)
    run.ints[NEXT] = arm


def _most_promising(run: Run, t: int, slot: int) -> int:
    for a in range(len(run.counts)):
        if run.ints[FIRST_COUNT + a] == 0:
            return a
    return _largest_bound(run, t, slot)


def kept_bound(run: Run, arm: int, scale: float) -> float:
    """d^e + U(N^e, δ_k/K)."""
    return run.floats[FIRST_SUM + 3 * len(run.counts) + arm]


_largest_bound = argmax(kept_bound)


def _all_low(run: Run, arm: int) -> bool:
    if kept_bound(run, arm, 0.0) > 0.0:
        return False
    top = 0.0
    for a in range(len(run.counts)):
        top = max(top, kept_bound(run, a, 0.0))
    return top <= 0.0


def _set_bound(run: Run, arm: int) -> None:
    K = len(run.counts)
    count = run.ints[FIRST_COUNT + arm]
    if count == 0:
        run.floats[FIRST_SUM + 3 * K + arm] = math.inf
    else:
        half = bonus(count, math.log(K) + run.ints[PHASE] * LOG_3)
        run.floats[FIRST_SUM + 3 * K + arm] = run.floats[FIRST_SUM + arm] / count + half
        run.floats[FIRST_SUM + 4 * K + arm] = half


def _next_phase(run: Run) -> None:
    K = len(run.counts)
    k = run.ints[PHASE] + 1
    run.ints[PHASE] = k
    beta = run.constants[BETA0] * math.ldexp(1.0, k)
    log_4k = math.log(4.0 * K)
    run.floats[EXPLORE_LIMIT] = 1000.0 * (C + 1.0) ** 2 * K * beta * (log_4k + k * LOG_3)
    run.floats[EXPLOIT_LIMIT] = (
        1000.0 * beta * (log_4k + k * LOG_5 + run.constants[LOG_INVERSE_DELTA])
    )
    for a in range(K):
        _set_bound(run, a)


def _finish(run: Run, result: int) -> None:
    run.ints[RESULT] = result
    run.ints[NEXT] = NO_ARM


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """ln(1/δ), β_0, and the first phase with δ_k < δ/3, from which "none" is believed."""
    assert setting.delta is not None
    last = 1
    while Fraction(3) ** (1 - last) >= Fraction(setting.delta):
        last += 1
    return (-math.log(setting.delta), options["beta0"], last)


def _positive(text: str) -> float:
    number = float(text)
    if not 0.0 < number < math.inf:
        raise ValueError("give a number above 0")
    return number


SEE = Algorithm(
    name="SEE",
    summary="Finds a candidate, then certifies it on separate samples: near-optimal at every δ.",
    reference="Li and Cheung (2025)",
    guarantee="δ-correct by its own stopping rule, near-optimal pulls at every δ",
    choose=choose,
    start=start,
    observe=observe,
    verdict=verdict,
    settings=(FIXED_CONFIDENCE,),
    needs=("delta",),
    sweep=False,
    own_stopping=True,
    constants=constants,
    memory=lambda K: (FIRST_SUM + 5 * K, FIRST_COUNT + 3 * K),
    options={
        "beta0": Option(1.0, _positive, "β_k = beta0·2^k; the authors' experiments have 0.25")
    },
)

ALGORITHMS = (SEE,)
