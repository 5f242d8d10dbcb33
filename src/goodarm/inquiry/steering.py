"""What to try next: any algorithm of the package, on the arms that are still in play.

Algorithms know one number per arm besides its count: the evidence W, on the scale of Gaussian
outcomes with σ = 1 and a threshold of 0. Whatever an arm's criteria are, its W is all that they
see. When arms are answered, added or retired, the run is made anew for those that are left.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from goodarm.ahead import Ahead
from goodarm.algorithms import Algorithm, Setting, algorithms
from goodarm.algorithms.contract import ANYTIME, anytime_answer, unequal
from goodarm.errors import InputError
from goodarm.outcomes import Gaussian
from goodarm.run import NO_ARM, PULLED, Run, Sizes, find_untried, new_run, raise_leaf
from goodarm.step import make_step
from goodarm.stopping import Boundary
from goodarm.stopping.verdicts import boundary_verdict

STANDARD = Gaussian(1.0)


def is_suitable(algorithm: Algorithm) -> bool:
    """Whether it chooses by counts and evidence, at any time, and neither ends nor plans ahead.

    Arms leave as they are answered, others come: a plan in phases would not survive that, and a
    stopping rule of its own is about one good arm.
    """
    return (
        ANYTIME in algorithm.settings
        and not algorithm.needs
        and not algorithm.own_stopping
        and algorithm.verdict is boundary_verdict
        and algorithm.answer is anytime_answer
    )


def suitable_algorithms() -> list[str]:
    """The names of those that any question may use."""
    return [name for name, algorithm in algorithms.items() if is_suitable(algorithm)]


def check_algorithm(algorithm: Algorithm) -> Algorithm:
    """An algorithm that is suitable."""
    if not is_suitable(algorithm):
        raise InputError(
            f"algorithm: {algorithm.label} has a question, an end or phases of its own; for this "
            f"question give one of {', '.join(suitable_algorithms())}"
        )
    return algorithm


class Steering:
    """The run that the algorithm looks at, and its choice."""

    def __init__(
        self,
        algorithm: Algorithm,
        seed: int,
        number: int,
        boundary: Boundary,
        costs: Sequence[float],
    ) -> None:
        self._costs = costs  # of every arm there is; it grows with them
        self._algorithm = check_algorithm(algorithm)
        self._seed, self._number, self._boundary = seed, number, boundary
        self._step = make_step(algorithm, STANDARD)
        self._arms: list[int] = []
        self._positions: dict[int, int] = {}
        self._run: Run | None = None
        self._t = 0
        self._ahead: tuple[list[int], Ahead] | None = None  # as if these arms' had come in

    def set_out(
        self, arms: Sequence[int], counts: Sequence[int], evidence: Sequence[float]
    ) -> None:
        """Begin with these arms in play, what is known of each having come at once."""
        self._ahead = None
        self._arms = list(arms)
        self._positions = {arm: position for position, arm in enumerate(self._arms)}
        K = len(self._arms)
        setting = Setting(
            K=K,
            threshold=0.0,
            sigmas=np.ones(K),
            boundary=self._boundary,
            costs=unequal([self._costs[arm] for arm in arms]),
        )
        self._run = new_run(
            0.0,
            [1.0] * K,
            self._seed,
            self._number,
            self._boundary.numbers,
            self._algorithm.numbers(setting),
            Sizes(K, 0, *self._algorithm.memory(K)),
        )
        self._step.start(self._run)
        self._t = 0
        for arm, count, w in zip(arms, counts, evidence, strict=True):
            if count:
                self.note(arm, count, w)

    def state(self) -> dict[str, Any]:
        """What trials have left of the run that the algorithm looks at, as plain data."""
        run = self._run
        assert run is not None
        return {
            "arms": list(self._arms),
            "t": self._t,
            "counts": list(run.counts),
            "gaps": list(run.gaps),
            "floats": [x if math.isfinite(x) else repr(x) for x in run.floats],
            "ints": list(run.ints),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave away."""
        self.set_out(state["arms"], [0] * len(state["arms"]), [0.0] * len(state["arms"]))
        run = self._run
        assert run is not None
        for position, (count, gap) in enumerate(zip(state["counts"], state["gaps"], strict=True)):
            if count:
                self._enter(position, count, gap)
        self._t = state["t"]
        for i, kept in enumerate(state["floats"]):
            run.floats[i] = float(kept)
        for i, number in enumerate(state["ints"]):
            run.ints[i] = number

    def note(self, arm: int, count: int, w: float) -> None:
        """An arm's evidence is this now, after so many trials."""
        position = self._positions.get(arm)
        if position is None:
            return
        run = self._run
        assert run is not None
        before = run.counts[position]
        gap = w / math.sqrt(count)
        self._enter(position, count, gap)
        self._t += count - before
        if count > before:
            self._algorithm.observe(run, self._t, position, gap)

    def _enter(self, position: int, count: int, gap: float) -> None:
        run = self._run
        assert run is not None
        self._ahead = None
        if run.counts[position] == 0:
            run.clock[PULLED] += 1
        root = math.sqrt(count)
        run.counts[position] = count
        run.roots[position] = root
        run.gaps[position] = gap
        run.sums[position] = gap * count
        find_untried(run)
        raise_leaf(run, position, gap * root)

    def choose(self, awaited: Sequence[int]) -> int | None:
        """The arm to try next if outcomes of these are still to come; None if nothing is left."""
        run = self._run
        if run is None or not self._arms:
            return None
        if len(self._arms) == 1:
            return self._arms[0]
        choice = self._look_ahead(run, awaited).next_arm()
        return None if choice is None or choice == NO_ARM else self._arms[choice]

    def _look_ahead(self, run: Run, awaited: Sequence[int]) -> Ahead:
        """The run as if these had come in; the one before, if there are more since."""
        expected, ahead = self._ahead or ([], None)
        if ahead is None or list(awaited[: len(expected)]) != expected:
            expected = []
            ahead = Ahead(
                run, self._t, self._step, lambda a: run.gaps[a] if run.counts[a] else None
            )
        for arm in awaited[len(expected) :]:
            position = self._positions.get(arm)
            if position is not None:
                ahead.expect(position)
        self._ahead = list(awaited), ahead
        return ahead
