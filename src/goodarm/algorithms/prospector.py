"""Prospector: digs where a certificate is likeliest for each pull that it still takes.

Suppose that an arm with N pulls and evidence W = √N d̂ were d above θ, in standard deviations. Then
its outcomes are e^{dS − d²N/2} times as likely as if it were at θ, with S = W√N; and its evidence
will have reached the level √(2ℓ) after about

    r(d) = ((ℓ − dS) + √((ℓ − dS)² + d²(2ℓN − S²))) / d²

more pulls (at least 1), the solution of (S + dr)² = 2ℓ(N + r); beyond the level, 2ℓN − S² counts as
0. With a few steps d₀ > d₁ > …, each
half of the one before, and the weights w of the Gaussian certificate, the index of an arm is

    max_j  Σ_{i ≤ j} w_i e^{h(d_i S − d_i² N/2)} / r(d_j),    h(x) = x if x > 0, else x/2,

the odds that the arm is at least d_j above θ for each pull that it would take to show it; where
pulls differ in cost, for each unit of cost, the index over the cost of a pull of the arm. Of what
speaks against a d only half is believed (h), so that a good arm is not given up for a bad start.
The index is a function of N and W alone: neither δ nor t nor K is in it, and the level ℓ = 10 is
good for all of them (docs/research/trials.md). An arm is looked at anew after 1/32 more pulls.

That finds a certificate; so that the present answer is seldom wrong either,

* an arm with at most √(t/K) − 3 pulls comes first: a good arm may have been so unlucky that it was
  ruled out, and must be found again;
* on every second pull, the arm of largest W is pulled, while its mean is above θ and it has had
  fewer than t^(3/4) pulls: one that is up by chance would be the answer until somebody looks;
* instead of an arm with W < 0 and W² > 6 ln(t/(KN)), the arm of largest W is pulled: what is surely
  bad, or below θ after its even share of the pulls, need not be looked at before the one that may
  come up.

Guarantee: δ-correct with every boundary, as all are. If some arm is above θ, by more than half of
the certificate's smallest step, P(τ > t) falls at least as e^{−c√(t/K)} for the stopping time τ,
even if others lie at θ; without δ, so does the error, if none lies at θ (docs/research/trials.md).
When to use it: always, unless you know better. It needs the fewest trials to be sure, or at most a
tenth more than the fewest, nearly wherever it was tried. Where one arm is clearly good and many are
barely so, Scout may need fewer; with many equally good arms, APGAI.
Reference: this project, docs/research/trials.md; the index is in the spirit of Gittins, J. R.
Statist. Soc. B 41 (1979), and Weitzman, Econometrica 47 (1979).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from goodarm.algorithms.contract import Algorithm, Setting
from goodarm.algorithms.forced_exploration import LEAST, make_forced
from goodarm.algorithms.max_tree import largest_leaf, leaf, set_leaf, tree_memory
from goodarm.algorithms.scanning import argmax, in_play
from goodarm.outcomes.tilts import LARGEST_STEP, log_weights
from goodarm.run import NO_ARM, Run, evidence, leader

STEPS = 12
COSTS = 2 * STEPS  # the position of the first arm's in `constants`, where pulls differ in cost
LEVEL = 10.0  # ℓ
SHARE = 32  # an arm is looked at anew after N/32 more pulls
MOST_EVIDENCE = 30.0  # beyond it nothing changes; e^(W²/2) must stay a number
# Positions in `ints`: the arm observed last, and the pulls of every arm when it was last looked at.
LAST, LOOKED = LEAST + 1, LEAST + 2


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """The steps, largest first, and their weights; then what a pull of each arm costs, if said."""
    sizes = LARGEST_STEP * 0.5 ** np.arange(STEPS, dtype=np.float64)
    return (*sizes.tolist(), *np.exp(log_weights(sizes)).tolist(), *(setting.costs or ()))


def index(run: Run, arm: int) -> float:
    """The best odds per pull left, over all steps, and per unit of cost."""
    n = run.counts[arm]
    w = min(evidence(run, arm), MOST_EVIDENCE)
    s = w * run.roots[arm]
    missing = max(2.0 * LEVEL * n - s * s, 0.0)
    odds = 0.0
    best = 0.0
    for j in range(STEPS):
        d = run.constants[j]
        if s <= 0.0 and d * d < 2.0 * LEVEL * best:
            break  # odds are at most 1 and `left` is at least 2ℓ: smaller steps are no better
        likelier = d * (s - 0.5 * d * n)
        odds += run.constants[STEPS + j] * math.exp(likelier if likelier > 0.0 else 0.5 * likelier)
        half = LEVEL - d * s
        left = max(half + math.sqrt(half * half + d * d * missing), d * d)
        best = max(best, odds * d * d / left)
    if len(run.constants) > COSTS:
        return best / run.constants[COSTS + arm]
    return best


def is_forgotten(run: Run, t: int, pulls: int) -> bool:
    """N_a ≤ √(t/K) − 3: such an arm is looked at, whatever its index."""
    return len(run.counts) * (pulls + 3) ** 2 <= t


starved_arm, note_least = make_forced(is_forgotten)


def next_look(pulls: int) -> int:
    """With how many pulls an arm is looked at after a look with so many: 1/32 more, at least 1."""
    return pulls + 1 + (pulls + 1) // SHARE


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Look at the arm anew when that is due."""
    run.ints[LAST] = arm
    n = run.counts[arm]
    if n >= next_look(run.ints[LOOKED + arm]):
        run.ints[LOOKED + arm] = n
        set_leaf(run, arm, index(run, arm))
    note_least(run, t)


