"""Gaussian outcomes of unknown scatter: Student's distribution at 30 digits, guards, limits."""

import math
import pickle
import random
import runpy
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import stats
from scipy.optimize import brentq

from goodarm import Experiment, InputError, Instance, Study, simulate
from goodarm.outcomes import Gaussian, certificate, parse_outcome, student
from goodarm.outcomes.contract import Past, Reading, seen
from goodarm.outcomes.record import make_record, one_arm_run
from goodarm.run import Run, evidence
from goodarm.study import UnlikelyOutcomeError

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "student_price.py"))
RHOS = (1, 10, 100)
PRECISIONS = list(student.PRECISIONS)
GAUSS = np.polynomial.legendre.leggauss(250)


def student_cdf(n: int, t: mpf) -> mpf:
    half = mp.betainc(mpf(n) / 2, mpf(1) / 2, 0, n / (n + t * t), regularized=True) / 2
    return 1 - half if t > 0 else half


def terms(n: int, m: mpf, squares: mpf) -> list[tuple[mpf, mpf, mpf]]:
    """ln(√(ρ/(n + ρ)) (1 + R)^(n/2)), R and ln(1 + R) for every ρ."""
    found = []
    for rho in RHOS:
        R = mpf(n) ** 2 * m**2 / ((n + rho) * squares + n * rho * m**2)
        y = mp.log1p(R)
        found.append(((n * y - mp.log1p(mpf(n) / rho)) / 2, R, y))
    return found


def exact_log(n: int, m: float, squares: float) -> mpf:
    """ln E with Student's own distribution function."""
    sign = 1 if m > 0 else -1
    parts = terms(n, mpf(m), mpf(squares))
    cdfs = [student_cdf(n, sign * mp.sqrt(n * R)) for _, R, _ in parts]
    return mp.log(sum(2 * mp.exp(a) * T for (a, _, _), T in zip(parts, cdfs, strict=True)) / 3)


def formula_log(n: int, m: float, squares: float) -> mpf:
    """ln E with the normal distribution instead, as the specification has it."""
    total = mpf(0)
    for a, _, y in terms(n, mpf(m), mpf(squares)):
        z = mp.sqrt((n - mpf(1) / 2) * y) if m > 0 else -mp.sqrt(n * y)
        total += 2 * mp.exp(a) * mp.ncdf(z) / 3
    return mp.log(total)


def run_of(values: Sequence[float], theta: float, side: float = 1.0) -> Run:
    return one_arm_run(Gaussian(), theta, map(Reading, values), side=side)


def certificates(values: Sequence[float], theta: float, side: float = 1.0) -> tuple[float, float]:
    run, functions = run_of(values, theta, side), Gaussian().functions
    return functions.for_good(run, 0), functions.for_bad(run, 0)


@pytest.mark.parametrize(
    ("n", "m", "squares"), [(2, 0.7, 0.9), (5, -0.4, 3.0), (9, 1.3, 6.0), (30, 0.05, 40.0)]
)
@pytest.mark.parametrize("rho", [1, 100])
def test_the_mixture_is_the_double_integral(n: int, m: float, squares: float, rho: int) -> None:
    """dσ/σ and a half-normal effect over dσ/σ and no effect; u = 1/σ. By Gauss's quadrature."""
    nodes, weights = GAUSS
    top = 9.0 * math.sqrt(n / squares)
    u, effect = 0.5 * top * (nodes + 1.0), 6.0 * (nodes + 1.0)[:, None]
    prior = 2.0 * math.sqrt(rho / (2.0 * math.pi)) * np.exp(-0.5 * rho * effect**2)
    joint = u ** (n - 1) * np.exp(-0.5 * (u * u * squares + n * (m * u - effect) ** 2)) * prior
    null = u ** (n - 1) * np.exp(-0.5 * u * u * (squares + n * m * m))
    ratio = 6.0 * (weights @ joint @ weights) / (null @ weights)
    log_part, R, _ = terms(n, mpf(m), mpf(squares))[RHOS.index(rho)]
    T = student_cdf(n, mp.sign(m) * mp.sqrt(n * R))
    assert math.log(ratio) == pytest.approx(float(mp.log(2) + log_part + mp.log(T)), abs=1e-10)


