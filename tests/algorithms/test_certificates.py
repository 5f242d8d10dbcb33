"""Rules that rule arms out, with the boundary "mixture": certificates decide who is in play."""

import math

import numpy as np
import pytest

from goodarm import Instance, certificate, instances
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

COINS = Instance(0.5, [0.42, 0.2, 0.35], kind="bernoulli", name="coins")
LIMITS = {"NoA2": 350, "coins": 250}  # limits of rates take a while to work out


def gap(mean: float, instance: Instance) -> float:
    """(μ̂ − θ)/σ for numbers, ±√(2 kl(μ̂, θ)) for coins."""
    bar = instance.threshold
    if instance.kinds[0] == "gaussian":
        return mean - bar
    parts = ((mean, bar), (1.0 - mean, 1.0 - bar))
    kl = sum(p * math.log(p / q) for p, q in parts if p > 0.0)
    return math.copysign(math.sqrt(max(2.0 * kl, 0.0)), mean - bar)


INDEX = {
    "HDoC": lambda d, n, t, least: d + np.sqrt(2 * math.log(t) / n),
    "LUCB-G": lambda d, n, t, least: d + np.sqrt(2 * least / n),
    "APT-G": lambda d, n, t, least: -np.sqrt(n) * abs(d),
}


@pytest.mark.parametrize("instance", [instances["NoA2"], COINS], ids=lambda i: i.name)
@pytest.mark.parametrize("rule", INDEX)
def test_pulls_the_best_of_the_arms_that_are_not_ruled_out(rule: str, instance: Instance) -> None:
    K = instance.K
    job = make_job(rule, instance, "fixed-confidence", LIMITS[instance.name], seed=2, delta=0.3)
    least = job.boundary.levels.none
    skipped = 0
    for number in range(4):
        values: list[list[float]] = [[] for _ in range(K)]
        out = np.zeros(K, dtype=bool)
        for step in trace(job, number):
            if step.t > K:
                counts = np.array([len(v) for v in values])
                gaps = np.array([gap(sum(v) / len(v), instance) for v in values])
                index = INDEX[rule](gaps, counts, step.t - 1, least)
                assert not out[step.arm]
                assert index[step.arm] >= index[~out].max() - 1e-9
                skipped += bool(index[~out].max() < index.max() - 1e-9)
            mine = values[step.arm]
            mine.append(step.value)
            model = "bernoulli" if instance is COINS else "gaussian:1"
            out[step.arm] = certificate(model, instance.threshold, mine).below >= least
    assert skipped > 0 or rule == "APT-G", "an arm that is ruled out is no longer in doubt"
