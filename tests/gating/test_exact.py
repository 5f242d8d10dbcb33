"""Gates with a budget: levels computed for it, limits that agree with the answer, sizes."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from goodarm import InputError, certificate, gate
from goodarm.gating.exact import ExactExperiment
from goodarm.gating.question import GateQuestion
from goodarm.outcomes.crossing import crossing_chance, exact_level


def outcomes(rate: float, seed: int) -> Iterator[bool]:
    chance = Random(seed)
    while True:
        yield chance.random() < rate


@pytest.mark.parametrize(("rate", "bar"), [(0.97, 0.85), (0.6, 0.85), (0.7, 0.5)])
def test_it_ends_where_a_certificate_has_reached_the_level_for_the_budget(
    rate: float, bar: float
) -> None:
    for seed in range(3):
        sequence = outcomes(rate, seed)
        result = gate(lambda sequence=sequence: next(sequence), bar, budget=300)
        flips = outcomes(rate, seed)
        values = [float(next(flips)) for _ in range(result.trials)]
        for end in (result.trials - 1, result.trials):
            proof = certificate("bernoulli", threshold=bar, values=values[:end])
            is_above = proof.above >= exact_level(bar, 1.0, 0.05, 300)
            is_below = proof.below >= exact_level(bar, -1.0, 0.05, 300)
            assert (is_above or is_below) == (end == result.trials)
        assert result.passed == is_above
        side, level = (1.0, proof.above) if is_above else (-1.0, proof.below)
        wrong = crossing_chance(bar, side, level, 300)
        assert result.confidence == pytest.approx(1.0 - wrong, abs=1e-12)
        assert result.confidence >= 0.95


def test_a_gate_at_the_bar_passes_no_more_often_than_it_may() -> None:
    """With a chance that is known: five standard errors off would be no accident."""
    bar, budget, gates = 0.8, 30, 150
    sequence = outcomes(bar, 7)
    passed = sum(gate(lambda: next(sequence), bar, budget=budget).passed for _ in range(gates))
    chance = crossing_chance(bar, 1.0, exact_level(bar, 1.0, 0.05, budget), budget)
    assert 0.03 < chance <= 0.05
    assert abs(passed / gates - chance) < 5.0 * (chance / gates) ** 0.5


def test_a_smaller_budget_asks_for_less() -> None:
    trials = [gate(lambda: True, 0.85, budget=budget).trials for budget in (19, 100, 1000, None)]
    assert trials == sorted(trials)
    assert trials[0] == 19  # 0.85^19 is 0.046; with 18, nothing can be proved
    assert gate(lambda: True, 0.85, budget=18).verdict == "undecided"
    assert trials[-1] > trials[1]


@pytest.mark.parametrize("goal", ["above", "below"])
@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize("K", [1, 3])
def test_limits_and_answer_agree(goal: str, good: bool, K: int) -> None:
    bar, rate = 0.6, 0.9 if good == (goal == "above") else 0.2
    sequence = outcomes(rate, K)
    arms = [f"option {a}" for a in range(K)]
    result = gate(lambda arm: next(sequence), bar, arms=arms, goal=goal, budget=400)
    assert result.passed == good
    concerned = [arm for arm in result.arms if arm.arm == result.arm or not good]
    for arm in concerned:
        assert arm.low <= arm.mean <= arm.high
        end = arm.low if rate > bar else arm.high
        assert end >= bar if rate > bar else end <= bar
        assert good or end != bar
    assert result.confidence >= 0.95


def test_outcomes_with_sizes_are_judged_as_in_a_study() -> None:
    """More than one outcome a trial: levels for a number of trials say nothing about them."""
    result = gate(lambda: (37, 40), 0.8, budget=10)
    values = ([1] * 37 + [0] * 3) * result.trials
    proof = certificate("bernoulli", threshold=0.8, values=values)
    assert result.confidence == pytest.approx(1.0 - np.exp(-proof.above))
    given = iter([OSError(), (1, 1), (30, 40), (40, 40), (40, 40)])

    def objective() -> object:
        one = next(given)
        if isinstance(one, Exception):
            raise one
        return one

    failed = gate(objective, 0.5, on_error="fail")
    assert failed.arms[0].mean == pytest.approx(31.0 / 42.0)
    assert failed.passed
    mixed = iter([True, (30, 40)])
    with pytest.raises(InputError, match="give all of them one, 1/1 for a success"):
        gate(lambda: next(mixed), 0.5)


def test_where_levels_are_not_computed() -> None:
    def kind(**change: object) -> type:
        return type(GateQuestion(**{"arms": ("a",), "bar": 0.5, **change}).experiment())

    assert kind() is ExactExperiment
    for change in ({"budget": None}, {"budget": 5001}, {"outcome": "gaussian:1"}):
        assert kind(**change) is not ExactExperiment
