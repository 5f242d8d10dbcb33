"""Each corrected statement: the published one fails on an example, the corrected one does not."""

import math

import numpy as np
import pytest

from goodarm.instance import Instance
from goodarm.numerics import normal_cdf, normal_log_cdf
from goodarm.theory import ErrorBound, error_bound, error_rate_constant


def log_bounds(instance, algorithm, t):
    return tuple(error_bound(instance, algorithm, t, r).log for r in ("published", "corrected"))


def successive_rejects(means, T, runs, seed):
    """SR-G by its definition, in numpy; the share of wrong answers (θ = 0)."""
    rng = np.random.default_rng(seed)
    K = len(means)
    logbar = 0.5 + sum(1 / i for i in range(2, K + 1))
    ends = [math.ceil((T - K) / (logbar * (K + 1 - k))) for k in range(1, K)]
    wrong = 0
    for _ in range(runs):
        active, sums, pulls = list(range(K)), np.zeros(K), 0
        done = 0
        for end in ends:
            for a in active:
                sums[a] += rng.normal(means[a] * (end - done), math.sqrt(end - done))
                pulls += end - done
            done = end
            active.remove(min(active, key=lambda a: sums[a]))
        last = active[0]
        rest = T - pulls
        total = sums[last] + rng.normal(means[last] * rest, math.sqrt(rest))
        wrong += not (total > 0 and means[last] >= 0)
    return wrong / runs


def test_sr_g_by_hand():
    # K = 2, T = 4: both arms are pulled once, and the lower is dropped.
    instance = Instance(0.0, [5.0, -0.1])
    worse_survives = normal_cdf(-5.1 / math.sqrt(2))
    published, corrected = log_bounds(instance, "SR-G", 4)
    assert math.exp(published) < 1e-5 < 1e-4 < worse_survives < math.exp(corrected)


def test_sr_g_by_simulation():
    simulated = successive_rejects([5.0, -0.1], 4, 40_000, seed=1)
    expected = normal_cdf(-5.1 / math.sqrt(2))  # 1.55e-4
    assert abs(simulated - expected) < 4 * math.sqrt(expected / 40_000)
    assert simulated > math.exp(log_bounds(Instance(0.0, [5.0, -0.1]), "SR-G", 4)[0])


def test_sr_g_rate():
    # μ = (0.1, −10): the good arm survives and is then mistaken, with probability Φ(−0.1√N).
    instance = Instance(0.0, [0.1, -10.0])
    published = error_rate_constant(instance, "SR-G", "published").number
    corrected = error_rate_constant(instance, "SR-G").number
    for T in (10**4, 10**6):
        survivor = T - math.ceil((T - 2) / 2)
        log_error = normal_log_cdf(-0.1 * math.sqrt(survivor))
        assert log_error > -T / published * 0.01  # not even a hundredth of the published rate
    assert log_error == pytest.approx(-T / corrected, rel=0.01)  # and the corrected one is attained


def pkgai(means, T, beta, runs, seed, uniform):
    """PKGAI by its definition, with W as index or uniform; the share of wrong answers (θ = 0)."""
    rng = np.random.default_rng(seed)
    K, wrong = len(means), 0
    for _ in range(runs):
        N, S = np.ones(K), rng.normal(means)
        active = np.ones(K, dtype=bool)
        for _ in range(K, T):
            if not active.any():
                break
            index = -N if uniform else S / np.sqrt(N)
            a = int(np.argmax(np.where(active, index, -np.inf)))
            N[a] += 1
            S[a] += rng.normal(means[a])
            active &= S / np.sqrt(N) >= -math.sqrt(beta)
        answer = None
        if active.any() and (S[active] > 0).any():
            answer = int(np.argmax(np.where(active, S / N - np.sqrt(beta / N), -np.inf)))
        good = [m >= 0 for m in means]
        wrong += (answer is None or not good[answer]) if any(good) else answer is not None
    return wrong / runs


def test_pkgai_unif():
    # μ = (0.1, −10), T = 100, the width of the published theorem: ∅ comes out far too often.
    instance = Instance(0.0, [0.1, -10.0])
    beta = 98 * 10.1**2 / 8
    simulated = pkgai([0.1, -10.0], 100, beta, 300, seed=2, uniform=True)
    exact = normal_cdf(-0.1 * math.sqrt(98))  # the bad arm costs two pulls
    assert abs(simulated - exact) < 0.1
    published, corrected = log_bounds(instance, "PKGAI(Unif)", 100)
    assert published < -2000
    assert corrected > 0.0
    # Where the corrected bound says something, it holds.
    assert normal_log_cdf(-0.1 * math.sqrt(6000)) < log_bounds(instance, "PKGAI(Unif)", 6000)[1] < 0