@pytest.mark.parametrize(
    ("n", "most"), [(1, 0.045), (2, 0.009), (5, 0.0012), (40, 2e-5), (1000, 1e-7)]
)
def test_the_formula_is_a_lower_bound_and_hardly_less(n: int, most: float) -> None:
    with mp.workdps(30):
        for ratio in (1e-4, 0.03, 0.3, 1.0, 3.0, 1e3, 1e9):
            for sign in (1.0, -1.0):
                m, squares = sign * ratio * 0.7, 0.49 * n
                loss = exact_log(n, m, squares) - formula_log(n, m, squares)
                assert loss >= -(mpf(10) ** -20)
                assert sign < 0.0 or loss <= most


@pytest.mark.parametrize("n", [1, 2, 3, 10, 100])
def test_wallaces_bounds(n: int) -> None:
    for t in (0.01, 0.3, 1.0, 2.5, 8.0, 100.0):
        u = mp.log1p(mpf(t) ** 2 / n)
        low, high = mp.ncdf(mp.sqrt((n - mpf(1) / 2) * u)), mp.ncdf(mp.sqrt(n * u))
        assert low <= student_cdf(n, mpf(t)) <= high
        assert mp.ncdf(-mp.sqrt(n * u)) <= student_cdf(n, -mpf(t))


@pytest.mark.parametrize("n", [1, 2, 5, 60, 1000, 10**7])
def test_the_formula_in_high_precision(n: int) -> None:
    for ratio in (0.0, 1e-9, 1e-3, 0.2, 1.0, 40.0, 1e6):
        for sign in (1.0, -1.0):
            for scale in (1e-30, 0.2, 1e40):
                m, squares = sign * ratio * scale, scale * scale * n
                found = student.log_mixture(PRECISIONS, n, m, squares)
                size = 1.0 + n * float(terms(n, mpf(m), mpf(squares))[0][2])
                assert abs(found - formula_log(n, m, squares)) <= 1e-14 * size


def test_the_certificate_never_exceeds_the_evidence() -> None:
    """Far beyond what is ever seen; and a crossing left out would do no harm."""
    for n in (3, 4, 5, 7, 12, 30, 100, 1000, 10**5, 10**8):
        for log_ratio in np.linspace(-25.0, 25.0, 301):
            m, squares = math.exp(0.5 * log_ratio), float(n)
            most = 0.5 * n * student.signed_root(n, m, squares) ** 2
            assert student.log_mixture(PRECISIONS, n, m, squares) <= most
            assert student.log_mixture(PRECISIONS, n, -m, squares) <= 0.0


VALUES = st.lists(st.integers(-1000, 1000), min_size=6, max_size=25, unique=True)


@given(VALUES, st.integers(-1000, 1000), st.integers(-40, 40), st.integers(-1000, 1000))
def test_scale_shift_and_sign_do_not_matter(
    values: list[int], theta: int, power: int, shift: int
) -> None:
    above, below = certificates(values, theta)
    scale = 2.0**power
    same = certificates([scale * (x + shift) for x in values], scale * (theta + shift))
    assert same == (above, below)
    assert certificates([-x for x in values], -theta) == (below, above)
    assert certificates(values, theta, side=-1.0) == (below, above)
    assert above <= 0.0 or below <= 0.0


@given(VALUES, st.integers(-900, 900), st.randoms(use_true_random=False))
def test_order_does_not_matter(values: list[int], theta: int, chance: random.Random) -> None:
    other = list(values)
    chance.shuffle(other)
    found = certificates(other, theta)
    assert found == pytest.approx(certificates(values, theta), rel=1e-9, abs=1e-9)


def test_nothing_is_proved_before_five_distinct_values() -> None:
    chance = random.Random(1)
    yes_no = [float(chance.random() < 0.04) for _ in range(400)]
    four = [chance.choice([1.0, 1.5, 2.0, 2.5]) for _ in range(400)]
    for values in (yes_no, four, [0.7] * 50):
        for theta in (0.04, 0.5, 3.0):
            proof = certificate("gaussian", theta, values)
            assert (proof.above, proof.below, proof.lower, proof.upper) == (0.0, 0.0, None, None)
    fifth = certificate("gaussian", 0.5, [*four, 1.75])
    assert fifth.above > 100.0
    assert fifth.lower is not None
    assert fifth.lower > 1.0


def test_a_suggestion_that_is_waited_for_changes_neither_mean_nor_scatter() -> None:
    run = run_of([0.3, 0.9, 0.4, 1.7, 0.2, 0.65], 0.1)
    before = list(run.kept)
    mean = run.sums[0] / run.counts[0]
    w = evidence(run, 0)
    make_record(Gaussian().functions)(run, 0, mean)
    assert run.kept[: student.DISTINCT] == pytest.approx(before[: student.DISTINCT], rel=1e-14)
    assert evidence(run, 0) > w > 0.0


