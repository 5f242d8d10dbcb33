"""What an item asks the simulator for.

Outcomes are sub-Gaussian with the arms' scales throughout, as the paper takes them.
"""

from dataclasses import dataclass

from goodarm.instance import instances
from goodarm.paper.items.extra_algorithms import find
from goodarm.simulation.job import SUB_GAUSSIAN, Job, choose_mode, make_job


@dataclass(frozen=True)
class Simulation:
    """One algorithm on one instance in one mode; equal ones are simulated once for all items."""

    instance: str
    algorithm: str
    runs: int
    delta: float | None = None
    boundary: str | None = None
    cap: int | None = None
    budget: int | None = None
    horizon: int | None = None
    times: tuple[int, ...] | None = None

    def job(self, seed: int) -> Job:
        """What the simulator works on."""
        mode, limit = choose_mode(self.delta, self.budget, self.horizon, self.cap)
        instance = instances[self.instance]
        return make_job(
            find(self.algorithm),
            instance,
            mode,
            limit,
            seed,
            self.delta,
            self.boundary,
            self.times,
            outcome=SUB_GAUSSIAN,
        )
