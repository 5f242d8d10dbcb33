"""Symmetric noise: outcome by outcome, the inequality behind it, its nulls, and what it costs."""

import math
import random
import runpy
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import Experiment, InputError, plan
from goodarm.outcomes import certificate, parse_outcome, symmetric
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.record import one_arm_run
from goodarm.outcomes.symmetric import Symmetric
from goodarm.run import Run, evidence
from goodarm.study import Study, UnlikelyOutcomeError

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "student_price.py"))


def run_of(values: Sequence[float], theta: float, side: float = 1.0) -> Run:
    return one_arm_run(Symmetric(), theta, map(Reading, values), side=side)


def certificates(run: Run) -> tuple[float, float]:
    functions = Symmetric.functions
    return functions.for_good(run, 0), functions.for_bad(run, 0)


def by_hand(exact: SimpleNamespace, values: Sequence[float], theta: float, sign: int) -> float:
    """ln E as the specification has it, from the whole list, in high precision."""
    steps, weights = exact.steps_and_weights(exact.one)
    total = variance = exact.one * 0
    for i in range(1, len(values)):
        scale = exact.sqrt(sum((exact.one * x - theta) ** 2 for x in values[:i]) / i)
        y = max(min((exact.one * values[i] - theta) / scale, 3), -3)
        total, variance = total + sign * y, variance + y * y
    terms = [
        w * exact.exp(d * total - d * d * variance / 2) for d, w in zip(steps, weights, strict=True)
    ]
    return float(exact.log(sum(terms)))


@pytest.fixture
def precise(exact: SimpleNamespace) -> SimpleNamespace:
    from mpmath import mp, mpf

    return SimpleNamespace(
        steps_and_weights=exact.steps_and_weights,
        one=mpf(1),
        sqrt=mp.sqrt,
        exp=mp.exp,
        log=mp.log,
    )


@pytest.mark.parametrize("theta", [0.0, -3.5, 40.0])
@pytest.mark.parametrize("count", [1, 2, 3, 60])
def test_certificates_in_high_precision(precise: SimpleNamespace, count: int, theta: float) -> None:
    chance = random.Random(count)
    values = [theta + 0.8 + chance.gauss(0.0, 1.0) ** 3 for _ in range(count)]
    found = certificates(run_of(values, theta))
    on_this_side = np.mean(values) > theta
    for sign, log in zip((1, -1), found, strict=True):
        own = by_hand(precise, values, theta, sign)
        assert log == pytest.approx(own if on_this_side == (sign > 0) else min(own, 0.0), abs=1e-9)


@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=30),
    st.floats(-50, 50),
    st.integers(-30, 30),
)
def test_scale_and_sign_do_not_matter(values: list[float], theta: float, power: int) -> None:
    run, scale = run_of(values, theta), 2.0**power
    found = certificates(run)
    assert certificates(run_of([scale * x for x in values], scale * theta)) == found
    assert certificates(run_of([-x for x in values], -theta)) == found[::-1]
    assert certificates(run_of(values, theta, side=-1.0)) == found[::-1]
    assert min(found) <= 0.0
    w = evidence(run, 0)
    assert max(found) <= 1e-12 or (found[0] > found[1]) == (w > 0.0)


@given(st.floats(0.0, 50.0), st.floats(0.0, 50.0), st.floats(0.01, 20.0), st.floats(0.001, 2.0))
def test_the_inequality_behind_it(z: float, shift: float, scale: float, step: float) -> None:
    """±z with equal chances, shifted to the null's side, scaled and cut: mean at most 1."""

    def factor(x: float) -> float:
        y = step * min(max(x / scale, -symmetric.FARTHEST), symmetric.FARTHEST)
        return math.exp(y - y * y / 2.0)

    assert factor(z - shift) + factor(-z - shift) <= 2.0 + 1e-12