@pytest.mark.parametrize("alpha", [0.2, 0.01, 1e-6])
@pytest.mark.parametrize("count", [5, 12, 300])
def test_limits_against_a_root_search(exact: SimpleNamespace, count: int, alpha: float) -> None:
    chance = random.Random(count)
    values = [chance.gauss(3.0, 0.5) for _ in range(count)]
    mean, squares = float(np.mean(values)), float(np.var(values) * count)
    proof = certificate("gaussian", 2.0, values, alpha)
    most = formula_log(count, 1e9, squares)  # as θ′ goes to infinity
    if most < -math.log(alpha):
        assert (proof.lower, proof.upper) == (None, None)
        assert count < 300
        return
    for sign, end in ((1, proof.lower), (-1, proof.upper)):
        found = exact.root(
            lambda at, sign=sign: formula_log(count, float(sign * (mpf(mean) - at)), squares),
            mean,
            mean - sign * 300.0,
            -mp.log(mpf(alpha)),
        )
        assert end == pytest.approx(found, rel=1e-9)


@given(
    st.lists(st.floats(-50, 50), min_size=5, max_size=40, unique=True),
    st.floats(-60, 60),
    st.sampled_from([0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12, 0.5, -0.5]),
)
def test_limits_are_on_the_side_that_the_certificate_says(
    values: list[float], theta: float, nudge: float
) -> None:
    run, functions = run_of(values, theta), Gaussian().functions
    above, below = functions.for_good(run, 0), functions.for_bad(run, 0)
    assume(1e-3 < max(above, below) < 700.0)
    alpha = min(math.exp(-max(above, below)) * (1.0 + nudge), 1.0 - 1e-6)
    level = -math.log(alpha)
    low, high = Gaussian().limits(seen(run, student.MEMORY), theta, alpha, alpha)
    assert (low[0] >= theta) == (above >= level)
    assert (high[0] < theta) == (below >= level)


@given(st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=9), st.floats(-1e100, 1e100))
def test_whatever_is_told_stays_finite(values: list[float], theta: float) -> None:
    run = run_of(values, theta)
    functions = Gaussian().functions
    found = (evidence(run, 0), functions.for_good(run, 0), functions.for_bad(run, 0))
    assert all(math.isfinite(number) for number in found)
    low, high = Gaussian().limits(seen(run, student.MEMORY), theta, 0.05, 0.05)
    assert low[0] <= high[0]


@pytest.mark.parametrize("tiny", [1e-170, 5e-324])
def test_distances_too_small_to_be_squared(tiny: float) -> None:
    proof = certificate("gaussian", 0.0, [tiny * k for k in range(1, 8)])
    assert proof.above <= 0.0
    assert proof.below <= 0.0


def test_crossings_at_the_null_are_as_rare_as_promised() -> None:
    """Normal outcomes of mean θ, 1,500 looks: the boundary is that of the limits."""
    chance, runs = np.random.default_rng(4), 3000
    outcomes = 7.0 * chance.standard_normal((runs, 1500))
    for alpha in (0.2, 0.05, 0.01):
        over = BENCH["student"](-math.log(alpha))(0, outcomes).any(axis=1)
        error = math.sqrt(alpha * (1.0 - alpha) / runs)
        assert over.mean() <= alpha + 3.0 * error
        assert over.mean() >= 0.4 * alpha - 3.0 * error  # a guarantee that is worth its price


@pytest.mark.parametrize(
    ("effect", "alpha", "expected"),
    [(1.0, 0.05, 1.59), (1.0, 0.0005, 1.28), (0.5, 0.005, 1.29), (0.2, 0.05, 1.30)],
)
def test_the_price(effect: float, alpha: float, expected: float) -> None:
    price, error = BENCH["student_price"](effect, alpha, 600, 5)
    assert price == pytest.approx(expected, abs=3.5 * error)
    assert error < 0.05


@pytest.mark.parametrize(("K", "effect", "expected"), [(1, 1.0, 1.3), (10, 0.5, 1.5)])
def test_the_price_against_the_papers_boundary_with_sigma(
    K: int, effect: float, expected: float
) -> None:
    other = BENCH["glr"](K, BENCH["DELTA"])
    ratio = BENCH["trials_over_student"](effect, other, K, 600, 5)
    assert ratio == pytest.approx(expected, rel=0.07)


