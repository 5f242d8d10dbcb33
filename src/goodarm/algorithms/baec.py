"""BAEC: is there an arm above θ_U, when none lies between θ_L and θ_U?

Bad-Arm-Existence-Checking with a margin: θ_U is the instance's threshold, θ_L the option
`theta_low`. With the standardised margin g_a = (θ_U − θ_L)/σ_a, an arm pulled N times

    is answered        when  μ̂_a − σ_a √(2Λ⁻/N) ≥ θ_L,   Λ⁻ = ln(√K N_δ/δ),
    is dropped for good when  μ̂_a + σ_a √(2Λ⁺/N) < θ_U,   Λ⁺ = ln(N_δ/δ),
    N_δ = ⌈2e/((e − 1) g_a²) · ln(2√K/(g_a² δ))⌉,

and the answer is ∅ when none is left. Of the arms left, it pulls the one of largest index:

    APT_P  √N_a (μ̂_a − θ_a)/σ_a, with θ_a between θ_L and θ_U where the two bounds meet:
           θ_U − (θ_U − θ_L)/(1 + √(Λ⁻/Λ⁺));
    UCB    d_a + √(2 ln t/N_a);
    LUCB   d_a + √(2Λ⁺/N_a).

Guarantee: these Λ± are the paper's, and with them the union bound over K arms leaves √K·δ for a
false alarm: 100 arms at θ_L, three σ below θ_U, give one in 15 % of the runs at δ = 0.1. With
`bounds=proven` a false alarm, and a miss of all arms above θ_U, have probability at most δ each:
Λ⁻ = ln(K N_δ/δ), and N_δ with g_a/2 for g_a, the scale of the original, where σ = 1/2. Arms
between the thresholds may be answered or dropped: no promise is made about them, and a
simulation counts them as bad.
When to use it: when a margin is given by the application; every arm is then decided in a bounded
number of pulls. With θ_L = θ_U the bounds are infinite: use HDoC, LUCB-G or APGAI.
Reference: Tabata, Nakamura, Honda and Komatsuzaki, "A bad arm existence checking problem",
Machine Learning 109 (2020).
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from goodarm.algorithms.contract import FIXED_CONFIDENCE, Algorithm, Option, Setting
from goodarm.algorithms.hdoc import upper_bound
from goodarm.algorithms.scanning import Index, Number, exploration_scale, largest, no_scale
from goodarm.errors import InputError
from goodarm.run import Run
from goodarm.stopping.contract import answer_or_eliminate

# In `constants`, four numbers for each arm: √(2Λ⁺), √(2Λ⁻), the margin g_a, and (θ_U − θ_a)/σ_a.
UPPER_ROOT, LOWER_ROOT, MARGIN, SHIFT = range(4)
PER_ARM = 4


def verdict(run: Run, t: int, arm: int) -> int:
    """Answer the arm just pulled, or eliminate it."""
    own = PER_ARM * arm
    above = run.constants[own + LOWER_ROOT] - run.roots[arm] * run.constants[own + MARGIN]
    return answer_or_eliminate(run, arm, above, run.constants[own + UPPER_ROOT])


def shifted_evidence(run: Run, arm: int, scale: float) -> float:
    """APT_P: the evidence against a threshold between θ_L and θ_U."""
    if run.active[arm] == 0:
        return -math.inf
    shift = run.constants[PER_ARM * arm + SHIFT]
    return run.roots[arm] * (run.gaps[arm] + shift)


def own_upper_bound(run: Run, arm: int, scale: float) -> float:
    """LUCB: the upper bound that decides whether the arm is dropped."""
    return upper_bound(run, arm, run.constants[PER_ARM * arm + UPPER_ROOT])


def constants(
    setting: Setting, options: Mapping[str, Any], name: str = "BAEC(APT_P)"
) -> Sequence[float]:
    """The bounds of every arm."""
    theta, low = setting.threshold, options["theta_low"]
    if low is None or not low < theta:
        what = "is missing" if low is None else f"= {low} is not below the threshold {theta}"
        raise InputError(
            f"{name}: theta_low {what}. BAEC needs two thresholds, theta_low below the "
            "instance's threshold: its confidence bounds grow with 1/(threshold − theta_low)² "
            f"and are infinite when the two are equal. Write {name}[theta_low=…], or use HDoC, "
            "LUCB-G or APGAI, which need one threshold"
        )
    assert setting.delta is not None
    proven = options["bounds"] == "proven"
    numbers: list[float] = []
    for sigma in setting.sigmas:
        margin = (theta - low) / float(sigma)
        up, down = log_terms(setting.K, setting.delta, 0.5 * margin if proven else margin)
        if proven:
            down += 0.5 * math.log(setting.K)
        shift = margin / (1.0 + math.sqrt(down / up))
        numbers += [math.sqrt(2.0 * up), math.sqrt(2.0 * down), margin, shift]
    return numbers


def log_terms(K: int, delta: float, margin: float) -> tuple[float, float]:
    """Λ⁺ and Λ⁻ for one standardised margin."""
    square = margin * margin
    log_term = 0.5 * math.log(K) + math.log(2.0 / square) - math.log(delta)
    pulls = max(math.ceil(2.0 * math.e / ((math.e - 1.0) * square) * log_term), 1)
    up = math.log(pulls) - math.log(delta)
    return up, up + 0.5 * math.log(K)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("give a finite number")
    return number


def _bounds(text: str) -> str:
    if text.lower() not in ("paper", "proven"):
        raise ValueError("give paper or proven")
    return text.lower()


def _baec(index_name: str, summary: str, index: Index, scale: Number = no_scale) -> Algorithm:
    name = f"BAEC({index_name})"
    return Algorithm(
        name=name,
        summary=summary,
        reference="Tabata, Nakamura, Honda and Komatsuzaki (2020)",
        guarantee="with bounds=proven δ-correct, if no mean lies between the thresholds",
        choose=largest(index, scale),
        verdict=verdict,
        settings=(FIXED_CONFIDENCE,),
        needs=("delta", "two thresholds"),
        own_stopping=True,
        constants=partial(constants, name=name),
        options={
            "theta_low": Option(None, _finite, "the lower threshold; required"),
            "bounds": Option("paper", _bounds, "paper (its Λ±) or proven (δ-correct)"),
        },
    )


BAEC_APT_P = _baec(
    "APT_P",
    "Is any arm above θ, with none just below it? Pulls the arm of largest evidence.",
    shifted_evidence,
)
BAEC_UCB = _baec(
    "UCB",
    "Is any arm above θ, with none just below it? Pulls by UCB.",
    upper_bound,
    exploration_scale,
)
BAEC_LUCB = _baec(
    "LUCB",
    "Is any arm above θ, with none just below it? Pulls by its own upper bound.",
    own_upper_bound,
)

ALGORITHMS = (BAEC_APT_P, BAEC_UCB, BAEC_LUCB)
