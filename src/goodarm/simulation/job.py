"""What is to be simulated: every input checked, every number that the loop needs computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm, Setting, find_algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_BUDGET, FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.inputs import whole
from goodarm.instance import Instance
from goodarm.outcomes import Outcome, find_outcome
from goodarm.rng import MAX_SEED, MAX_STEPS
from goodarm.stopping import Boundary, parse_boundary
from goodarm.stopping.contract import NEVER

DEFAULT_CAP = 1_000_000
EVERY_TIME_UP_TO = 100_000  # longer horizons are looked at on a geometric grid of times
GRID_SIZE = 2_000
SUB_GAUSSIAN = "sub-gaussian"  # as the paper sees every outcome: all it knows is the arms' scales
LIMIT_NAMES = {FIXED_CONFIDENCE: "cap", FIXED_BUDGET: "budget", ANYTIME: "horizon"}


@dataclass(frozen=True)
class Job:
    """One algorithm on one instance in one mode; the runs are told apart by their numbers."""

    algorithm: Algorithm
    instance: Instance
    mode: str
    limit: int  # cap, budget or horizon
    seed: int
    delta: float | None
    boundary: Boundary
    outcome: Outcome  # what the outcomes are taken for
    times: NDArray[np.int64]  # when to look at the answer (anytime mode)

    @property
    def setting(self) -> Setting:
        """What the algorithm may know before the first pull."""
        instance = self.instance
        scales = np.array(self.outcome.scales(instance.K))
        known = instance.altered(sigmas=scales) if self.outcome.knows_scatter else instance
        with np.errstate(over="ignore"):
            gaps = known.gaps
        return Setting(
            K=instance.K,
            threshold=instance.threshold,
            sigmas=scales,
            gaps=gaps,
            budget=self.limit if self.mode == FIXED_BUDGET else None,
            delta=self.delta,
            boundary=self.boundary,
        )

    @property
    def model_numbers(self) -> Sequence[float]:
        """The outcome model's numbers for this threshold and boundary."""
        instance = self.instance
        return self.outcome.numbers(instance.threshold, instance.side, self.boundary.levels)

    def describe(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {
            "instance": self.instance.name,
            "mode": self.mode,
            "algorithm": self.algorithm.label,
            "seed": self.seed,
            LIMIT_NAMES[self.mode]: self.limit,
            "delta": self.delta,
            "boundary": "own" if self.algorithm.own_stopping else self.boundary.name,
            "outcome": self.outcome.text(),
        }


def choose_mode(
    delta: float | None, budget: int | None, horizon: int | None, cap: int | None
) -> tuple[str, int]:
    """The mode that the arguments ask for, and its limit on the number of pulls of a run."""
    limits = {"delta": delta, "budget": budget, "horizon": horizon}
    names = [name for name, value in limits.items() if value is not None]
    if names == ["delta"]:
        return FIXED_CONFIDENCE, whole("cap", DEFAULT_CAP if cap is None else cap, 1, MAX_STEPS)
    if cap is not None:
        raise InputError("cap: only a simulation with delta has a cap; leave it out")
    if names == ["budget"]:
        return FIXED_BUDGET, whole("budget", budget, 1, MAX_STEPS)
    if names == ["horizon"]:
        return ANYTIME, whole("horizon", horizon, 1, MAX_STEPS)
    raise InputError(
        "give exactly one of delta (run until sure), budget (a fixed number of pulls) and "
        f"horizon (the error at every time); got {' and '.join(names) or 'none'}"
    )


def make_job(
    spec: str | Algorithm,
    instance: Instance,
    mode: str,
    limit: int,
    seed: int = 0,
    delta: float | None = None,
    boundary: str | None = None,
    times: Sequence[int] | None = None,
    outcome: Outcome | str | None = None,
) -> Job:
    """Check that the algorithm can do what is asked of it, and prepare it.

    `outcome` is what the outcomes are taken for. Unless given, it is the arms' own model, but
    sub-Gaussian with the arms' scales for the boundaries of the paper, which know nothing else.
    """
    algorithm = find_algorithm(spec)
    name = algorithm.label
    if mode not in algorithm.settings:
        raise InputError(
            f"{name} is a {' and '.join(algorithm.settings)} algorithm; "
            f"it cannot be simulated in {mode} mode"
        )
    if mode == FIXED_CONFIDENCE:
        boundary_name = algorithm.chosen.get("boundary") or boundary or algorithm.boundary
        own_boundary = parse_boundary(boundary_name, instance.K, delta)
    else:
        own_boundary = NEVER
        if boundary is not None:
            raise InputError("boundary: only a simulation with delta stops at a boundary")
        if "delta" in algorithm.needs:
            raise InputError(f"{name} needs delta, which {mode} mode does not have")
    if mode == FIXED_BUDGET:
        algorithm.check_budget(limit, instance.K)
    if mode == FIXED_CONFIDENCE and limit < instance.K:
        raise InputError(f"cap: {limit} is below the number of arms; give at least {instance.K}")
    only_scales = mode == FIXED_CONFIDENCE and not own_boundary.by_certificates
    model = _model(instance, outcome, only_scales or algorithm.own_stopping)
    job = Job(
        algorithm=algorithm,
        instance=instance,
        mode=mode,
        limit=limit,
        seed=whole("seed", seed, 0, MAX_SEED),
        delta=delta,
        boundary=own_boundary,
        outcome=model,
        times=_times(times, limit) if mode == ANYTIME else np.zeros(1, dtype=np.int64),
    )
    algorithm.numbers(job.setting)  # raises what is wrong before anything runs
    return job


def _model(instance: Instance, outcome: Outcome | str | None, only_scales: bool) -> Outcome:
    """What the outcomes are taken for; some stopping rules know the outcomes' scales only."""
    if outcome == SUB_GAUSSIAN or (outcome is None and only_scales):
        return instance.sub_gaussian
    model = instance.own_outcome if outcome is None else find_outcome(outcome)
    model.check_arms(instance.K)
    model.check_threshold(instance.threshold)
    return model.sub_gaussian(instance.K) if only_scales else model


def _times(times: Sequence[int] | None, horizon: int) -> NDArray[np.int64]:
    if times is not None:
        marks = sorted({whole("times", t, 1, horizon) for t in times})
        if not marks:
            raise InputError("times: the list is empty; leave it out to look at every time")
        return np.array(marks, dtype=np.int64)
    if horizon <= EVERY_TIME_UP_TO:
        return np.arange(1, horizon + 1, dtype=np.int64)
    grid = np.unique(np.round(np.geomspace(1, horizon, GRID_SIZE)).astype(np.int64))
    return np.asarray(grid, dtype=np.int64)
