"""lil-HDoC: HDoC after a long uniform start, with bounds from the law of the iterated logarithm.

Pulls every arm `warmup` times in turn, then the arm left of largest d_a + √(2 ln t / N_a). After
each of these later pulls only the arm just pulled is looked at: with

    U(N) = (1 + √ε) √(2(1 + ε) ln(ln((1 + ε)N)/w) / N),   w = δ/(c_ε K),
    c_ε = ((2 + ε)/ε) (1/ln(1 + ε))^(1+ε),

it is answered when d_a − U(N_a) ≥ 0 and dropped for good when d_a + U(N_a) < 0; ∅ when none is
left. ε is the largest value in (0, 1) with (1 + √ε)²(1 + ε) ≤ v, where B = K + 1,
C = max(1/δ, e) and v = 1 + min(ln ln B/ln B, ln ln C/ln C). With one arm ln ln B is negative, and
the second term decides alone; from δ = 1/e on there is no such ε, and no such algorithm.

Guarantee: δ-correct, with bounds below those of HDoC with "kano" once an arm has been pulled
often. When to use it: with few arms, some of them very close to θ; the start costs K·warmup pulls.
Reference: Tsai, Tsai and Lin, "lil'HDoC: an algorithm for good arm identification under small
threshold gap", PAKDD (2024).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.algorithms.contract import FIXED_CONFIDENCE, Algorithm, Option, Setting
from goodarm.algorithms.hdoc import upper_bound
from goodarm.algorithms.scanning import exploration_scale, largest
from goodarm.errors import InputError
from goodarm.run import CONTINUE, Run
from goodarm.stopping.contract import answer_or_eliminate

WARMUP, FACTOR, BASE, SHIFT = range(4)  # positions in `constants`

_optimistic = largest(upper_bound, exploration_scale)


def choose(run: Run, t: int) -> int:
    """Round robin during the start, then the arm left of largest d_a + √(2 ln t / N_a)."""
    K = len(run.counts)
    if t < run.constants[WARMUP] * K:
        return t % K
    return _optimistic(run, t)


def verdict(run: Run, t: int, arm: int) -> int:
    """Answer or eliminate the arm just pulled, once the start is over."""
    if t <= run.constants[WARMUP] * len(run.counts):
        return CONTINUE
    inner = math.log(run.constants[BASE] * run.counts[arm])
    bound = run.constants[FACTOR] * math.sqrt(math.log(inner) + run.constants[SHIFT])
    return answer_or_eliminate(run, arm, bound, bound)


def tuned_epsilon(K: int, log_inverse_delta: float) -> float:
    """The largest ε in (0, 1) with (1 + √ε)²(1 + ε) ≤ v; 0 when there is none."""
    logs = [math.log(K + 1.0), max(log_inverse_delta, 1.0)]
    excess = min(math.log(x) / x for x in logs if K > 1 or x == logs[1])  # v − 1
    if excess <= 0.0:
        return 0.0
    low, high = 0.0, 1.0  # for s = √ε, of which v − 1 = 2s + 2s² + 2s³ + s⁴
    while low < (middle := 0.5 * (low + high)) < high:
        s = middle
        if s * (2.0 + s * (2.0 + s * (2.0 + s))) <= excess:
            low = middle
        else:
            high = middle
    return low * low


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """The length of the start, and the bonus as factor·√(ln ln(base·N) + shift) over √N."""
    assert setting.delta is not None
    log_inverse_delta = -math.log(setting.delta)
    e = tuned_epsilon(setting.K, log_inverse_delta)
    if e == 0.0:
        raise InputError(f"delta: lil-HDoC needs a value below 1/e = 0.3679, not {setting.delta}")
    log_c = math.log((2.0 + e) / e) - (1.0 + e) * math.log(math.log1p(e))
    factor = (1.0 + math.sqrt(e)) * math.sqrt(2.0 * (1.0 + e))
    return (options["warmup"], factor, 1.0 + e, log_inverse_delta + log_c + math.log(setting.K))


def _pulls(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("give a whole number from 1 on")
    return number


LIL_HDOC = Algorithm(
    name="lil-HDoC",
    summary="HDoC after a long uniform start, with tighter bounds: for means very close to θ.",
    reference="Tsai, Tsai and Lin (2024)",
    guarantee="δ-correct by its own stopping rule (law of the iterated logarithm)",
    choose=choose,
    verdict=verdict,
    settings=(FIXED_CONFIDENCE,),
    needs=("delta",),
    own_stopping=True,
    constants=constants,
    options={"warmup": Option(200, _pulls, "pulls of every arm before anything is decided")},
)

ALGORITHMS = (LIL_HDOC,)
