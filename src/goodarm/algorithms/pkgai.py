"""PKGAI (Prior-Knowledge-based GAI): the active arm of largest index, hopeless arms dropped.

With width_a = √(β/N_a) in units of σ_a, after one pull of each arm every round pulls the active
arm of largest index, then drops every active arm with d_a + width_a < 0. The index is

* ``PKGAI(APT_P)``: W_a = √N_a d_a,
* ``PKGAI(UCB)``: d_a + width_a,
* ``PKGAI(Unif)``: −N_a,
* ``PKGAI(LCB-G)``: √N_a (d_a − width_a) = W_a − √β, which is largest where W_a is: it chooses as
  APT_P does.

When no arm is left it stops early with ∅. After T pulls the answer is ∅ if no active arm has
d_a > 0, else the active arm of largest d_a − width_a. Two widths:

* ``beta=z`` (default): β = W̄(2 ln(K/δ) + 2 ln(2 + ln T) + 2), δ = 0.01 unless ``delta`` is given;
* ``beta=prior``: β = (T − K)/(4 H_1) when no arm is good, with H_1 = Σ_a Δ_a^−2, and
  β = (T − K) Δ̂²/(4K) otherwise, with Δ̂ the largest gap of a good arm plus the smallest of a bad
  one. It needs the true means, so it is for simulations only. Where no arm is bad the second
  term of Δ̂ is left out, which keeps β finite and within what the theorem allows; a mean at the
  threshold has the gap 0, and β = 0 if that leaves Δ̂ = 0.

Guarantee: where β ≤ (T − K)/(4 H_1) the error is at most 2KT e^(−β/2), which ``beta=prior`` uses
in full when no arm is good (docs/theory.md has the corrected statements); with ``beta=z`` all
intervals hold together with probability 1 − δ. Use it for a fixed budget when stopping early with
"none" is worth something.

Jourdan, Delahaye-Duriez and Réda (2026), Appendix D; the indices are from Locatelli et al. (2016),
Kano et al. (2019) and Tabata et al. (2020).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from goodarm.algorithms.contract import FIXED_BUDGET, Algorithm, Option, Setting
from goodarm.errors import InputError
from goodarm.numerics import wbar
from goodarm.run import ACTIVE, NO_ARM, NONE, Run, evidence, pick

EVIDENCE, UPPER_BOUND, FEWEST_PULLS = range(3)  # the indices
# Positions in `constants`. `floats` holds the arms' indices, then their lower bounds d_a − width_a.
WHICH_INDEX, ROOT_BETA = range(2)


def start(run: Run) -> None:
    """An arm that was not pulled comes first, and is not the answer."""
    K = len(run.counts)
    for a in range(K):
        run.floats[a] = math.inf
        run.floats[K + a] = -math.inf


def choose(run: Run, t: int) -> int:
    """The active arm of largest index."""
    if run.clock[ACTIVE] == 0:
        return NO_ARM
    return _largest(run, t, 0)


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """β is constant: only the arm just pulled has a new index and new bounds."""
    K = len(run.counts)
    if run.active[arm] == 0:
        return  # an outcome that a live experiment did not ask for
    width = run.constants[ROOT_BETA] / run.roots[arm]
    run.floats[arm] = _index(run, arm, width)
    run.floats[K + arm] = run.gaps[arm] - width
    if t > K + 1:
        _drop_if_hopeless(run, arm)
    elif t == K + 1:  # the end of the first round, which looks at all arms
        for a in range(K):
            if run.counts[a] > 0:
                _drop_if_hopeless(run, a)


def answer(run: Run, t: int) -> int:
    """∅ if no active arm has a mean above θ, else the active arm of largest lower bound."""
    for a in range(len(run.counts)):
        if run.active[a] == 1 and run.gaps[a] > 0.0:
            return _largest(run, t, len(run.counts))
    return NONE


def _index(run: Run, arm: int, width: float) -> float:
    kind = run.constants[WHICH_INDEX]
    if kind == UPPER_BOUND:
        return run.gaps[arm] + width
    if kind == FEWEST_PULLS:
        return -1.0 * run.counts[arm]
    return evidence(run, arm)


def _drop_if_hopeless(run: Run, arm: int) -> None:
    """Drop the arm if d_a + width_a < 0, which is W_a < −√β."""
    if evidence(run, arm) < -run.constants[ROOT_BETA]:
        run.active[arm] = 0
        run.clock[ACTIVE] -= 1
        run.floats[arm] = -math.inf
        run.floats[len(run.counts) + arm] = -math.inf


def _largest(run: Run, t: int, offset: int) -> int:
    """The arm of largest run.floats[offset + a], ties at random; three loops without branches."""
    K = len(run.counts)
    values = run.floats
    best = values[offset]
    for a in range(1, K):
        best = max(best, values[offset + a])
    ties = 0
    for a in range(K):
        ties += 1 if values[offset + a] == best else 0
    skip = pick(run, t, ties) if ties > 1 else 0
    before = 0  # arms before the tied arm number `skip`
    rank = 0
    for a in range(K):
        rank += 1 if values[offset + a] == best else 0
        before += 1 if rank <= skip else 0
    return before


def beta_z(K: int, budget: int, delta: float) -> float:
    """z(T, δ): the width without prior knowledge (paper, Appendix I, fixed-budget algorithms)."""
    return wbar(2.0 * math.log(K / delta) + 2.0 * math.log(2.0 + math.log(budget)) + 2.0)


def beta_prior(setting: Setting) -> float:
    """q(T): the width that knows how hard the instance is; see the module's docstring."""
    if setting.gaps is None:
        raise InputError(
            "beta=prior: needs the true means, which only a simulation has; leave it out"
        )
    assert setting.budget is not None
    gaps = setting.gaps
    good, bad = gaps[gaps >= 0.0], -gaps[gaps < 0.0]
    spare = setting.budget - setting.K
    if len(good) == 0:
        # (T − K)/(4 H_1), written so that a tiny gap cannot overflow.
        smallest = float(bad.min())
        return spare * smallest * smallest / (4.0 * float(np.sum((smallest / bad) ** 2)))
    gap = float(good.max()) + (float(bad.min()) if len(bad) > 0 else 0.0)
    return spare * gap * gap / (4.0 * setting.K)


