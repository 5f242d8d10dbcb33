"""Unif: round robin, the baseline."""

from goodarm.algorithms.contract import Algorithm
from goodarm.run import Run


def choose(run: Run, t: int) -> int:
    """Pull the arms in turn."""
    return t % len(run.counts)


UNIF = Algorithm(
    name="Unif",
    summary="Pulls the arms in turn; the baseline that an adaptive rule must beat.",
    reference="Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2, Theorem 3",
    guarantee="anytime error bound (Theorem 3), exponential on every instance",
    choose=choose,
)

ALGORITHMS = (UNIF,)
