"""The simulations that `goodarm theory` shows beside the bounds, in its ranking and its picture."""

from pathlib import Path
from typing import Any

import numpy as np

from goodarm.algorithms import algorithms
from goodarm.cli.output import save_figure
from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.inputs import whole
from goodarm.instance import Instance
from goodarm.plotting import ErrorCurve
from goodarm.plotting.bounds import plot_bounds
from goodarm.plotting.figures import figure_of
from goodarm.rng import MAX_SEED
from goodarm.simulation import AnytimeResult, RunResult, oracle_price, simulate
from goodarm.simulation.job import SUB_GAUSSIAN
from goodarm.theory.rankings import SimulatedError

LONGEST_DRAWN = 20_000  # pulls per run, simulated for a picture
LONGEST_RANKED = 1_000_000  # pulls per run, simulated for a ranking


def simulate_at(problem: Instance, time: float, runs: int, seed: int) -> dict[str, SimulatedError]:
    """The error with that budget of every algorithm for which it is not too short."""
    need(LAB, "theory --runs")
    if time > LONGEST_RANKED:
        raise InputError(
            f"runs: the first time, {time:g}, is the one simulated, and is too long; "
            f"put one of at most {LONGEST_RANKED:,} first"
        )
    errors: dict[str, SimulatedError] = {}
    failure: InputError | None = None
    for name, spec in _specs(problem).items():
        try:
            results = simulate(
                problem,
                spec,
                budget=int(time),
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
        errors[name] = SimulatedError(result.error_rate, *result.error_interval())
    if not errors and failure is not None:
        raise failure
    return errors


def add_oracle(summary: dict[str, Any], problem: Instance, seed: int) -> None:
    """Put the oracle's mean at each δ into the summary; where there is none, the reason."""
    whole("seed", seed, 0, MAX_SEED)
    summary["oracle"] = {}
    for label in summary["lower_bound"]:
        numbers: dict[str, float | None] = dict.fromkeys(("mean", "se", "runs", "yardstick"))
        try:
            numbers = oracle_price(problem, _simulated_risk(label), seed=seed).to_dict()
        except InputError as error:
            summary["reasons"][f"oracle.{label}"] = str(error)
        summary["oracle"][label] = numbers


def _simulated_risk(label: str) -> float:
    """δ as a double, if it can be one; the formulas get along with its logarithm."""
    delta = float(label)
    if not 0.0 < delta < 1.0:
        raise InputError(
            f"oracle: no double can hold a delta of {label}, so it cannot be simulated; give one "
            "from 1e-300 to 0.999"
        )
    return delta


def _specs(problem: Instance) -> dict[str, str]:
    """The algorithms with bounds that can be simulated, and how the simulator calls them.

    PKGAI is any index; with good arms only Unif's width is that of the theorem.
    """
    specs = {name: name for name in ("APGAI", "Unif", "SR-G", "SH-G", "DSR-G", "DSH-G")}
    specs["PKGAI(Unif)"] = "PKGAI(Unif)[beta=prior]"
    if not problem.good.any():
        specs["PKGAI"] = "PKGAI(APT_P)[beta=prior]"
    registered = set(algorithms)
    return {name: spec for name, spec in specs.items() if spec.partition("[")[0] in registered}


def draw_bounds(
    problem: Instance,
    path: Path,
    horizon: float,
    readings: tuple[str, ...],
    runs: int,
    seed: int,
) -> None:
    """A picture of the bounds up to a time, with simulated errors as far as they are cheap."""
    need(LAB, "theory --plot")
    curves = _simulate_curves(problem, int(min(horizon, LONGEST_DRAWN)), runs, seed)
    picture = figure_of(plot_bounds(problem, horizon, curves, readings))
    save_figure(picture, path, dpi=150)


def _simulate_curves(
    problem: Instance, horizon: int, runs: int, seed: int
) -> dict[str, ErrorCurve]:
    if horizon < problem.K:
        return {}
    registered = set(algorithms)
    names = [name for name in ("APGAI", "Unif", "DSR-G", "DSH-G") if name in registered]
    times = np.unique(np.geomspace(problem.K, horizon, 80).astype(np.int64)).tolist()
    results = simulate(
        problem,
        names,
        horizon=horizon,
        outcome=SUB_GAUSSIAN,  # what the bounds are about
        times=times,
        runs=runs,
        seed=seed,
        show_progress_bar=True,
    )
    curves = {}
    for name, result in results.items():
        assert isinstance(result, AnytimeResult)
        if result.defined.any():
            curves[name] = ErrorCurve.by_time(result)
    return curves