def test_pkgai_tails():
    # One good arm, Δ = 1, T = 100: it is dropped at its second pull if W < −√β.
    instance = Instance(0.0, [1.0])
    beta = 99 / 4
    dropped = normal_log_cdf(-math.sqrt(2) - math.sqrt(beta))
    published, corrected = log_bounds(instance, "PKGAI", 100)
    assert published < dropped < corrected
    # All the ways to be dropped, and the mean at the end, together stay below the corrected bound.
    ways = [normal_log_cdf(-math.sqrt(n) - math.sqrt(beta)) for n in range(2, 101)]
    assert np.logaddexp.reduce([*ways, normal_log_cdf(-10.0)]) < corrected


def test_apgai_before_the_inversion_holds():
    # One arm just below θ: after two pulls the answer is as good as a coin.
    instance = Instance(0.0, [-1e-6])
    published, corrected = log_bounds(instance, "APGAI", 2)
    error = normal_cdf(-1e-6 * math.sqrt(2))
    assert math.exp(published) < 1e-5 < error
    assert corrected == 0.0


def test_apgai_jumps_from_one_to_its_formula_where_x_is_one_half():
    instance = Instance(0.0, [-0.5])  # H1 = 4, x = (t − 1)/72
    bound = ErrorBound(instance, "APGAI")
    assert bound.at(36).log == 0.0
    x = 0.5
    formula = math.log(math.e * math.sqrt(2) * (2 + math.log(37))) + 0.5 * math.log(x) - x
    assert bound.at(37).log == pytest.approx(formula)


def test_doubling_two_arms():
    # K = 2, t = 11: the last finished instance had T = 4, so arm 2 survived with Φ(−10/√2).
    instance = Instance(0.0, [9.9, -0.1])
    error = normal_log_cdf(-10.0 / math.sqrt(2))
    quarter = np.logaddexp(-9 / 16 * 9.9**2, -9 / 32 * 100)  # corrected SR-G, exponents over 4
    assert quarter < error < error_bound(instance, "DSR-G", 11).log


def test_halving_needs_a_pull_for_every_arm():
    # K = 4, T = 5: ⌊5/8⌋ = 0 pulls in the first round, which then drops the best arm every
    # second time.
    instance = Instance(0.0, [30.0, -1.0, -1.0, -1.0])
    published, corrected = log_bounds(instance, "SH-G", 5)
    assert published < math.log(0.5)
    assert corrected is None
    assert error_bound(instance, "SH-G", 5).reason == "stated from t = 8 on"


def test_unif_between_multiples_of_k():
    # At t = K + 1 one arm has two pulls; the published theorem says nothing, the corrected one
    # counts one pull each and holds exactly.
    instance = Instance(0.0, [1.0, -1.0])
    assert error_bound(instance, "Unif", 3, "published").log is None
    good, bad = math.sqrt(2), 1.0  # means of W
    rng = np.random.default_rng(3)
    W = rng.standard_normal((200_000, 2)) + np.array([good, -bad])
    simulated = ((W.max(axis=1) <= 0) | (W[:, 1] > W[:, 0])).mean()
    assert simulated < error_bound(instance, "Unif", 3).value


def test_the_quoted_theorems_are_for_rewards_in_the_unit_interval():
    # That a worse arm's mean passes the best one's, D behind, after n pulls each, has probability
    # Φ(−D√(n/2)) for Gaussian arms. The step behind SR's theorem gives it e^(−nD²), the one behind
    # SH's e^(−nD²/2): both hold for rewards in [0, 1], and fail here; e^(−nD²/4) holds. So SR's
    # exponent is divided by 4, SH's by 2.
    for n, D in ((1, 3.0), (10, 1.0), (1000, 0.2)):
        passes = normal_log_cdf(-D * math.sqrt(n / 2))
        assert -n * D * D < -n * D * D / 2 < passes < -n * D * D / 4
    instance = Instance(0.0, [1.0, -1.0])
    published, corrected = (
        error_bound(instance, "SR-G", 10_000, r) for r in ("published", "corrected")
    )
    exponents = 9998 / 1.0 / (2 / 4)  # (T − K)/(logbar H2)
    assert corrected.log == pytest.approx(np.logaddexp(-9998 / 4, -exponents / 4))
    assert published.log == pytest.approx(np.logaddexp(-9998 / 4, math.log(4) - exponents))
