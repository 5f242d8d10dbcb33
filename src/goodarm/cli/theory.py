"""goodarm theory: what the paper's theory says about an instance."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goodarm.instance import Instance
    from goodarm.plotting.bounds import ErrorCurve
    from goodarm.theory.rankings import SimulatedError

DEFAULT_DELTAS = ("0.01",)
DEFAULT_TIMES = ("1000", "10000", "100000")
LONGEST_DRAWN = 20_000  # pulls a run, simulated for a picture
LONGEST_RANKED = 1_000_000  # pulls a run, simulated for a ranking
RUNS = 1000


class TheoryCommand(TyperCommand):
    """Lets --delta and --time take several values: ``--delta 0.1 0.01``, or each with its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give every further number its own option, then parse as usual."""
        spread: list[str] = []
        option, waiting = "", False  # the last --delta or --time, and whether its value is next
        for word in args:
            if word in ("--delta", "-d", "--time", "-t"):
                option, waiting = word, True
            elif waiting:
                waiting = False
            elif option and _is_number(word):
                spread.append(option)
            else:
                option = ""
            spread.append(word)
        return super().parse_args(ctx, spread)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def theory(
    instance: Annotated[
        str, typer.Argument(help="A name (goodarm list instances), TwoG:100:30, or a file.")
    ],
    delta: Annotated[
        list[str] | None,
        typer.Option("--delta", "-d", help="A risk δ, however small; may be given several times."),
    ] = None,
    time: Annotated[
        list[str] | None,
        typer.Option("--time", "-t", help="A time or budget; may be given several times."),
    ] = None,
    reading: Annotated[
        str, typer.Option(help="corrected, published (as in the paper) or both; --json has both.")
    ] = "corrected",
    threshold: Annotated[
        float | None, typer.Option(help="Replace the instance's threshold.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not tables.")] = False,
    plot: Annotated[
        str | None, typer.Option(help="Draw bounds and simulated errors into this file.")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(help="Simulate this many runs, at the first time, beside the bounds."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0,
) -> None:
    """Complexity, error bounds, sample sizes and lower bounds of an instance."""
    from goodarm.instance import load_instance
    from goodarm.theory import ranking, theory_summary

    problem = load_instance(instance, threshold)
    readings = _readings(reading)
    risks = {label: _risk(label) for label in _pieces(delta, DEFAULT_DELTAS)}
    times = {label: _time(label) for label in _pieces(time, DEFAULT_TIMES)}
    _check_plot(plot)
    simulated: dict[str, SimulatedError] = {}
    when = next(iter(times.values()))
    if runs is not None:
        simulated = _simulate_at(problem, when, runs, seed)
    data = theory_summary(problem, risks, times)
    places = {name: ranking(problem, simulated, name) for name in readings}
    if plot is not None:
        _draw(problem, plot, list(times.values()), RUNS if runs is None else runs, seed, readings)
    if as_json:
        data["ranking"] = {
            name: [row.to_dict() for row in ranking(problem, simulated, name)]
            for name in ("published", "corrected")
        }
        print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))
        return
    _show(problem, data, readings, risks, times, places, when if simulated else None)


def _pieces(given: list[str] | None, default: "Sequence[str]") -> list[str]:
    """The labels as typed; one option may hold several, separated by commas."""
    return [piece.strip() for text in given or default for piece in text.split(",")]


def _readings(reading: str) -> tuple[str, ...]:
    from goodarm.errors import unknown_name

    known = {"corrected": ("corrected",), "published": ("published",), "both": ("published", "corrected")}
    if reading.lower() not in known:
        raise unknown_name("reading", reading, known)
    return known[reading.lower()]


def _risk(text: str) -> float:
    """ln(1/δ) of a δ as typed; through decimals, so that 1e-1000 is no 0."""
    from decimal import Decimal, InvalidOperation

    from goodarm.errors import InputError

    try:
        value = Decimal(text)
        inside = Decimal(0) < value < Decimal(1)
    except InvalidOperation:
        raise InputError(f"delta: {text!r} is not a number") from None
    if not inside:
        raise InputError(f"delta: {text!r} is not strictly between 0 and 1")
    return -float(value.ln())


def _time(text: str) -> float:
    from goodarm.errors import InputError

    try:
        value = float(text)
    except ValueError:
        raise InputError(f"time: {text!r} is not a number") from None
    if not 1.0 <= value < float("inf") or value != int(value):
        raise InputError(f"time: {text!r} is not a whole number of at least 1")
    return value


def _check_plot(plot: str | None) -> None:
    """Complain before the simulation, not after it."""
    if plot is None:
        return
    from pathlib import Path

    from goodarm.errors import InputError

    known = (".png", ".pdf", ".svg", ".jpg", ".webp")
    path = Path(plot)
    if path.suffix.lower() not in known:
        raise InputError(f"plot: {plot!r} must end in one of {', '.join(known)}")
    if not path.parent.is_dir():
        raise InputError(f"plot: the folder {str(path.parent)!r} does not exist")


def _specs(problem: "Instance") -> dict[str, str]:
    """The rules with bounds that can be simulated, and how the simulator calls them.

    PKGAI is any index; with good arms only Unif's width is that of the theorem.
    """
    from goodarm.algorithms import algorithms

    named = {name: name for name in ("APGAI", "Unif", "SR-G", "SH-G", "DSR-G", "DSH-G")}
    named["PKGAI(Unif)"] = "PKGAI(Unif)[beta=prior]"
    if not problem.good.any():
        named["PKGAI"] = "PKGAI(APT_P)[beta=prior]"
    known = set(algorithms)
    return {rule: spec for rule, spec in named.items() if spec.partition("[")[0] in known}


def _simulate_at(
    problem: "Instance", t: float, runs: int, seed: int
) -> "dict[str, SimulatedError]":
    """Every rule's simulated error with budget t; a rule that t is too short for is left out."""
    from goodarm.errors import InputError
    from goodarm.simulation import RunResult, simulate
    from goodarm.simulation.job import SUB_GAUSSIAN
    from goodarm.theory.rankings import SimulatedError

    if t > LONGEST_RANKED:
        raise InputError(
            f"runs: the first time, {t:g}, is the one simulated, and is too long; "
            f"put one of at most {LONGEST_RANKED:,} first"
        )
    found: dict[str, SimulatedError] = {}
    failure: InputError | None = None
    for rule, spec in _specs(problem).items():
        try:
            results = simulate(
                problem,
                spec,
                budget=int(t),
                outcome=SUB_GAUSSIAN,  # what the bounds are about
                runs=runs,
                seed=seed,
                show_progress_bar=True,
            )
        except InputError as error:
            failure = error
            continue
        result = next(iter(results.values()))
        assert isinstance(result, RunResult)
        found[rule] = SimulatedError(result.error_rate, *result.error_interval())
    if not found and failure is not None:
        raise failure
    return found


