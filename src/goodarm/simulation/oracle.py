"""What certainty costs one who knows the means, and how far others are from that.

The algorithm is `goodarm.algorithms.oracle`; docs/theory.md says why its mean is a yardstick.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import whole
from goodarm.instance import Instance, load_instance
from goodarm.outcomes import Outcome
from goodarm.simulation.job import DEFAULT_CAP
from goodarm.simulation.results import RunResult
from goodarm.simulation.results.comparison import check_paired
from goodarm.simulation.runner import MOST_RUNS_ASKED, simulate

NAME = "Oracle"
# Where no number of runs is given: about as many pulls as take a tenth of a second, and a few runs
# that tell how many pulls a run has.
PULLS = 4_000_000
MOST_RUNS = 4_000
PILOT_RUNS = 20


@dataclass(frozen=True)
class OraclePrice:
    """The oracle's mean stopping time on an instance of K arms, and its standard error."""

    mean: float
    se: float
    runs: int
    K: int

    @property
    def yardstick(self) -> float:
        """Oracle + K − 1: those who do not know the means look at every arm once."""
        return self.mean + self.K - 1

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"mean": self.mean, "se": self.se, "runs": self.runs, "yardstick": self.yardstick}


@dataclass(frozen=True)
class OverOracle:
    """A mean stopping time over oracle + K − 1, and the standard error of that ratio."""

    ratio: float
    se: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def oracle_price(
    instance: Instance | str,
    delta: float,
    *,
    boundary: str | None = None,
    outcome: Outcome | str | None = None,
    runs: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    device: str = "cpu",
) -> OraclePrice:
    """How many pulls on average one needs to be sure at 1 − δ who knows the means.

    It pulls the best arm only; where no arm is good, each until its certificate rules it out. It
    stops as `simulate` does with the same arguments, and at its levels for all K arms. Unless
    `runs` is given there are as many as take a fraction of a second. An InputError says so where
    that is not enough for any: close to the threshold, certainty takes very long.

    >>> round(oracle_price("Thr1", delta=0.05).mean, -1)
    90.0
    """
    problem = load_instance(instance)

    def play(count: int, cap: int, chunk: int | None = None) -> RunResult:
        results = simulate(
            problem,
            NAME,
            delta=delta,
            boundary=boundary,
            outcome=outcome,
            cap=max(cap, problem.K),
            runs=count,
            seed=seed,
            threads=threads,
            chunk=chunk,
            device=device,
        )
        (result,) = results.values()
        assert isinstance(result, RunResult)
        if not result.stopped.all():
            raise InputError(_too_long(result))
        return result

    if runs is not None:
        return price(play(whole("runs", runs, 1, MOST_RUNS_ASKED), DEFAULT_CAP))
    pilot = price(play(PILOT_RUNS, PULLS // PILOT_RUNS, PILOT_RUNS))
    # A run that is short costs some time all the same, for each arm.
    affordable = min(MOST_RUNS, max(PILOT_RUNS, int(PULLS / pilot.yardstick)))
    return price(play(affordable, DEFAULT_CAP, affordable))


def price(oracle: RunResult) -> OraclePrice:
    """What the oracle's runs say about its mean."""
    return OraclePrice(oracle.mean, oracle.se, oracle.runs, oracle.instance.K)


def _too_long(result: RunResult) -> str:
    if result.instance.gaps.max() == 0.0:
        return "oracle: the best arm's mean is at the threshold, where no certainty can be had"
    return (
        f"oracle: too long to simulate here, more than {result.job.limit:,} pulls in a run; "
        f"give a larger delta, or simulate the algorithm {NAME} with a larger cap"
    )


def over_oracle(result: RunResult, oracle: RunResult) -> OverOracle | None:
    """The mean stopping time over the oracle's plus K − 1, from the same runs of both.

    None if the oracle was not sure in every run: then there is no yardstick. Where the other
    algorithm was not, the ratio is too small, as its mean is.
    """
    check_paired(result, oracle)
    if not oracle.stopped.all():
        return None
    yardstick = oracle.stopping_times + (oracle.instance.K - 1.0)
    ratio = result.mean / float(yardstick.mean())
    # The delta method: what is left of the numerator, run by run, without ratio · denominator.
    rest = result.stopping_times - ratio * yardstick
    spread = float(np.std(rest, ddof=1)) if result.runs > 1 else math.inf
    return OverOracle(ratio, spread / float(yardstick.mean()) / math.sqrt(result.runs))


def all_over_oracle(results: Sequence[RunResult]) -> list[OverOracle | None]:
    """That ratio for every result, one of which is the oracle's: for it there is none."""
    oracle = next((result for result in results if result.algorithm == NAME), None)
    if oracle is None:
        raise InputError(f"algorithms: {NAME} is not among them; simulate it with the same runs")
    return [None if result is oracle else over_oracle(result, oracle) for result in results]
