"""A model from elsewhere, in one file, is a choice everywhere: this one has counts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from goodarm import (
    Experiment,
    InputError,
    Instance,
    Study,
    certificate,
    plan,
    plugins,
    simulate,
)
from goodarm.inputs import number
from goodarm.outcomes import registry
from goodarm.outcomes.contract import Floats, Levels, Outcome, Seen
from goodarm.outcomes.tilts import engine, log_weights, steps, table
from goodarm.run import SIDE, THRESHOLD, Run
from goodarm.testing import check_outcome


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """±√(2 kl), kl = μ ln(μ/θ) − μ + θ."""
    mean, bar = total / n, run.levels[THRESHOLD]
    if mean == bar:
        return 0.0
    twice = 2.0 * (bar - mean)
    if mean > 0.0:
        twice += 2.0 * mean * math.log(mean / bar)
    root = math.sqrt(max(twice, 0.0))
    return run.levels[SIDE] * (root if mean > bar else -root)


def total_count(run: Run, arm: int) -> float:
    return run.sums[arm] * run.levels[SIDE]


def draw(arms: Any, arm: int, u: float) -> float:
    count = 0.0
    chance = math.exp(-arms.means[arm])
    below = chance
    while below < u and count < 1000.0:
        count += 1.0
        chance *= arms.means[arm] / count
        below += chance
    return count


@dataclass(frozen=True)
class Counts(Outcome):
    """How often something happened, at a constant rate."""

    name = "counts"
    title = "a count"
    summary = "How often something happened in a trial, at a constant rate."
    functions = engine(gap, total_count, draw)

    @property
    def low(self) -> float:
        return 0.0

    def check(self, value: object, threshold: float) -> float:
        outcome = number("value", value)
        if outcome < 0.0 or outcome != round(outcome):
            raise InputError(f"value: {value!r} is not a count; tell 0, 1, 2, …")
        return outcome

    def scales(self, K: int) -> list[float]:
        return [1.0] * K

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        def cumulant(steps: Floats) -> tuple[Floats, Floats]:
            return steps, threshold * np.expm1(steps)

        return table(threshold, cumulant, side, levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        ends = [
            [
                self._end(n, s, threshold, alpha, sign)
                for n, s in zip(seen.counts, seen.sums, strict=True)
            ]
            for sign, alpha in ((1.0, lower), (-1.0, upper))
        ]
        return np.array(ends[0]), np.array(ends[1])

    def _end(self, n: float, s: float, threshold: float, alpha: float, sign: float) -> float:
        sizes = steps(threshold)
        weights = log_weights(sizes)

        def reached(rate: float) -> bool:
            terms = weights + sign * sizes * s - n * rate * np.expm1(sign * sizes)
            top = terms.max()
            return bool(top + np.log(np.exp(terms - top).sum()) >= -math.log(alpha))

        low, high = (0.0, s / n) if sign > 0 else (s / n, s / n + 1e3)
        for step in range(80):
            middle = threshold if step == 0 and low < threshold < high else 0.5 * (low + high)
            if reached(middle) == (sign > 0):
                low = middle
            else:
                high = middle
        return low

    def quantile(self, u: float, mean: float) -> float:
        return float(round(-math.log1p(-u) * mean))

    def describe(self) -> str:
        return "a count"

    def draw_mean(
        self, arm: int, total: float, count: int, threshold: float, scatter: float, chance: Random
    ) -> float:
        return chance.gammavariate(total + threshold, 1.0 / (count + 1))

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        limit, count, product = math.exp(-mean), 0, chance.random()
        while product > limit:
            count += 1
            product *= chance.random()
        return float(count)


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if another package had registered it."""
    point = EntryPoint("counts", f"{__name__}:Counts", "goodarm.outcomes")
    monkeypatch.setattr(EntryPoint, "load", lambda self: Counts)
    ours = {"goodarm.outcomes": [point]}
    monkeypatch.setattr(plugins, "entry_points", lambda group: ours.get(group, []))
    registry._by_name.cache_clear()
    yield
    registry._by_name.cache_clear()


def test_it_keeps_the_contract() -> None:
    check_outcome(Counts(), 2.0, paths=1000)


def test_it_can_be_simulated_and_is_correct() -> None:
    few = Instance(2.0, [1.2, 1.4, 2.9], kind="counts")
    result = simulate(few, "Scout", delta=0.05, runs=300, seed=1)["Scout"]
    assert result.error_rate <= 0.05
    assert result.mean < 300
    none = simulate(Instance(2.0, [1.2] * 3, kind="counts"), "APGAI", delta=0.05, runs=100)
    assert (none["APGAI"].answers == -1).mean() >= 0.95
    below = Instance(2.0, [2.8, 1.1], kind="counts", goal="below")
    assert (simulate(below, "Scout", delta=0.05, runs=100)["Scout"].answers == 1).mean() >= 0.95


def test_it_can_be_studied(tmp_path: Path) -> None:
    chance, rates = Random(3), {"A": 1.0, "B": 3.5}
    place = tmp_path / "s.db"
    study = Study.create("s", ["A", "B"], 2.0, "counts", 0.05, storage=place, seed=1)
    with pytest.raises(InputError, match="not a count"):
        study.tell("A", 1.5)
    with pytest.raises(InputError, match="above 0"):
        Study.create("t", ["A"], -1.0, Counts(), storage=place)
    assert study.forecast(runs=5, horizon=50).runs == 5
    study.run(lambda t: Counts().draw_outcome(0, rates[t.arm], math.nan, chance), 400, False)
    status = study.status()
    assert status.decision == "B"
    named = status.arms[1]
    assert named.low is not None
    assert named.low >= 2.0
    assert Study.load("s", place).status() == status
    assert study.verify().ok
    values = [t.value for t in study.trials if t.arm == "B"]
    assert certificate("counts", 2.0, values).above == pytest.approx(  # type: ignore[arg-type]
        status.arms[1].share * math.log(2 / 0.05)
    )


def test_it_can_be_planned_and_named_on_the_command_line() -> None:
    found = plan([1.0, 3.5], threshold=2.0, outcome="counts", delta=0.05, runs=20)
    assert found.algorithms[0].answers["arm 2"] > 0.9
    assert "a count" in found.protocol
    assert Experiment(2, 2.0, outcome="counts").ask() == 0
    from goodarm.cli.app import app

    shown = CliRunner().invoke(
        app, ["certify", "--outcome", "counts", "--threshold", "2", "-"], input="3\n4\n2\n5\n"
    )
    assert shown.exit_code == 0, shown.output
