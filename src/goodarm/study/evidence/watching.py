"""Watches over the outcomes of one measurement: do they look like the declared model?"""

from collections.abc import Iterator, Sequence
from typing import Any

from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.watches.contract import Watch, opinion, show


class Watching:
    """The watches of an outcome model, and what they remember of each arm."""

    def __init__(self, outcome: Outcome, threshold: float) -> None:
        self._watched: list[tuple[Watch, dict[int, list[float]]]] = [
            (watch, {}) for watch in outcome.watches(threshold)
        ]

    def see(self, arm: int, told: Reading) -> None:
        """An outcome counts."""
        for watch, states in self._watched:
            state = states.get(arm)
            if state is None:
                state = states[arm] = [0.0] * watch.memory
            show(watch, state, arm, *told)

    def doubts(self, arms: Sequence[str]) -> Iterator[str]:
        """What speaks against the model, in words."""
        for watch, states in self._watched:
            doubt = opinion(watch, states, len(arms), arms)
            if doubt is not None:
                yield doubt

    def state(self) -> dict[str, Any]:
        """What the watches remember, as plain data."""
        return {
            watch.name: sorted([arm, *state] for arm, state in states.items())
            for watch, states in self._watched
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave away."""
        for watch, states in self._watched:
            states.update({int(arm): kept for arm, *kept in state[watch.name]})
