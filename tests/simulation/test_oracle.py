"""The oracle's price, and how far others are from it."""

import math

import numpy as np
import pytest

from goodarm import InputError, Instance, instances, oracle_price, over_oracle, simulate
from goodarm.simulation.oracle import all_over_oracle
from goodarm.theory import lower_bound


@pytest.mark.parametrize("name", ["Thr1", "NoA1", "IsA1"])
def test_the_price_is_above_the_lower_bound(name: str) -> None:
    """The smaller the risk, the less."""
    instance = instances[name]
    ratios = []
    for delta in (0.2, 0.001, 1e-30):
        price = oracle_price(instance, delta)
        assert price.yardstick == price.mean + instance.K - 1
        ratios.append(price.mean / (lower_bound(instance, delta).kl_form or math.nan))
    assert ratios == sorted(ratios, reverse=True)
    assert 1.0 < ratios[-1] < 1.5


def test_as_many_runs_as_asked_for_or_as_are_quick() -> None:
    price = oracle_price("NoA1", 0.1, runs=50, seed=2)
    result = simulate("NoA1", "Oracle", delta=0.1, runs=50, seed=2)["Oracle"]
    assert (price.mean, price.se, price.runs) == (result.mean, result.se, 50)
    quick = oracle_price("NoA1", 0.1)
    assert quick.runs > 1000
    assert quick == oracle_price("NoA1", 0.1)
    assert abs(quick.mean - price.mean) < 4.0 * price.se
    assert oracle_price(Instance(0.0, [-0.05] * 20), 0.1).runs < 500


@pytest.mark.parametrize(
    ("mean", "message"), [(0.0, "at the threshold"), (1e-4, "too long"), (-1e-4, "too long")]
)
def test_where_it_takes_too_long(mean: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        oracle_price(Instance(0.0, [mean, -1.0]), 0.1)


def test_the_ratio_and_its_standard_error() -> None:
    """By the jackknife, which knows nothing of the delta method."""
    results = simulate("Thr1", ["APGAI", "Oracle"], delta=0.1, runs=400, seed=5)
    over, none = all_over_oracle(list(results.values()))
    assert none is None
    assert over is not None
    times, oracle = (result.stopping_times.astype(float) for result in results.values())
    K, n = 10, 400
    assert over.ratio == pytest.approx(times.mean() / (oracle.mean() + K - 1))
    left_out = [
        np.delete(times, i).mean() / (np.delete(oracle, i).mean() + K - 1) for i in range(n)
    ]
    jackknife = np.sqrt((n - 1) * np.var(left_out))
    assert over.se == pytest.approx(jackknife, rel=0.02)


def test_ratios_need_a_yardstick_and_the_same_runs() -> None:
    apgai, oracle = simulate("Thr1", ["APGAI", "Oracle"], delta=0.1, runs=20, cap=30).values()
    assert over_oracle(apgai, oracle) is None
    other = simulate("Thr1", "Oracle", delta=0.1, runs=20, seed=1)["Oracle"]
    with pytest.raises(InputError, match="the same instance, mode, seed and runs"):
        over_oracle(apgai, other)
    with pytest.raises(InputError, match="Oracle is not among them"):
        all_over_oracle([apgai])
