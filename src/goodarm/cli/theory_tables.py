"""The tables of `goodarm theory`, and the remarks below them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rich.markup import escape

from goodarm.cli.tables import FittingTable, console, rate, table
from goodarm.instance import Instance
from goodarm.theory.rankings import Ranked
from goodarm.theory.remarks import remarks
from goodarm.wording import NOTHING, counted, figure

MEANINGS = {
    "H1": "Σ Δ^−2 over all arms",
    "Htheta": "Σ Δ^−2 over the good arms",
    "delta_min": "smallest gap |μ − θ|/σ",
    "delta_max_good": "largest gap of a good arm",
    "T_star": "lower bound: samples per unit of ln(1/δ)",
    "delta_hat": "largest good gap + smallest bad gap",
    "K_delta_hat_inv_sq": "K Δ̂^−2",
    "I_star": "number of arms of largest mean",
    "H2": "max i (μ* − μ_(i))^−2 behind the best",
    "delta_tilde_inv_sq": "max(1/min good gap², H2)",
    "logbar": "1/2 + Σ 1/i, i = 2..K",
    "G1": "SH-G with good arms, an order only",
    "G2": "SR-G with good arms, asymptotically",
}
SMALLEST_LOG = -690.0  # of a number that a double can hold


class Theory(NamedTuple):
    """What is shown about an instance: its summary, and the ranking in each reading."""

    problem: Instance
    summary: dict[str, Any]
    rankings: Mapping[str, Sequence[Ranked]]
    risks: Mapping[str, float]  # ln(1/δ) by label
    times: Mapping[str, float]
    simulated_at: float | None


def show_theory(theory: Theory) -> None:
    """Every table, then the remarks."""
    out = console()
    out.print(_complexity_table(theory.summary))
    for reading, ranking in theory.rankings.items():
        out.print(_error_table(theory.summary, reading, ranking))
        out.print(_size_table(theory.summary, reading))
    reading, ranking = list(theory.rankings.items())[-1]
    out.print(_ranking_table(ranking, reading, theory.simulated_at))
    for reading in theory.rankings:
        out.print(f"Remarks ({reading} reading)", style="bold")
        for remark in remarks(theory.problem, theory.risks, list(theory.times.values()), reading):
            out.print(f"• {remark}", markup=False)
    for remark in _oracle_remarks(theory):
        out.print(f"• {remark}", markup=False)
    out.print("• Theory ranks and explains; simulation predicts.", markup=False)


def _complexity_table(summary: dict[str, Any]) -> FittingTable:
    size = f"{counted(summary['K'], 'arm')}, {summary['good_arms'] or 'none'} good"
    title = f"{summary['instance']}: {size}, θ = {summary['threshold']:g}"
    rows = table(escape(title), ["quantity", "what it is", "value"], left=2)
    for name, meaning in MEANINGS.items():
        value = summary["complexity"][name]
        reason = "" if value is not None else f" ({summary['reasons']['complexity.' + name]})"
        rows.add_row(name, escape(meaning + reason), figure(value))
    return rows


def _error_table(summary: dict[str, Any], reading: str, ranking: Sequence[Ranked]) -> FittingTable:
    bounds = summary["error_bound"][reading]
    times = list(next(iter(bounds.values())))
    rows = table(
        f"Bounds on the error, {reading} ({NOTHING} where nothing is stated)",
        ["algorithm", "known", "C(μ)", *(f"t = {t}" for t in times), "below 1 from t ="],
        left=2,
    )
    for row in ranking:
        name = row.algorithm
        known = "nothing" if row.anytime else "T, μ" if "PKGAI" in name else "T"
        cells = [_probability(bounds[name][t]["log"]) for t in times]
        start = summary["below_one_from"][reading][name]
        rows.add_row(name, known, figure(row.constant), *cells, figure(start))
    return rows


def _size_table(summary: dict[str, Any], reading: str) -> FittingTable:
    lower = summary["lower_bound"]
    deltas = list(lower)
    rows = table(f"Sample sizes, {reading}", ["samples", *(f"δ = {d}" for d in deltas)])

    def add(what: str, values: Mapping[str, Any], key: str) -> None:
        rows.add_row(what, *(figure(values[d][key]) for d in deltas))

    add("any algorithm needs, T* kl(1 − δ, δ)", lower, "kl_form")
    add("  weaker, T* ln(1/(2.4δ))", lower, "log_form")
    oracle = summary["oracle"]
    rows.add_row("an oracle needs, that knows the means", *(_mean(oracle[d]) for d in deltas))
    add("  with a look at each other arm", oracle, "yardstick")
    for algorithm, sizes in summary["sample_complexity"][reading].items():
        add(f"{algorithm} stops by, on average", sizes, "bound")
        if "bound_proved" in sizes[deltas[0]] and algorithm == "APGAI":
            add("  proved", sizes, "bound_proved")
        add("  closed form C′", sizes, "C_prime")
        last_errors = summary["unverifiable"][reading][algorithm]
        rows.add_row(f"{algorithm} errs no more after", *(figure(last_errors[d]) for d in deltas))
    return rows


def _mean(numbers: Mapping[str, Any]) -> str:
    """A simulated mean with its standard error."""
    if numbers["mean"] is None:
        return NOTHING
    return f"{figure(numbers['mean'])} ± {figure(numbers['se'], 2)}"


def _oracle_remarks(theory: Theory) -> list[str]:
    """What the oracle's figures rest on, and why some are missing."""
    reasons = theory.summary["reasons"]
    missing = [
        f"The oracle at δ = {label}: {reasons[f'oracle.{label}'].removeprefix('oracle: ')}."
        for label, numbers in theory.summary["oracle"].items()
        if numbers["mean"] is None
    ]
    if len(missing) < len(theory.summary["oracle"]):
        outcome = theory.problem.own_outcome.name
        missing.append(
            f"The oracle is simulated and stops by certificates of {outcome} outcomes, as studies "
            "do; the other sample sizes are about Gaussian arms and the boundary glr."
        )
    return missing


def _ranking_table(ranking: Sequence[Ranked], reading: str, time: float | None) -> FittingTable:
    columns = ["algorithm", "rank by bound", "C(μ)"]
    title = f"Who should win ({reading} bounds)"
    if time is not None:
        columns += ["rank simulated", f"error at {figure(time)} [95 %]"]
        title += ", and who does"
    rows = table(title, columns)
    for row in ranking:
        cells = [row.algorithm, figure(row.rank_by_bound), figure(row.constant)]
        if time is not None:
            error = NOTHING if row.simulated is None else rate(*row.simulated)
            cells += [figure(row.rank_by_simulation), error]
        rows.add_row(*cells)
    return rows


def _probability(log: float | None) -> str:
    """A bound on a probability from its logarithm, however small."""
    if log is None:
        return NOTHING
    if log >= 0.0:
        return "1"
    return figure(math.exp(log)) if log > SMALLEST_LOG else f"1e{log / math.log(10.0):,.0f}"