def is_begun(run: Run, arm: int) -> bool:
    """Whether the arm was pulled since the last look at it, and the next one is not due."""
    looked = run.ints[LOOKED + arm]
    return looked < run.counts[arm] < next_look(looked)


def last_index(run: Run, arm: int, scale: float) -> float:
    """The index when the arm was last looked at; −∞ for one that is ruled out."""
    return leaf(run, arm) if in_play(run, arm) else -math.inf


richest_in_play = argmax(last_index)


def choose(run: Run, t: int) -> int:
    """An arm that was forgotten, a leader to be checked, or the arm of largest index."""
    arm = starved_arm(run, t)
    if arm != NO_ARM:
        return arm
    first = leader(run, t)
    if t % 2 == 0 and evidence(run, first) > 0.0 and may_be_chance(run, t, first):
        return first
    arm = run.ints[LAST]
    if not is_begun(run, arm):
        arm = largest_leaf(run, t)
    if not in_play(run, arm):
        arm = richest_in_play(run, t, 0)
    if arm == NO_ARM or (is_surely_bad(run, t, arm) and in_play(run, first)):
        return first
    return arm


def may_be_chance(run: Run, t: int, arm: int) -> bool:
    """N_a < t^(3/4)."""
    n = float(run.counts[arm])
    return n * n * n * n < float(t) * t * t


def is_surely_bad(run: Run, t: int, arm: int) -> bool:
    """W_a < 0 and W_a² > 6 ln(t/(K N_a)); so is an arm below θ with N_a > t/K."""
    w = evidence(run, arm)
    return w < 0.0 and w * w > 6.0 * math.log(t / (len(run.counts) * run.counts[arm]))


PROSPECTOR = Algorithm(
    name="Prospector",
    summary="Pulls the arm with the best odds of a certificate for each pull that it still takes.",
    reference="this project, docs/research/trials.md",
    guarantee="δ-correct; with a good arm, a finite mean stopping time even if others are at θ",
    choose=choose,
    observe=observe,
    memory=lambda K: (tree_memory(K), LOOKED + K),
    constants=constants,
)

ALGORITHMS = (PROSPECTOR,)