def _probability(text: str) -> float:
    value = float(text)
    if not 0.0 < value < 1.0:
        raise ValueError("write a number strictly between 0 and 1")
    return value


def _beta(text: str) -> str:
    if text.lower() not in ("z", "prior"):
        raise ValueError("write z (no prior knowledge) or prior (needs the true means)")
    return text.lower()


OPTIONS = {
    "beta": Option("z", _beta, "the width: z, or prior (knows the true means: simulations only)"),
    "delta": Option(0.01, _probability, "the risk δ in β = z(T, δ)"),
}


def _pkgai(name: str, index: int, what: str) -> Algorithm:
    def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
        """Which index, and √β."""
        assert setting.budget is not None
        if options["beta"] == "prior":
            return (index, math.sqrt(beta_prior(setting)))
        return (index, math.sqrt(beta_z(setting.K, setting.budget, options["delta"])))

    return Algorithm(
        name=f"PKGAI({name})",
        summary=f"Pulls the active arm {what}, drops hopeless arms; for a fixed budget.",
        reference="Jourdan, Delahaye-Duriez and Réda (2026), Appendix D",
        guarantee="error at most 2KT exp(−β/2) with beta=prior when no arm is good"
        + (", and when one is" if index == FEWEST_PULLS else ""),
        start=start,
        choose=choose,
        observe=observe,
        answer=answer,
        settings=(FIXED_BUDGET,),
        needs=("budget",),
        constants=constants,
        memory=lambda K: (2 * K, 0),
        options=OPTIONS,
    )


ALGORITHMS = (
    _pkgai("APT_P", EVIDENCE, "of largest evidence W"),
    _pkgai("UCB", UPPER_BOUND, "of largest upper bound"),
    _pkgai("Unif", FEWEST_PULLS, "with fewest pulls"),
    _pkgai("LCB-G", EVIDENCE, "of largest √N times lower bound"),
)
