"""How the evidence grew, in at most a few hundred points, for drawing.

W with the paper's boundary; with certificates, the share of the way to being named or ruled out.
"""

from collections.abc import Iterable
from typing import Any

from goodarm.experiment import Experiment
from goodarm.run import evidence
from goodarm.stopping.boundaries import parse_boundary

USUAL_DELTA = 0.05  # where the study has no δ of its own
MOST_POINTS = 120
MOST_CURVES = 40  # beyond, only the arms of largest and smallest evidence are kept


class EvidenceTrail:
    """Evidence at about evenly spaced times; the spacing doubles when the points get too many."""

    def __init__(self) -> None:
        self.every = 1
        self.points: list[list[Any]] = []

    def note(self, experiment: Experiment) -> None:
        """Look at the experiment after an outcome, and keep the point if its turn has come."""
        if experiment.t % self.every:
            return
        self.points.append([experiment.t, *_evidence(experiment)])
        if len(self.points) > MOST_POINTS:
            self.every *= 2
            self.points = [point for point in self.points if point[0] % self.every == 0]

    def state(self) -> dict[str, Any]:
        """The trail as plain data."""
        return {"every": self.every, "points": [list(point) for point in self.points]}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave away."""
        self.every = state["every"]
        self.points = [list(point) for point in state["points"]]


def certificate_shares(
    experiment: Experiment, arms: Iterable[int], delta: float
) -> dict[int, float]:
    """Each arm's certificate over the level that it must reach: to be named, or, negative, not."""
    levels = parse_boundary(experiment.boundary_name, len(experiment.names), delta).levels
    shares = {}
    for arm in arms:
        good, bad = experiment.certificates(arm)
        above = evidence(experiment.run, arm) > 0.0
        shares[arm] = max(good, 0.0) / levels.name if above else -max(bad, 0.0) / levels.none
    return shares


def _evidence(experiment: Experiment) -> list[float | None]:
    """A number for each arm to five digits, None before an arm's first outcome."""
    run = experiment.run
    arms = [a for a in range(len(experiment.names)) if run.counts[a]]
    if len(experiment.names) > MOST_CURVES:
        # By evidence, of which the certificates are a rising function but for the counts.
        arms = [
            max(arms, key=lambda a: evidence(run, a)),
            min(arms, key=lambda a: evidence(run, a)),
        ]
    if experiment.uses_certificates:
        values = certificate_shares(experiment, arms, experiment.delta or USUAL_DELTA)
    else:
        values = {a: evidence(run, a) for a in arms}
    curves = arms if len(experiment.names) > MOST_CURVES else range(len(experiment.names))
    return [float(f"{values[a]:.5g}") if a in values else None for a in curves]
