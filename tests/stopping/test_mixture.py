"""The boundary "mixture": its levels, and its verdict against the bare statement of it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from goodarm.outcomes import Bernoulli, Bounded, Gaussian, Outcome
from goodarm.outcomes.record import make_record
from goodarm.run import ACTIVE, CONTINUE, NONE, Run, Sizes, evidence, new_run
from goodarm.stopping import parse_boundary
from goodarm.stopping.contract import MIXTURE_KIND, Boundary
from goodarm.stopping.families import glr
from goodarm.stopping.families.mixture import name_share
from goodarm.stopping.verdicts import level, make_verdict


@pytest.mark.parametrize("K", [1, 2, 3, 4, 5, 10, 100, 10**6])
@pytest.mark.parametrize("log_inverse_delta", [0.01, 3.0, 700.0])
def test_the_levels_share_delta(K: int, log_inverse_delta: float) -> None:
    """(K − 1)xδ/K + δ₋ = δ, and the values of x and δ₋ in closed form."""
    boundary = parse_boundary("mixture", K, log_inverse_delta=log_inverse_delta)
    with mp.workdps(40):
        delta = mp.exp(-mpf(log_inverse_delta))
        x = mpf(1) if K <= 4 else mpf(3) / 4 * K / (K - 1)
        none = delta / min(K, 4)
        assert boundary.levels.name == pytest.approx(float(mp.log(K / (x * delta))), rel=1e-14)
        assert boundary.levels.none == pytest.approx(float(-mp.log(none)), rel=1e-14)
        assert name_share(K) == pytest.approx(float(x), rel=1e-15)
        named = mp.exp(-mpf(boundary.levels.name))  # for one arm: xδ/K
        spent = (K - 1) * named + mp.exp(-mpf(boundary.levels.none))
        assert float(spent / delta) == pytest.approx(1.0, abs=1e-12)
        assert float(K * named / delta) <= 1.0 + 1e-12


def test_a_boundary_of_another_kind_has_no_levels() -> None:
    assert parse_boundary("mixture", 3, 0.1).kind == MIXTURE_KIND
    assert parse_boundary("glr", 3, 0.1).levels == (math.inf, math.inf)


def new(model: Outcome, K: int, boundary: Boundary, side: float) -> Run:
    numbers = model.numbers(0.4, side, boundary.levels)
    sizes = Sizes(K, model.memory)
    return new_run(0.4, model.scales(K), 0, 0, boundary.numbers, (), sizes, numbers, side)


VALUES = {
    "gaussian": st.sampled_from([-3.0, -0.6, 0.1, 0.41, 0.9, 4.0, 9.0]),
    "bounded": st.floats(0.0, 1.0),
    "bernoulli": st.sampled_from([0.0, 1.0]),
}
MODELS = st.sampled_from([Gaussian(1.0), Bounded(0, 1), Bernoulli()])


@st.composite
def histories(draw: st.DrawFn) -> tuple[Outcome, int, list[tuple[int, float]]]:
    """Stretches of like outcomes, so that arms are ruled out, come back and are named."""
    model, K = draw(MODELS), draw(st.integers(1, 3))
    pieces = st.tuples(st.integers(0, K - 1), VALUES[model.name], st.integers(1, 25))
    told = [(arm, x) for arm, x, n in draw(st.lists(pieces, max_size=12)) for _ in range(n)]
    return model, K, told


@given(histories(), st.sampled_from([0.5, 0.05, 1e-3]), st.sampled_from([1.0, -1.0]))
def test_the_verdict_is_the_bare_statement(history: tuple, delta: float, side: float) -> None:
    model, K, told = history
    boundary = parse_boundary("mixture", K, delta)
    run = new(model, K, boundary, side)
    record, verdict = make_record(model.functions), make_verdict(model.functions)
    name, none = boundary.levels
    out = [False] * K
    for t, (arm, value) in enumerate(told, 1):
        record(run, arm, value)
        said = verdict(run, t, arm)
        out[arm] = model.functions.for_bad(run, arm) >= none
        if model.functions.for_good(run, arm) >= name:
            assert said == arm
        else:
            assert said == (NONE if all(out) else CONTINUE)
        assert run.active == [0 if ruled_out else 1 for ruled_out in out]
        assert run.clock[ACTIVE] == K - sum(out)


def test_an_arm_comes_back_into_play_and_may_be_named_at_once() -> None:
    model, boundary = Gaussian(1.0), parse_boundary("mixture", 2, 0.05)
    run = new(model, 2, boundary, 1.0)
    record, verdict = make_record(model.functions), make_verdict(model.functions)
    said = []
    for t, (arm, value) in enumerate([(0, -9.0), (1, -3.0), (0, 9.0), (0, -30.0), (0, 60.0)], 1):
        record(run, arm, value)
        said.append((verdict(run, t, arm), list(run.active), run.clock[ACTIVE]))
    assert said == [
        (CONTINUE, [0, 1], 1),
        (CONTINUE, [0, 1], 1),
        (CONTINUE, [1, 1], 2),
        (CONTINUE, [0, 1], 1),
        (0, [1, 1], 2),
    ]


def test_none_needs_every_arm() -> None:
    model, boundary = Bernoulli(), parse_boundary("mixture", 3, 0.05)
    run = new(model, 3, boundary, 1.0)
    record, verdict = make_record(model.functions), make_verdict(model.functions)
    t = 0
    for arm in range(3):
        for _ in range(60):
            t += 1
            record(run, arm, 0.0)
            if (said := verdict(run, t, arm)) != CONTINUE:
                break
    assert said == NONE
    assert t < 180


def test_other_boundaries_are_judged_as_before() -> None:
    boundary = parse_boundary("glr", 2, 0.1)
    model = Gaussian(1.0)
    runs = [new(model, 2, boundary, 1.0) for _ in range(2)]
    record, ours = make_record(model.functions), make_verdict(model.functions)
    said: list[list[int]] = [[], []]
    for t in range(1, 40):
        for run, verdict, answers in zip(runs, (ours, glr.verdict), said, strict=True):
            record(run, t % 2, 1.5 if t % 2 else -1.0)
            answers.append(verdict(run, t, t % 2))
    assert said[0] == said[1]
    assert said[0][-1] == 1


def test_the_level_of_evidence_that_can_rule_an_arm_out() -> None:
    boundary = parse_boundary("mixture", 2, 0.1)
    run = new(Gaussian(1.0), 2, boundary, 1.0)
    assert level(run, 1) == level(run, 1000) == pytest.approx(math.sqrt(2 * math.log(2 / 0.1)))
    make_record(Gaussian.functions)(run, 0, 0.4)
    assert evidence(run, 0) == 0.0