def _draw(
    problem: "Instance", path: str, times: list[float], runs: int, seed: int,
    readings: tuple[str, ...],
) -> None:  # fmt: skip
    from matplotlib.figure import Figure

    from goodarm.errors import InputError
    from goodarm.plotting.bounds import plot_bounds

    horizon = max(times)
    curves = _simulate_curves(problem, int(min(horizon, LONGEST_DRAWN)), runs, seed)
    figure = plot_bounds(problem, horizon, curves, readings).get_figure()
    assert isinstance(figure, Figure)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError(f"plot: cannot write {path!r}: {error.strerror}") from None


def _simulate_curves(
    problem: "Instance", horizon: int, runs: int, seed: int
) -> "dict[str, ErrorCurve]":
    import numpy as np

    from goodarm.algorithms import algorithms
    from goodarm.plotting.bounds import ErrorCurve
    from goodarm.simulation import AnytimeResult, simulate
    from goodarm.simulation.job import SUB_GAUSSIAN

    if horizon < problem.K:
        return {}
    known = set(algorithms)
    rules = [name for name in ("APGAI", "Unif", "DSR-G", "DSH-G") if name in known]
    times = np.unique(np.geomspace(problem.K, horizon, 80).astype(np.int64)).tolist()
    results = simulate(
        problem,
        rules,
        horizon=horizon,
        outcome=SUB_GAUSSIAN,  # what the bounds are about
        times=times,
        runs=runs,
        seed=seed,
        show_progress_bar=True,
    )
    curves = {}
    for rule, result in results.items():
        assert isinstance(result, AnytimeResult)
        low, high = result.error_interval()
        defined = result.defined
        if defined.any():
            curves[rule] = ErrorCurve(
                result.times[defined].astype(np.float64), result.error_rate[defined],
                low[defined], high[defined],
            )  # fmt: skip
    return curves


