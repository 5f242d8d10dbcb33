"""How the evidence grew, in at most a few hundred points, for drawing.

W with the paper's boundary; with certificates, the share of the way to being named or ruled out.
"""

from collections.abc import Callable, Iterable, Sequence
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

    def note(self, t: int, values: Callable[[], Sequence[float | None]]) -> None:
        """Look at the evidence after t outcomes, and keep the point if its turn has come."""
        if t % self.every:
            return
        self.points.append([t, *values()])
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
