"""How hard an instance is: every complexity of the paper, or the reason why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodarm.instance import Instance
from goodarm.theory.quantities import QUANTITIES, Array, Gaps
from goodarm.theory.readings import UndefinedError, finite

NAMES = (
    "H1",
    "Htheta",
    "delta_min",
    "delta_max_good",
    "T_star",
    "w_star",
    "delta_hat",
    "K_delta_hat_inv_sq",
    "I_star",
    "H2",
    "delta_tilde_inv_sq",
    "logbar",
    "G1",
    "G2",
)
"""The quantities of the JSON output, in its order."""


@dataclass(frozen=True)
class Complexity:
    """The complexities of one instance; a field is None where `reasons` says why.

    Gaps are standardised, Δ_a = |μ_a − θ|/σ_a, and so are the differences of means.
    """

    K: int
    good: int  # the number of good arms
    gaussian: bool  # all arms are Gaussian
    I_star: int
    logbar: float
    delta_min: float | None
    delta_max: float | None
    H1: float | None
    Htheta: float | None
    delta_max_good: float | None
    delta_min_good: float | None
    T_star: float | None
    w_star: Array | None
    delta_hat: float | None
    K_delta_hat_inv_sq: float | None
    H2: float | None
    delta_tilde_inv_sq: float | None
    G1: float | None
    G2: float | None
    reasons: Mapping[str, str]

    @property
    def bad(self) -> int:
        """The number of bad arms."""
        return self.K - self.good

    def need(self, name: str) -> float:
        """The quantity of that name; raises UndefinedError with its reason where there is none."""
        value = getattr(self, name)
        if value is None:
            raise UndefinedError(self.reasons[name])
        return float(value)

    def square(self, name: str) -> float:
        """The square of the gap of that name; every theorem assumes Δ_min > 0 too."""
        if self.delta_min == 0.0:
            raise UndefinedError(self.reasons["H1"])
        gap = self.need(name)
        return finite(gap * gap, f"{name} squared")

    def to_dict(self) -> dict[str, Any]:
        """The quantities as plain data."""
        data = {name: getattr(self, name) for name in NAMES}
        if self.w_star is not None:
            data["w_star"] = self.w_star.tolist()
        return data


def logbar(K: int) -> float:
    """1/2 + Σ_{i=2..K} 1/i, the constant of Successive Rejects (paper, Section "SR-G")."""
    return 0.5 + float(np.sum(1.0 / np.arange(2, K + 1)))


def complexity(problem: Instance | Complexity) -> Complexity:
    """All complexities of an instance (a Complexity is handed back as it is).

    >>> from goodarm.instance import instances
    >>> round(complexity(instances["NoA2"]).H1, 3)
    113.028
    """
    if isinstance(problem, Complexity):
        return problem
    gaps = Gaps(problem)
    values: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    for name, compute in QUANTITIES.items():
        try:
            with np.errstate(divide="ignore", over="ignore", under="ignore"):
                values[name] = compute(gaps)
        except UndefinedError as undefined:
            values[name] = None
            reasons[name] = str(undefined)
    return Complexity(
        K=gaps.K,
        good=len(gaps.good_gaps),
        gaussian=problem.families == ("gaussian",),
        I_star=int(np.count_nonzero(gaps.below_best == 0.0)),
        logbar=logbar(gaps.K),
        reasons=reasons,
        **values,
    )
