"""The paper's tables of constants, row by row, for any instance and in both readings."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.constants import error_rate_constant
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.lower_bounds import fixed_budget_hardness, other_arms_pulls
from goodarm.theory.readings import CORRECTED, PUBLISHED, UndefinedError, finite
from goodarm.theory.unverifiable import uniform_hardness


class ConstantRow(NamedTuple):
    """One row: whose constant, where it is stated, and its value as published and as corrected."""

    name: str
    label: str
    published: float | None
    corrected: float | None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()


def _row(
    name: str, label: str, published: Callable[[], float], corrected: Callable[[], float]
) -> ConstantRow:
    values: list[float | None] = []
    reason = None
    for compute in (published, corrected):
        try:
            values.append(finite(compute(), name))
        except UndefinedError as undefined:
            values.append(None)
            reason = str(undefined)
    return ConstantRow(name, label, values[0], values[1], reason)


def error_table(problem: Instance | Complexity) -> list[ConstantRow]:
    """Table "summary_anytimeGAI": C(μ) of the error, with SR-G and SH-G added.

    The table's references for DSR-G and DSH-G are swapped; the labels here are the right ones.
    """
    c = complexity(problem)
    rows = []
    for name, theorem in ERROR_THEOREMS.items():
        values = [error_rate_constant(c, name, reading) for reading in (PUBLISHED, CORRECTED)]
        reason = values[0].reason or values[1].reason
        rows.append(ConstantRow(name, theorem.label, values[0].number, values[1].number, reason))
    return rows


def unverifiable_table(problem: Instance | Complexity) -> list[ConstantRow]:
    """Table "summary_unverif_GAI": lim U/ln(1/δ).

    Published 36 H1 and 8 H1; the theorem says 18 H1 and 4 H1, and its corrected form 18 and 8.
    """
    c = complexity(problem)

    def apgai(factors: tuple[float, float]) -> float:
        return factors[0 if c.good == 0 else 1] * c.need("H1")

    def unif() -> float:
        return (2.0 if c.good == 0 else 8.0) * uniform_hardness(c)

    in_the_table, corrected = partial(apgai, (36.0, 8.0)), partial(apgai, (18.0, 8.0))
    return [
        _row("APGAI", "thm:unverifiable_sample_complexity", in_the_table, corrected),
        _row("Unif", "thm:Unif_unverifiable_sample_complexity", unif, unif),
    ]


def stopping_table(problem: Instance | Complexity) -> list[ConstantRow]:
    """Table "summary_FCGAI": lim E[τ_δ]/ln(1/δ)."""
    c = complexity(problem)

    def apgai() -> float:
        return 2.0 * c.need("H1" if c.good == 0 else "Htheta")

    def unif() -> float:
        return 2.0 * uniform_hardness(c)

    def optimal() -> float:
        return c.need("T_star")

    def elimination() -> float:
        if c.good > 0:
            raise UndefinedError("no bound is known with good arms")
        return 2.0 * c.need("H1")

    def order() -> float:
        raise UndefinedError("known up to a constant factor only")

    rows = (
        ("APGAI", "thm:expected_sample_complexity_upper_bound", apgai),
        ("Unif", "thm:uniform_sampling_sample_complexity_upper_bound", unif),
        ("S-TaS", "Degenne and Koolen (2019)", optimal),
        ("HDoC", "Kano et al. (2019)", optimal),
        ("APT-G", "Kano et al. (2019)", elimination),
        ("LUCB-G", "Kano et al. (2019)", elimination),
        ("SEE", "Li and Cheung (2025)", order),
    )
    return [_row(name, label, compute, compute) for name, label, compute in rows]


def lower_table(instance: Instance) -> list[ConstantRow]:
    """Table "summary_lb_GAI". Its last row lacks a factor 2: it is T*.

    The first rows speak of instances with one good arm at θ + Δ and all others at θ − ε.
    """
    c = complexity(instance)
    gaps = abs(instance.gaps[~instance.good])

    def isolated(compute: Callable[[int, float, float], float]) -> Callable[[], float]:
        def evaluate() -> float:
            if c.good != 1 or c.bad == 0 or float(gaps.min()) != float(gaps.max()):
                raise UndefinedError("stated for one good arm and all others at one mean")
            c.square("delta_min")
            return compute(c.K, c.need("delta_max_good"), float(gaps[0]))

        return evaluate

    budget, others = isolated(fixed_budget_hardness), isolated(other_arms_pulls)
    rows = [
        _row("fixed budget", "thm:thm6_degenne2023existence", budget, budget),
        _row("unverifiable, other arms", "thm:lb_unverifiable_K_BAI", others, others),
        _row("fixed confidence, other arms", "thm:lb_K_BAI", others, others),
    ]

    def t_star() -> float:
        return c.need("T_star")

    rows.append(_row("fixed confidence", "lem:lower_bound_GAI", lambda: 0.5 * t_star(), t_star))
    return rows


def difficulty_row(instance: Instance) -> dict[str, float | None]:
    """One row of table "instances_constants_value", which has Med2 at σ = 1 and RealL's scores raw.

    Its published IsA1 row belongs to linspace(0.6, −0.6, 10), its NoA1 row to about
    linspace(−0.3, −0.6, 5); IsA2 and NoA2 are truncated, and TwoG's Hθ and K Δ̂^−2 are swapped.
    """
    c = complexity(instance)

    def inverse(name: str) -> float | None:
        try:
            return 1.0 / c.square(name)
        except UndefinedError:
            return None

    return {
        "H1": c.H1,
        "Htheta": c.Htheta,
        "min_good_inv_gap_sq": inverse("delta_max_good"),
        "max_good_inv_gap_sq": inverse("delta_min_good"),
        "K_delta_hat_inv_sq": c.K_delta_hat_inv_sq,
    }
