"""The watches at work: how soon they doubt, how rarely without cause, and what they say."""

import math
import random
import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.outcomes import parse_outcome
from goodarm.outcomes.contract import Outcome
from goodarm.outcomes.watches.contract import DOUBT, Watch, log_mean, pooled

BENCH = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "bench" / "watches.py")))
SOUND = {case.name: case for case in BENCH.sound()}
BROKEN = {case.name: case for case in BENCH.broken()}


def first_doubts(model: Outcome, theta: float, values: list[float], size: float) -> dict:
    """After how many outcomes each of the model's watches first doubts, one by one."""
    found = {}
    for watch in model.watches(theta):
        state = [0.0] * watch.memory
        for number, value in enumerate(values, 1):
            watch.see(state, 0, value, size)
            if watch.doubt({0: state}, 1) is not None:
                found[watch.name] = number
                break
    return found


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("negative binomial, variance 2 × mean", 150),
        ("Weibull, shape 0.7, as exponential", 150),
        ("batches of 1000 at 0.04, sd 0.006", 120),
        ("batches of 50 at 0.5, sd 0.07", 120),
        ("σ is 1.5 times the declared one", 100),
        ("exponential, as normal, σ not known", 100),
        ("exponential as symmetric", 400),
        ("rate from .3 to 0.5 after 200", 1100),
        ("mean from −.3σ to .3σ after 200", 1100),
    ],
)
def test_the_bench_has_the_same_watches(name: str, length: int) -> None:
    case = BROKEN[name]
    x = case.draw(np.random.default_rng(8), 4, length)
    seen, _ = BENCH.play(case.model, case.theta, x, case.size)
    doubted = 0
    for path, values in enumerate(x.tolist()):
        plain = first_doubts(case.model, case.theta, values, case.size)
        for watch, times in seen.items():
            if watch == "drift" and case.size > 1.0:
                continue
            expected = plain.get(watch, BENCH.NEVER)
            if case.size > 1.0 and expected != BENCH.NEVER:  # the bench looks at every fourth
                assert expected <= times[path]
                if times[path] == BENCH.NEVER:  # between its looks only
                    continue
                expected = times[path]
            assert times[path] == expected
            doubted += expected != BENCH.NEVER
    assert doubted


@pytest.mark.parametrize("name", SOUND)
def test_sound_outcomes_are_hardly_ever_doubted(name: str) -> None:
    """bench/watches.py has 4,000 paths of 2,000 outcomes."""
    seen, _ = BENCH.simulate(SOUND[name], 500, 400, (1, 0))
    ever = np.min(list(seen.values()), axis=0) < BENCH.NEVER
    assert ever.sum() <= 500 * DOUBT + 5


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("negative binomial, variance 2 × mean", 35, 65),
        ("gamma, shape 0.5, as exponential", 30, 60),
        ("lognormal(0, 1.5), as exponential", 25, 55),
        ("batches of 1000 at 0.04, sd 0.006", 35, 70),
        ("σ is 1.5 times the declared one", 20, 50),
        ("exponential, as normal, σ not known", 20, 50),
        ("lognormal(0, 1), as normal, σ not known", 20, 35),
        ("mean from −.3σ to .3σ after 200", 250, 600),
    ],
)
def test_broken_assumptions_are_noticed_soon(name: str, least: int, most: int) -> None:
    seen, wrong = BENCH.simulate(BROKEN[name], 500, 750, (2, 0))
    when = np.min(list(seen.values()), axis=0)
    assert least <= np.median(when) <= most
    first = np.minimum(*wrong)
    if not BROKEN[name].moves:
        assert (first < when).sum() < 0.9 * (first < BENCH.NEVER).sum()


def test_a_rate_that_moves_is_noticed_in_most_studies() -> None:
    seen, _ = BENCH.simulate(BROKEN["rate from .3 to 0.5 after 200"], 500, 2000, (3, 0))
    assert 0.6 < np.mean(seen["drift"] < BENCH.NEVER) < 0.95


# Trials that end because of what has happened in them


def ended_with_an_event(chance: random.Random) -> tuple[float, float]:
    """At a rate of 1: until the second event, or until time 1."""
    first = chance.expovariate(1.0)
    second = first + chance.expovariate(1.0)
    return (2.0, second) if second < 1.0 else (float(first < 1.0), 1.0)


def ended_with_a_yes(chance: random.Random) -> tuple[float, float]:
    """At a rate of 0.2: until the second yes, or ten times."""
    x = m = 0
    while x < 2 and m < 10:
        x, m = x + (chance.random() < 0.2), m + 1
    return float(x), float(m)


@pytest.mark.parametrize(
    ("text", "theta", "draw"),
    [("poisson", 1.0, ended_with_an_event), ("bernoulli", 0.2, ended_with_a_yes)],
)
def test_trials_may_end_with_an_event(text: str, theta: float, draw) -> None:
    doubted = 0
    for seed in range(100):
        chance, watches = random.Random(seed), parse_outcome(text).watches(theta)
        states = [[0.0] * watch.memory for watch in watches]
        for number in range(400):
            reading = draw(chance)
            for watch, state in zip(watches, states, strict=True):
                watch.see(state, 0, *reading)
            if number % 10 == 9 and any(
                w.doubt({0: s}, 1) for w, s in zip(watches, states, strict=True)
            ):
                doubted += 1
                break
    assert doubted <= 2