def _show(
    problem: "Instance", data: dict[str, Any], readings: tuple[str, ...],
    risks: "Mapping[str, float]", times: "Mapping[str, float]", places: dict[str, Any],
    when: float | None,
) -> None:  # fmt: skip
    from goodarm.cli.tables import console
    from goodarm.theory.remarks import remarks

    out = console()
    out.print(_complexity_table(data))
    for reading in readings:
        out.print(_error_table(data, reading, places[reading]))
        out.print(_size_table(data, reading))
    out.print(_ranking_table(places[readings[-1]], readings[-1], when))
    for reading in readings:
        out.print(f"Remarks ({reading} reading)", style="bold")
        for remark in remarks(problem, risks, list(times.values()), reading):
            out.print(f"• {remark}", markup=False)
    out.print("• Theory ranks and explains; simulation predicts.", markup=False)


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


def _complexity_table(data: dict[str, Any]) -> Any:
    from goodarm.cli.tables import table

    good = data["good_arms"]
    title = (
        f"{data['instance']}: {data['K']} arms, {good or 'none'} good, θ = {data['threshold']:g}"
    )
    shown = table(title, ["quantity", "what it is", "value"], left=2)
    for name, meaning in MEANINGS.items():
        value = data["complexity"][name]
        shown.add_row(name, meaning, _number(value) if value is not None else
                      f"– ({data['reasons']['complexity.' + name]})")  # fmt: skip
    return shown


def _error_table(data: dict[str, Any], reading: str, places: Any) -> Any:
    from goodarm.cli.tables import table

    bounds = data["error_bound"][reading]
    times = list(next(iter(bounds.values())))
    shown = table(
        f"Bounds on the error, {reading} (– where nothing is stated)",
        ["rule", "known in advance", "C(μ)", *(f"t = {t}" for t in times), "below 1 from t ="],
        left=2,
    )
    for row in places:
        cells = [_probability(bounds[row.algorithm][t]["log"]) for t in times]
        start = data["below_one_from"][reading][row.algorithm]
        prior = "nothing" if row.anytime else "T, μ" if "PKGAI" in row.algorithm else "T"
        shown.add_row(
            row.algorithm, prior, _number(row.constant), *cells, "–" if start is None else f"{start:,}"
        )
    return shown


def _size_table(data: dict[str, Any], reading: str) -> Any:
    from goodarm.cli.tables import table

    deltas = list(data["lower_bound"])
    columns = ["samples", *(f"δ = {d}" for d in deltas)]
    shown = table(f"Sample sizes, {reading}", columns)
    lower = data["lower_bound"]
    shown.add_row(
        "any rule needs, T* kl(1 − δ, δ)", *(_number(lower[d]["kl_form"]) for d in deltas)
    )
    shown.add_row("  weaker, T* ln(1/(2.4δ))", *(_number(lower[d]["log_form"]) for d in deltas))
    for rule, sizes in data["sample_complexity"][reading].items():
        shown.add_row(f"{rule} stops by, on average", *(_number(sizes[d]["bound"]) for d in deltas))
        if "bound_proved" in sizes[deltas[0]] and rule == "APGAI":
            shown.add_row("  proved", *(_number(sizes[d]["bound_proved"]) for d in deltas))
        shown.add_row("  closed form C′", *(_number(sizes[d]["C_prime"]) for d in deltas))
        errs = data["unverifiable"][reading][rule]
        shown.add_row(f"{rule} errs no more after", *(_number(errs[d]) for d in deltas))
    return shown


def _ranking_table(rows: Any, reading: str, when: float | None) -> Any:
    from goodarm.cli.tables import number, table

    columns = ["rule", "rank by bound", "C(μ)"]
    title = f"Who should win ({reading} bounds)"
    if when is not None:
        columns += ["rank simulated", f"error at {when:,.0f} [95 %]"]
        title += ", and who does"
    shown = table(title, columns)
    for row in rows:
        cells = [row.algorithm, str(row.rank_by_bound or "–"), _number(row.constant)]
        if when is not None and row.simulated is not None:
            rate, low, high = (number(value) for value in row.simulated)
            cells += [str(row.rank_by_simulation), f"{rate} [{low}, {high}]"]
        elif when is not None:
            cells += ["–", "–"]
        shown.add_row(*cells)
    return shown


def _number(value: float | None) -> str:
    from goodarm.cli.tables import number

    return "–" if value is None else number(value)


def _probability(log: float | None) -> str:
    """A bound on a probability from its logarithm, however small."""
    import math

    from goodarm.cli.tables import number

    if log is None:
        return "–"
    if log >= 0.0:
        return "1"
    return number(math.exp(log)) if log > -690.0 else f"1e{log / math.log(10.0):,.0f}"
