"""Murphy Sampling: the exact conditional draw against rejection and against high precision."""

from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2_contingency

from goodarm import Instance, find_algorithm, simulate
from goodarm.algorithms.murphy_sampling import choose, first_above, observe, truncated_draw
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import Run, Sizes, evidence, new_run
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.compiler import register

record = make_record(Gaussian.functions)

mp = mpmath.mp.clone()
mp.dps = 60


def state(counts, evidences, seed=0) -> Run:
    """A run in which arm a was pulled counts[a] times and has the evidence asked for."""
    K = len(counts)
    sizes = Sizes(K, 0, *find_algorithm("MS").memory(K))
    run = new_run(0.0, [1.0] * K, seed, sizes=sizes)
    for a, (n, w) in enumerate(zip(counts, evidences, strict=True)):
        for _ in range(n):
            record(run, a, w / np.sqrt(n))
        observe(run, sum(counts[: a + 1]), a, 0.0)
    return run


@cache
def compiled_counter():
    """Counts what `choose` draws at t = 0, 1, 2, …: the state does not change, the stream does."""
    from numba import njit

    register((choose,))

    @njit
    def count(run, draws, chosen):
        for t in range(draws):
            chosen[choose(run, t)] += 1

    return count


def frequencies(run: Run, draws: int) -> np.ndarray:
    dtypes = {"counts": np.int64, "active": np.int64, "clock": np.int64, "key": np.int64}
    arrays = Run(
        *(
            np.array(part, dtype=np.int64 if name == "ints" else dtypes.get(name, np.float64))
            for name, part in zip(Run._fields, run, strict=True)
        )
    )
    chosen = np.zeros(len(run.counts), dtype=np.int64)
    compiled_counter()(arrays, draws, chosen)
    return chosen


def by_rejection(run: Run, wanted: int) -> np.ndarray:
    """The paper's way: draw all λ until one exceeds 0."""
    source = np.random.default_rng(12345)
    gaps, roots = np.array(run.gaps), np.array(run.roots)
    chosen = np.zeros(len(gaps), dtype=np.int64)
    while chosen.sum() < wanted:
        draws = gaps + source.standard_normal((200_000, len(gaps))) / roots
        kept = draws[draws.max(axis=1) > 0.0]
        chosen += np.bincount(kept.argmax(axis=1), minlength=len(gaps))
    return chosen


STATES = [
    ([20, 5, 9, 30], [-1.3, 0.2, -0.6, 0.3]),
    ([3, 3, 3, 3, 3], [-2.0, -2.0, -2.0, -2.0, -2.0]),
    ([50, 2, 7], [-2.2, -3.0, -2.6]),
    ([4, 40, 9, 1, 25], [2.0, 5.0, 0.5, 0.1, -4.0]),
    ([9, 100], [-2.6, -2.4]),
]


@pytest.mark.parametrize(("counts", "evidences"), STATES)
def test_the_draw_agrees_with_rejection(counts, evidences) -> None:
    run = state(counts, evidences)
    table = np.array([frequencies(run, 60_000), by_rejection(run, 60_000)])
    table = table[:, table.sum(axis=0) > 10]
    assert table.shape[1] > 1
    assert chi2_contingency(table).pvalue > 1e-3


def exact_share(counts, evidences) -> float:
    """P(arm 0 is chosen) with two arms, by quadrature: ∫ φ_0(x) Φ_1(x) dx over x > 0."""
    (n0, n1), (w0, w1) = counts, [mp.mpf(w) for w in evidences]
    r0, r1 = mp.sqrt(n0), mp.sqrt(n1)

    def wins(r, w, other_r, other_w):
        # In units of the truncated arm's decay the integrand is smooth, however far out.
        scale = 1 / (r * max(1, -w))
        nodes = [k * scale for k in (0, 1, 3, 8, 20, 60)]
        return mp.quad(
            lambda x: r * mp.npdf(r * x - w) * mp.ncdf(other_r * x - other_w), nodes, maxdegree=8
        )

    first, second = wins(r0, w0, r1, w1), wins(r1, w1, r0, w0)
    return float(first / (first + second))