@pytest.mark.parametrize(
    ("text", "theta", "value", "size"),
    [("poisson", 1.0, 2.0**53, 1.0), ("bernoulli", 0.5, 2.0**51, 2.0**53)],
)
def test_equal_counts_are_not_doubted_however_large(
    text: str, theta: float, value: float, size: float
) -> None:
    for watch in parse_outcome(text).watches(theta):
        state = [0.0] * watch.memory
        for _ in range(40):
            watch.see(state, 0, value, size)
            assert watch.doubt({0: state}, 1) is None


# What all of them have in common


MODELS = (
    ("bernoulli", 0.5),
    ("poisson", 3.0),
    ("exponential", 2.0),
    ("exponential:3", 2.0),
    ("gaussian", 0.0),
    ("gaussian:2", 0.0),
    ("bounded:0:1", 0.5),
    ("symmetric", 0.0),
)


@pytest.mark.parametrize(("text", "theta"), MODELS)
def test_watches_share_what_they_may_doubt(text: str, theta: float) -> None:
    watches = parse_outcome(text).watches(theta)
    spent = [w for w in watches if w.name != "few distinct values"]  # which needs none
    assert sum(w.share for w in spent) == pytest.approx(1.0)
    assert len({w.name for w in watches}) == len(watches)  # as checkpoints need it
    for watch in spent:
        assert watch.level(7) == pytest.approx(math.log(7 / (DOUBT * watch.share)))


@pytest.mark.parametrize(("text", "theta"), MODELS)
def test_nothing_is_said_of_few_or_extreme_outcomes(text: str, theta: float) -> None:
    """No outcomes, one, many alike, and the largest and smallest there can be: never an error."""
    model = parse_outcome(text)
    low = 0.0 if model.low is None else model.low
    for value in (low, theta, 1e-12 if low == 0.0 else low, 1.0 if text == "bernoulli" else 1e6):
        if text == "bernoulli" and value not in (0.0, 1.0):
            continue
        for watch in model.watches(theta):
            assert watch.doubt({}, 3) is None
            state = [0.0] * watch.memory
            for _ in range(19):
                watch.see(state, 0, value, 1.0)
            assert watch.doubt({0: state}, 3) is None
            assert all(math.isfinite(number) for number in state)


@pytest.mark.parametrize(("text", "theta"), MODELS)
def test_a_state_stays_small(text: str, theta: float) -> None:
    chance = random.Random(1)
    for watch in parse_outcome(text).watches(theta):
        state = [0.0] * watch.memory
        for _ in range(3000):
            if text == "bernoulli":
                watch.see(state, 0, float(chance.randrange(0, 3)), 2.0)
            else:
                watch.see(state, 0, float(chance.randrange(1, 9)) / 9.0, 1.0)
        assert len(state) <= 40


@given(
    logs=st.lists(st.lists(st.floats(-50, 200), min_size=3, max_size=3), min_size=1, max_size=5),
    untried=st.integers(0, 4),
)
def test_pooled_evidence_is_half_a_product_and_half_a_mean(
    logs: list[list[float]], untried: int
) -> None:
    K = len(logs) + untried
    found, leader = pooled(dict(enumerate(logs)), K)
    values = np.exp(np.array(logs) - 200.0 / len(logs))  # scaled, so that nothing overflows
    product = float(np.mean(np.prod(values, axis=0)))
    single = np.mean(np.exp(np.array(logs) - 200.0), axis=1)
    mean = (float(np.sum(single)) + untried * math.exp(-200.0)) / K
    assert found - 200.0 == pytest.approx(math.log(0.5 * product + 0.5 * mean), abs=1e-9)
    assert log_mean(logs[leader]) == max(log_mean(row) for row in logs)


def test_arms_that_vary_too_much_together_are_doubted_sooner() -> None:
    """No arm has enough outcomes by itself."""
    draw = np.random.default_rng(5).negative_binomial
    (watch, _) = parse_outcome("poisson").watches(3.0)
    states = {arm: _seen(watch, draw(3.0, 0.5, 12).tolist()) for arm in range(20)}
    text = watch.doubt(states, 20, [f"arm {number}" for number in range(20)])
    assert text is not None
    assert "those of 'arm " in text
    assert sum(watch.doubt({arm: states[arm]}, 20) is not None for arm in states) <= 1


def _seen(watch: Watch, values: list[float]) -> list[float]:
    state = [0.0] * watch.memory
    for value in values:
        watch.see(state, 0, float(value), 1.0)
    return state


@pytest.mark.parametrize(("text", "theta"), [("poisson", 3.0), ("gaussian", 0.0)])
def test_a_sampling_rule_that_goes_for_extremes_does_not_mislead(text: str, theta: float) -> None:
    """Twenty arms; the one with the largest mean is tried again, or that with the smallest."""
    draw, K, doubted = np.random.default_rng(6), 20, 0
    for _ in range(60):
        watches = parse_outcome(text).watches(theta)
        states: list[dict[int, list[float]]] = [{} for _ in watches]
        told: list[list[float]] = [[] for _ in range(K)]
        for t in range(200):
            extreme = max if draw.random() < 0.7 else min
            arm = t if t < K else extreme(range(K), key=lambda a: sum(told[a]) / len(told[a]))
            value = float(draw.poisson(3.0) if text == "poisson" else draw.normal())
            told[arm].append(value)
            for watch, state in zip(watches, states, strict=True):
                watch.see(state.setdefault(arm, [0.0] * watch.memory), arm, value, 1.0)
        doubted += any(w.doubt(s, K) for w, s in zip(watches, states, strict=True))
    assert doubted <= 3
