"""How the evidence grew, in at most a few hundred points, for drawing."""

import math
from typing import Any

from goodarm.experiment import Experiment
from goodarm.run import evidence

MOST_POINTS = 120
MOST_ARMS = 40  # beyond, only the arms of largest and smallest evidence are kept


class Path:
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
        """The path as plain data."""
        return {"every": self.every, "points": [list(point) for point in self.points]}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave away."""
        self.every = state["every"]
        self.points = [list(point) for point in state["points"]]


def _evidence(experiment: Experiment) -> list[float | None]:
    """W of each arm to five digits, None before an arm's first outcome."""
    values = [evidence(experiment.run, a) for a in range(len(experiment.names))]
    if len(values) > MOST_ARMS:
        known = [value for value in values if value > -math.inf]
        values = [max(known), min(known)]
    return [None if value == -math.inf else float(f"{value:.5g}") for value in values]