@pytest.mark.parametrize(
    ("counts", "evidences"),
    [
        ([10, 40], [-1.0, -1.2]),
        ([100, 100], [-8.0, -8.1]),
        ([900, 2500], [-37.5, -37.52]),
        ([2500, 900], [-45.0, -45.03]),
        ([10_000, 400], [-300.0, -300.002]),
    ],
)
def test_far_out_the_shares_are_right(counts, evidences) -> None:
    """Φ within 1e-300 of 1, and beyond: no rejection could ever get there."""
    share = exact_share(counts, evidences)
    assert 0.05 < share < 0.95
    chosen = frequencies(state(counts, evidences), 40_000)
    assert binomtest(int(chosen[0]), 40_000, share).pvalue > 1e-3


@given(
    st.lists(st.floats(-60.0, 6.0), min_size=1, max_size=5),
    st.floats(0.0, 1.0, exclude_min=True, exclude_max=True),
)
def test_the_first_arm_above_zero(evidences, u) -> None:
    """first_above inverts the distribution Π_{a<j} Φ_a (1 − Φ_j)/(1 − Π Φ_a)."""
    run = state([1] * len(evidences), evidences)
    weights, none_yet = [], mp.mpf(1)
    for w in evidences:
        weights.append(none_yet * mp.ncdf(mp.mpf(w)))
        none_yet *= mp.ncdf(-mp.mpf(w))
    total = mp.fsum(weights)
    j = first_above(run, u)
    below, upto = mp.fsum(weights[:j]) / total, mp.fsum(weights[: j + 1]) / total
    assert below - mp.mpf("1e-12") <= u <= upto + mp.mpf("1e-12")


@given(st.floats(-2000.0, 8.0), st.floats(1e-12, 1.0 - 1e-12), st.integers(1, 50))
def test_the_truncated_draw(w, u, count) -> None:
    """λ > 0 with P(λ > x | λ > 0) = u."""
    run = state([count], [w])
    x = truncated_draw(run, 0, u)
    assert x >= 0.0
    exact = evidence(run, 0)
    upper = mp.ncdf(mp.mpf(exact) - mp.mpf(x) * mp.mpf(run.roots[0]))
    assert abs(upper / mp.ncdf(mp.mpf(exact)) / mp.mpf(u) - 1) < 1e-7


def test_a_hopeless_state_is_decided_like_any_other() -> None:
    """W = −10⁴: still an arm, and the likelier one almost always."""
    run = state([4, 4], [-10_000.0, -10_001.0])
    assert {choose(run, t) for t in range(200)} == {0}


@pytest.mark.parametrize(
    "instance",
    [
        Instance(0.0, [0.4, 0.3, -0.1], sigma=[1.0, 2.0, 0.5], name="unequal"),
        Instance(0.5, [0.6, 0.6, 0.4, 0.2], kind="bernoulli", name="coins"),
        Instance(0.0, [-0.9, -0.8], name="none good"),
        Instance(0.0, [-0.9], name="one arm"),
    ],
    ids=lambda i: i.name,
)
def test_compiled_equals_plain(instance) -> None:
    result = simulate(instance, "MS", delta=0.05, cap=800, runs=5, seed=4)["MS"]
    job = make_job("MS", instance, "fixed-confidence", 800, 4, 0.05)
    for number in range(5):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_noa2_ends_where_apgai_ends() -> None:
    """The paper's rejection took 10⁵ ms a run here; the stopping times are nearly APGAI's."""
    result = simulate("NoA2", ["MS", "APGAI"], delta=0.01, cap=50_000, runs=300, seed=3)
    assert result["MS"].stopped.all()
    assert result["MS"].error_rate == 0.0
    assert 1.0 <= result["MS"].mean / result["APGAI"].mean < 1.1
