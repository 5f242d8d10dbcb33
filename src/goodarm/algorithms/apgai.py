"""APGAI: pulls the arm with the most evidence of being good; APGAI-FE adds forced exploration.

With the signed evidence W_a = √N_a (μ̂_a − θ)/σ_a, APGAI pulls argmax W_a. That is the arm least
surely bad while no mean is above θ, and the arm most surely good otherwise; in that case it is
also the recommendation. It has no parameter, and needs neither a budget nor a confidence level.

Guarantee: an error bound at every time (thm:upper_bound_PoE_anytimeID); with the GLR stopping
rule δ-correct, and asymptotically optimal when no arm is good.
When to use it: for an answer at any time, above all when perhaps no arm is good. With a stopping
rule it can lock on to an arm at or just above θ and hardly ever stop: use APGAI-FE, which the paper
adds for that, TaS or MS.
Reference: Jourdan, Delahaye-Duriez and Réda, JMLR 27 (2026), Algorithm 1 and the appendix
"Fixing APGAI with forced exploration".
"""

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.forced_exploration import note_least, starved_arm
from goodarm.run import NO_ARM, Run, leader


def choose(run: Run, t: int) -> int:
    """Pull argmax W_a: argmin W⁻ while no mean is above θ, argmax W⁺ otherwise (Algorithm 1)."""
    return leader(run, t)


APGAI = Algorithm(
    name="APGAI",
    summary="Pulls the arm of largest evidence: few pulls when no arm is good; greedy otherwise.",
    reference="Jourdan, Delahaye-Duriez and Réda (2026), Algorithm 1",
    guarantee="error bound at every time; asymptotically optimal when no arm is good",
    caution="it may stay with an option at or just above the bar, and never be sure of it",
    choose=choose,
)


def choose_forced(run: Run, t: int) -> int:
    """As APGAI, but an arm with N_a ≤ √t − K/2 comes first, the least-sampled of those."""
    arm = starved_arm(run, t)
    return arm if arm != NO_ARM else leader(run, t)


def observe_forced(run: Run, t: int, arm: int, value: float) -> None:
    """Forced exploration keeps a lower bound of the smallest count."""
    note_least(run, t)


APGAI_FE = Algorithm(
    name="APGAI-FE",
    summary="APGAI with forced exploration: does not lock on to an arm near the threshold.",
    reference="Jourdan, Delahaye-Duriez and Réda (2026), appendix on forced exploration",
    guarantee="δ-correct with the GLR boundary",
    choose=choose_forced,
    observe=observe_forced,
    memory=lambda K: (0, 1),
)

ALGORITHMS = (APGAI, APGAI_FE)
