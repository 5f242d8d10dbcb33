"""The probability that APGAI ever errs (Corollary "cor:upper_bound_PoE_anytimeID")."""

import math

import numpy as np

from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.error_formulas import LOG_E_SQRT_2
from goodarm.theory.readings import CORRECTED, Quantity, UndefinedError, finite, is_published

# Trapezoidal rule for x = e^s: the integrand is analytic for |Im s| < π/2 and falls off at both
# ends, so its error is about e^(−π²/step); the ends left out are below 1e-19 of the whole.
_STEP = 0.1
_NODES = np.arange(-30.0, 4.5, _STEP)
_WEIGHTS = _STEP * np.exp(1.5 * _NODES - np.exp(_NODES))


def gamma_tilde(scale: float, offset: float) -> float:
    """γ̃(3/2, ∞, scale, offset) = ∫₀^∞ (2 + ln(scale·x + offset)) √x e^−x dx.

    >>> round(gamma_tilde(1e-12, 1.0), 9) == round(math.sqrt(math.pi), 9)
    True
    """
    logs = np.logaddexp(math.log(scale) + _NODES, math.log(offset))
    return float(np.sum(_WEIGHTS * (2.0 + logs)))


def time_uniform_bound(problem: Instance | Complexity, reading: str = CORRECTED) -> Quantity:
    """The bound on P(an error at some t > K): the limit δ → 0, which is the infimum over δ.

    Published K α H1 e√2 γ̃, corrected twice that (with α = 4 and offset K where an arm is good). Not
    clipped: it is far above 1 on every benchmark instance, and then says nothing.
    """
    c = complexity(problem)
    published = is_published(reading)
    try:
        hardness = c.need("H1")
        alpha = 9.0 if c.good == 0 else (2.0 if published else 4.0)
        offset = c.K + (2 * c.good if published else 0)
        scale = 2.0 * alpha * hardness
        factor = c.K * scale * math.exp(LOG_E_SQRT_2) * (0.5 if published else 1.0)
        return Quantity(finite(factor * gamma_tilde(scale, offset), "the time-uniform bound"))
    except UndefinedError as undefined:
        return Quantity(None, str(undefined))