def test_a_model_without_sigma() -> None:
    model = Gaussian()
    assert parse_outcome("gaussian") == model
    with pytest.raises(InputError, match=r"gaussian\[:SIGMA\]"):
        parse_outcome("gaussian:")  # an empty variable of a shell, most likely
    assert (model.text(), model.to_data()) == ("gaussian", {"kind": "gaussian"})
    assert Gaussian.from_data({"kind": "gaussian"}) == model != Gaussian(1.0)
    assert Gaussian.form() == "gaussian[:SIGMA]"
    assert model.describe() == "a number whose scatter is not known"
    assert not model.knows_scatter
    assert model.check(1e90, 0.0) == 1e90
    assert model.unlikely(Reading(1e9), Past(0, 20, 0.0), 0.0) is None  # how far is far?
    assert all(watch.name != "wide scatter" for watch in model.watches(0.0))
    again = pickle.loads(pickle.dumps(model))
    assert (again, again.functions, again.memory) == (model, model.functions, student.MEMORY)
    assert Gaussian(1.0).memory == 0
    chance = random.Random(3)
    draws = [model.draw_outcome(0, 5.0, 4.0, chance) for _ in range(4000)]
    assert np.std(draws) == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("asked", [{"boundary": "glr"}, {"algorithm": "lil-HDoC"}])
def test_what_needs_a_known_sigma_says_so(asked: dict[str, str]) -> None:
    with pytest.raises(InputError, match="give gaussian:SIGMA, or use boundary mixture"):
        Experiment(2, 0.5, outcome="gaussian", delta=0.1, **asked)


def test_an_experiment_and_simulations_without_sigma() -> None:
    """The arms keep their own scatter; that it is not known costs a few trials."""
    experiment = Experiment(["a", "b"], 10.0, outcome="gaussian", delta=0.05, seed=2)
    chance = random.Random(5)
    while not experiment.finished and experiment.t < 500:
        arm = experiment.ask()
        assert arm is not None
        experiment.tell(arm, chance.gauss((9.0, 12.0)[arm], 1.5))
    assert experiment.conclusion == 1
    arms = Instance(0.0, [1.0, -1.0], sigma=[2.0, 0.5])
    unknown = simulate(arms, "APGAI", delta=0.05, runs=300, outcome="gaussian")["APGAI"]
    known = simulate(arms, "APGAI", delta=0.05, runs=300)["APGAI"]
    assert unknown.to_dict()["settings"]["outcome"] == "gaussian"
    assert unknown.error_rate <= 0.05
    assert known.mean < unknown.mean < 2.0 * known.mean


@pytest.mark.parametrize("count", [2, 3, 5, 10, 100])
def test_an_outcome_far_from_the_others_is_asked_about(count: int) -> None:
    """Six standard deviations of a normal distribution, in Student's: one in 500 million."""
    past = Past(0, count, 5.0, 0.5)
    width = 0.5 * math.sqrt(1.0 + 1.0 / count)
    if count < 3:
        assert Gaussian().unlikely(Reading(1e9), past, 0.0) is None
        return
    z = brentq(lambda x: stats.t.logsf(x, count - 1) - math.log(1e-9), 1.0, 1e6)
    for side in (-1.0, 1.0):
        assert Gaussian().unlikely(Reading(5.0 + side * 0.3 * z * width), past, 0.0) is None
        said = Gaussian().unlikely(Reading(5.0 + side * 3.0 * z * width), past, 0.0)
        assert said is not None
        assert "standard deviations (0.5) from the mean of the arm's other outcomes" in said


def test_a_slipped_decimal_point_is_asked_about(tmp_path: Path) -> None:
    study = Study.create("s", ["A"], 5.0, "gaussian", storage=tmp_path / "s.db")
    with pytest.raises(UnlikelyOutcomeError, match="5010 is"):
        study.tell_many([("A", x) for x in (5.1, 4.8, 5.3, 5.0, 5010.0, 4.7)])
    study.tell_many([("A", x) for x in (5.1, 4.8, 5.3, 5.0, 5.2, 4.7)])
    with pytest.raises(UnlikelyOutcomeError, match="standard deviations"):
        study.tell("A", 4.9e9)
    study.tell("A", 4.9)
    study.tell("A", 4.9e9, sure=True)
