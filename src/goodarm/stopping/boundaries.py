"""Stopping boundaries: their names, their formulas and the numbers that a run carries."""

import math
import re
from dataclasses import dataclass

from goodarm.errors import InputError, unknown_name
from goodarm.numerics import wbar
from goodarm.outcomes.contract import Levels

NO_BOUNDARY, GLR, KANO, MIXTURE = range(4)
MOST_FOR_NAMES = 0.75  # of δ, at most, for naming a bad arm where another one is good

BOUNDARIES = {
    "mixture": "certificates of the outcome model, ln(K/(xδ)) to name an arm: the fewest trials",
    "glr": "2c(t, δ) = W̄(2 ln(K/δ) + 4 ln(4 + ln t) + 1/2): δ-correct for any sampling rule",
    "glr-tables": "W̄(2 ln(2K/δ) + 4 ln(4 + ln t) + 1): what the paper's printed tables used",
    "glr[s=S]": "W̄(2 ln(K/δ) + 2s ln(2s + ln t) + 2g(s)): the family behind it, any s > 1",
    "kano": "per-arm bonus √(2(ln(4K/δ) + 2 ln N)/N) with permanent elimination (Kano et al.)",
}


@dataclass(frozen=True)
class Boundary:
    """A boundary for K arms at confidence 1 − δ, as the three numbers that a run carries.

    GLR kind: b(t)² = 2c(t, δ) = W̄(offset + slope·ln(slope + ln t)).
    Kano kind: an arm's bonus is √(2(offset + 2 ln N_a)/N_a).
    Mixture: an arm is named when its certificate for "good" reaches the offset; "none is good" is
    said when every arm's certificate for "bad" has reached the slope.
    """

    name: str
    kind: int
    offset: float
    slope: float

    @property
    def numbers(self) -> tuple[float, float, float]:
        """What a run stores of the boundary."""
        return (float(self.kind), self.offset, self.slope)

    @property
    def levels(self) -> Levels:
        """What the outcome model's certificates must reach; never, for other kinds."""
        return Levels(self.offset, self.slope) if self.kind == MIXTURE else Levels()

    def level(self, t: float) -> float:
        """b(t) = √(2c(t, δ)), the evidence needed to stop after t observations (GLR kind)."""
        return glr_level(self.offset, self.slope, t)


NEVER = Boundary("none", NO_BOUNDARY, 0.0, 0.0)


def glr_level(offset: float, slope: float, t: float) -> float:
    """√W̄(offset + slope·ln(slope + ln t)); plain, so that compiled code can call it."""
    return math.sqrt(wbar(offset + slope * math.log(slope + math.log(t))))


def g(s: float) -> float:
    """g(s) = ln ζ(s) + s(1 − ln 2s) + 1/2, the constant of the general-s boundary, s > 1."""
    from scipy.special import zeta

    return math.log(float(zeta(s))) + s * (1.0 - math.log(2.0 * s)) + 0.5


def parse_boundary(
    name: str, K: int, delta: float | None = None, log_inverse_delta: float | None = None
) -> Boundary:
    """The boundary of that name for K arms at δ; δ may be given as ln(1/δ), however large.

    >>> round(parse_boundary("glr", 10, 0.01).level(1000) ** 2, 6)
    27.175731
    """
    if log_inverse_delta is None:
        if delta is None or not isinstance(delta, int | float) or not 0.0 < delta < 1.0:
            raise InputError(f"delta: {delta!r} is not strictly between 0 and 1")
        log_inverse_delta = -math.log(delta)
    base = math.log(K) + log_inverse_delta
    text = name.strip().lower()
    general = re.fullmatch(r"glr\[\s*s\s*=\s*([^\]]+)\]", text)
    if general:
        try:
            s = float(general.group(1))
        except ValueError:
            s = math.nan
        if not 1.0 < s < math.inf:
            raise InputError(f"boundary {name!r}: s must be a number above 1")
        return Boundary(f"glr[s={s:g}]", GLR, 2.0 * base + 2.0 * g(s), 2.0 * s)
    if text == "mixture":
        return mixture(K, log_inverse_delta)
    if text == "glr":
        return Boundary("glr", GLR, 2.0 * base + 0.5, 4.0)
    if text == "glr-tables":
        return Boundary("glr-tables", GLR, 2.0 * (base + math.log(2.0)) + 1.0, 4.0)
    if text == "kano":
        return Boundary("kano", KANO, base + math.log(4.0), 0.0)
    raise unknown_name("boundary", name, BOUNDARIES)


def mixture(K: int, log_inverse_delta: float) -> Boundary:
    """The levels of the certificates: how δ is shared between the two ways to be wrong.

    Where some arm is good, a wrong name needs one of at most K − 1 bad arms to reach K/(xδ), a
    wrong "none" needs that good arm to reach 1/δ₋: (K − 1)xδ/K + δ₋ = δ in all. Where none is,
    only names can be wrong: xδ ≤ δ. No union over arms for "none": one fixed good arm suffices.
    """
    share = name_share(K)
    none = 1.0 - share * (K - 1) / K
    return Boundary(
        "mixture",
        MIXTURE,
        log_inverse_delta + math.log(K / share),
        log_inverse_delta - math.log(none),
    )


def name_share(K: int) -> float:
    """x: xδ/K is an arm's share of δ for being named. 1 up to K = 4, then K/(K − 1) · 3/4."""
    return 1.0 if K == 1 else min(1.0, MOST_FOR_NAMES * K / (K - 1))
