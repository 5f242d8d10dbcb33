"""No corrected bound is violated by simulation; bench/theory_bounds.py is the long version."""

import math
from dataclasses import replace

import numpy as np
import pytest

from goodarm.algorithms import algorithms
from goodarm.instance import Instance, instances
from goodarm.simulation import simulate, wilson
from goodarm.theory import ERROR_THEOREMS, ErrorBound, complexity

RUNS = 400
PULLS = 20_000  # no run is longer
PLAYED = {"runs": RUNS, "seed": 5, "outcome": "sub-gaussian"}  # what the bounds are about

INSTANCES = {
    **{name: instances[name] for name in ("NoA1", "NoA2", "IsA2", "Thr1", "RealL")},
    # Large gaps: here the bounds come close to the truth, at small times.
    "(5, −0.1)": Instance(0.0, [5.0, -0.1]),
    "(0.1, −10)": Instance(0.0, [0.1, -10.0]),
    "(3, −3, −3)": Instance(0.0, [3.0, -3.0, -3.0]),
    "four bad": Instance(0.0, [-1.0] * 4),
}
KNOWN = set(algorithms)
CASES = [
    (name, algorithm)
    for name in INSTANCES
    for algorithm in ERROR_THEOREMS
    if algorithm in KNOWN or (algorithm == "PKGAI" and "PKGAI(APT_P)" in KNOWN)
]


def spec_of(algorithm, instance, T):
    """The algorithm as the theorem has it; PKGAI with the corrected width β."""
    if not algorithm.startswith("PKGAI"):
        return algorithm
    c = complexity(instance)
    if algorithm == "PKGAI" or c.good == 0:
        beta = (T - c.K) / (4 * c.H1)
    else:
        beta = min(
            (T - c.K) / (4 * c.K_delta_hat_inv_sq), (T - 2 * c.K) * c.delta_max_good**2 / c.K
        )
    known = algorithms["PKGAI(Unif)" if algorithm == "PKGAI(Unif)" else "PKGAI(APT_P)"]

    def constants(setting, options):
        return (known.constants(setting, options)[0], math.sqrt(max(beta, 0.0)))

    return replace(known, constants=constants)


def errors_with_budget(algorithm, instance, T):
    results = simulate(instance, spec_of(algorithm, instance, T), budget=T, **PLAYED)
    return int(next(iter(results.values())).errors.sum())


@pytest.mark.parametrize(("name", "algorithm"), CASES)
def test_no_corrected_bound_is_violated(name, algorithm):
    instance = INSTANCES[name]
    bound = ErrorBound(instance, algorithm)
    start = bound.below_one_from()
    times = sorted({t for f in (1, 1.3, 2, 4) if (t := int(start * f)) <= PULLS}) or [2000]
    if bound.theorem.anytime:
        result = simulate(instance, algorithm, horizon=max(times), times=times, **PLAYED)[algorithm]
        errors = result.error_counts
    else:
        errors = np.array([errors_with_budget(algorithm, instance, T) for T in times])
    low, high = wilson(errors, RUNS)
    allowed = np.exp(np.minimum(bound.log(times), 0.0))
    assert (low <= allowed).all()
    # Where the runs can resolve the bound, even the upper limit is below it.
    resolved = allowed > wilson(1, RUNS)[1]
    assert (high[resolved] <= allowed[resolved]).all()