def changing(chance: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """A scatter that grows a hundredfold, and more after large outcomes."""
    noise = chance.standard_normal(shape) * np.geomspace(1.0, 100.0, shape[1])
    noise[:, 1:] *= np.where(np.abs(chance.standard_normal((shape[0], shape[1] - 1))) > 1.0, 5.0, 1)
    return noise


LAWS = {
    "normal": lambda chance, shape: chance.standard_normal(shape),
    "t3": lambda chance, shape: chance.standard_t(3, shape),
    "uniform": lambda chance, shape: chance.uniform(-1.0, 1.0, shape),
    "signs": lambda chance, shape: chance.choice([-1.0, 1.0], shape),
    "of changing scale": changing,
}


@pytest.mark.parametrize("law", LAWS)
def test_crossings_at_the_null_are_as_rare_as_promised(law: str) -> None:
    runs, alpha = 1000, 0.05
    outcomes = LAWS[law](np.random.default_rng(6), (runs, 300))
    error = math.sqrt(alpha * (1.0 - alpha) / runs)
    for noise in (outcomes, -outcomes):
        over = BENCH["symmetric"](-math.log(alpha))(0, noise).any(axis=1)
        assert 0.0 < over.mean() <= alpha + 3.0 * error


def test_the_benchs_paths_are_the_models() -> None:
    chance = np.random.default_rng(3)
    paths, level = 0.5 + chance.standard_t(3, (20, 60)), 1.5
    over = BENCH["symmetric"](level)(0, paths)
    for values, row in zip(paths.tolist(), over, strict=True):
        logs = [certificates(run_of(values[:n], 0.0))[0] for n in range(1, 61)]
        assert [log >= level for log in logs] == row.tolist()


@pytest.mark.parametrize(("effect", "expected"), [(1.0, 1.45), (0.5, 1.18), (0.2, 1.04)])
def test_the_price_against_normal_noise(effect: float, expected: float) -> None:
    other = BENCH["symmetric"](math.log(1.0 / BENCH["DELTA"]))
    ratio = BENCH["trials_over_student"](effect, other, 1, 400, 2)
    assert ratio == pytest.approx(expected, abs=0.06)


def test_limits_say_what_the_certificates_say_and_no_more() -> None:
    values = [1.2, 0.8, 1.9, 1.1, 0.7, 1.4, 1.0, 1.3, 0.9, 1.6] * 3
    above, below = (certificate("symmetric", theta, values) for theta in (0.0, 3.0))
    assert (above.lower, above.upper) == (0.0, None)
    assert below.lower is None
    assert below.upper == math.nextafter(3.0, 0.0)
    undecided = certificate("symmetric", 1.15, values)
    assert (undecided.lower, undecided.upper) == (None, None)


def test_an_outlier_does_not_speak_for_the_other_side() -> None:
    """One outcome far below: the mean is below θ, and no certificate says that it is above."""
    run = run_of([1.0] * 40 + [-1000.0], 0.0)
    assert evidence(run, 0) < 0.0
    assert run.kept[symmetric.SUM] > 30.0
    good, bad = certificates(run)
    assert good == 0.0
    assert bad < 0.0


def test_a_model_that_knows_next_to_nothing() -> None:
    model = parse_outcome("symmetric")
    assert model == Symmetric()
    assert (model.text(), model.to_data()) == ("symmetric", {"kind": "symmetric"})
    assert "centre" in (model.note(1.0) or "")
    with pytest.raises(InputError, match="give gaussian:SIGMA, or use boundary mixture"):
        Experiment(2, 0.5, outcome="symmetric", delta=0.1, boundary="glr")
    typical = model.typical(3.0, 0.5, 256)
    assert (np.mean(typical), np.std(typical)) == pytest.approx((3.0, 0.5))
    with pytest.raises(InputError, match="scatter: symmetric says nothing of it"):
        plan([0.5, 1.0], threshold=0.0, outcome=model, delta=0.05)


def test_an_experiment_is_decided() -> None:
    experiment = Experiment(["a", "b"], 0.0, outcome="symmetric", delta=0.05, seed=2)
    chance = random.Random(5)
    while not experiment.finished and experiment.t < 500:
        arm = experiment.ask()
        assert arm is not None
        experiment.tell(arm, (-1.0, 1.0)[arm] + chance.choice([-1, 1]) * chance.expovariate(1.0))
    assert experiment.conclusion == 1


def test_a_table_of_outcomes_must_be_in_the_order_of_its_trials(tmp_path: Path) -> None:
    """Sorted by value, 200 outcomes at the null would name an arm in three runs of four."""
    values = np.sort(np.random.default_rng(0).standard_normal((300, 200)), axis=1)
    assert BENCH["symmetric"](math.log(20.0))(199, values).mean() > 0.5
    study = Study.create("s", ["a", "b"], 0.0, Symmetric(), storage=str(tmp_path / "s.db"))
    outcomes = [("a", 1.0), ("b", 0.3), ("a", 2.0)]
    with pytest.raises(UnlikelyOutcomeError, match="outcome 3: order: what symmetric outcomes"):
        study.tell_many(outcomes)
    assert study.status().trials == 0
    study.tell_many(outcomes, sure=True)
    trials = study.ask(2)
    study.tell_many([(trial, 0.5) for trial in trials])
    assert study.status().trials == 5
