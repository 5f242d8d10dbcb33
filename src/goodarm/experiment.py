"""A live experiment in memory: ask what to try next, tell what came out, see how sure you are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from goodarm import defaults
from goodarm.algorithms import Algorithm, Setting, find_algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.instance import Instance
from goodarm.run import (
    ACTIVE,
    CONTINUE,
    NO_ARM,
    PULLED,
    THRESHOLD,
    Run,
    copy_run,
    evidence,
    largest_evidence,
    new_run,
    record,
)
from goodarm.stopping.boundaries import NEVER, parse_boundary, smallest_delta


@dataclass(frozen=True)
class ArmEvidence:
    """What is known of one arm; `evidence` is W = √N (mean − θ)/σ, 0 before the first outcome."""

    arm: int
    name: str
    count: int
    mean: float | None
    evidence: float


class Experiment:
    """Ask and tell, with any algorithm; the very functions that the simulator compiles.

    >>> experiment = Experiment(["A", "B"], threshold=0.5, sigma=0.5, seed=1)
    >>> arm = experiment.ask()
    >>> experiment.tell(arm, 1.0)
    >>> experiment.recommendation
    0

    `sigma` is the sub-Gaussian scale of the outcomes (one for all arms, or one each): 1/2 for
    outcomes that are 0 or 1, half the range for bounded ones, the standard deviation for Gaussian
    ones. Suggestions may be outstanding in any number, outcomes may come in any order, and an
    outcome that was never asked for counts as well: the stopping rule holds for any sampling.
    """

    def __init__(
        self,
        arms: Sequence[str] | int,
        threshold: float,
        sigma: float | Sequence[float] = 1.0,
        algorithm: str | Algorithm = defaults.ALGORITHM,
        seed: int = 0,
        run: int = 0,
        delta: float | None = None,
        boundary: str | None = None,
        budget: int | None = None,
    ) -> None:
        names = [f"arm {a + 1}" for a in range(arms)] if isinstance(arms, int) else list(arms)
        checked = Instance(threshold, [0.0] * len(names), sigma=sigma, names=names)
        self.algorithm = find_algorithm(algorithm)
        self.names = checked.names
        self.delta = delta
        self._pending: list[int] = []
        self._conclusion = CONTINUE
        self._told = 0
        self._ahead: tuple[list[int], Run] | None = None  # the run as if these had come in
        for need, value in (("delta", delta), ("budget", budget)):
            if need in self.algorithm.needs and value is None:
                raise InputError(f"{self.algorithm.label} needs {need}; give {need}=")
        if budget is not None:
            self.algorithm.check_budget(budget, checked.K)
        named = self.algorithm.chosen.get("boundary") or boundary or self.algorithm.boundary
        level = NEVER if delta is None else parse_boundary(named, checked.K, delta)
        setting = Setting(
            K=checked.K,
            threshold=checked.threshold,
            sigmas=np.asarray(checked.sigmas),
            budget=budget,
            delta=delta,
            boundary=level,
        )
        floats, ints = self.algorithm.memory(checked.K)
        self.boundary = level
        self._run = new_run(
            checked.threshold,
            checked.sigmas.tolist(),
            seed,
            run,
            level.numbers,
            self.algorithm.numbers(setting),
            floats,
            ints,
        )
        self.algorithm.start(self._run)

    def ask(self) -> int | None:
        """The arm to try next, or None if the rule has nothing left to try.

        Each suggestion still outstanding counts as a pull that leaves its arm's mean as it is, so
        that several asked in a row spread over the arms.
        """
        arm = self.next_arm(self._pending)
        if arm is not None:
            self._pending.append(arm)
        return arm

    def tell(self, arm: int | str, value: float) -> None:
        """Record an outcome of an arm, asked for or not."""
        number = self._arm(arm)
        if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
            raise InputError(f"value: {value!r} is not a number; tell 1.0 or 0.0 for yes or no")
        outcome = float(value)
        if not math.isfinite(outcome):
            raise InputError(f"value: {value!r} is not finite; tell the outcome that was observed")
        if number in self._pending:
            self._pending.remove(number)
        self.enter(number, outcome)

    def cancel(self, arm: int | str) -> None:
        """Withdraw one outstanding suggestion of an arm."""
        number = self._arm(arm)
        if number not in self._pending:
            raise InputError(f"arm {self.names[number]!r} has no outstanding suggestion to cancel")
        self._pending.remove(number)

    def next_arm(self, pending: Sequence[int]) -> int | None:
        """The arm that the rule would try next if these arms' outcomes were still to come.

        Changes nothing that can be seen: asking twice gives the same answer.
        """
        run = self._run_ahead(pending) if pending else self._run
        if self.algorithm.sweep and run.clock[PULLED] < len(self.names):
            return int(run.counts.index(0))
        arm = self.algorithm.choose(run, self._told + len(pending))
        return None if arm == NO_ARM else arm

    def enter(self, arm: int, value: float) -> None:
        """Record an outcome that has been checked already; outstanding suggestions stay."""
        self._ahead = None
        self._told += 1
        record(self._run, arm, value)
        self.algorithm.observe(self._run, self._told, arm, value)
        if self.delta is not None and self._conclusion == CONTINUE:
            self._conclusion = self.algorithm.verdict(self._run, self._told, arm)

    def state(self) -> dict[str, Any]:
        """What the outcomes so far have made of the experiment, as plain numbers.

        Everything that the settings or these numbers determine is left out.
        """
        run = self._run
        return {
            "told": self._told,
            "conclusion": self._conclusion,
            "counts": list(run.counts),
            "sums": list(run.sums),
            "active": list(run.active),
            "floats": list(run.floats),
            "ints": list(run.ints),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a state that an experiment with the same settings has given away."""
        run, K = self._run, len(self.names)
        self._ahead = None
        self._told, self._conclusion = state["told"], state["conclusion"]
        for part in ("active", "floats", "ints"):
            kept: list[Any] = getattr(run, part)
            kept[:] = state[part]
        for a in range(K):
            count = state["counts"][a]
            if count:
                # The last outcome of an arm fixes its gap, evidence and place in the tree.
                run.counts[a], run.sums[a] = count - 1, 0.0
                record(run, a, state["sums"][a])
        run.clock[PULLED] = K - state["counts"].count(0)
        run.clock[ACTIVE] = sum(run.active)

    @property
    def run(self) -> Run:
        """The statistics that the rule looks at; to be read, not changed."""
        return self._run

    @property
    def t(self) -> int:
        """The number of outcomes told so far."""
        return self._told

    @property
    def pending(self) -> tuple[int, ...]:
        """The arms of the outstanding suggestions, oldest first."""
        return tuple(self._pending)

    @property
    def recommendation(self) -> int | None:
        """The arm to bet on now, or None when none looks good: the anytime answer."""
        answer = self.algorithm.answer(self._run, self._told) if self._told else CONTINUE
        return answer if answer >= 0 else None

    @property
    def evidence(self) -> tuple[ArmEvidence, ...]:
        """What is known of each arm."""
        run = self._run
        return tuple(
            ArmEvidence(
                arm=a,
                name=name,
                count=run.counts[a],
                mean=run.sums[a] / run.counts[a] if run.counts[a] else None,
                evidence=evidence(run, a) if run.counts[a] else 0.0,
            )
            for a, name in enumerate(self.names)
        )

    @property
    def confidence(self) -> float:
        """How sure one may be of the GLR answer now: 1 − the smallest δ that would stop here.

        Valid at all times together: looking often, stopping early or going on does not break it.
        """
        strongest = self._supporting_evidence()
        return 1.0 - smallest_delta(strongest, len(self.names), self._told)

    def can_stop(self, delta: float) -> bool:
        """Whether the paper's stopping rule would stop now with an error of at most delta."""
        level = parse_boundary("glr", len(self.names), delta)
        enough = self._told >= len(self.names)
        return enough and self._supporting_evidence() >= level.level(self._told)

    @property
    def finished(self) -> bool:
        """Whether the stopping rule has spoken at the delta given at creation."""
        return self._conclusion != CONTINUE

    @property
    def conclusion(self) -> int | None:
        """The final answer once `finished`: an arm, or None for "none is good"."""
        if not self.finished:
            raise InputError("the stopping rule has not spoken yet; see recommendation")
        return self._conclusion if self._conclusion >= 0 else None

    def _supporting_evidence(self) -> float:
        """max W_a for an arm, min(−W_a) for none: what the GLR rule compares to its boundary."""
        most = largest_evidence(self._run)
        if most > 0.0:
            return most
        return -most if self._run.clock[PULLED] == len(self.names) else 0.0

    def _run_ahead(self, pending: Sequence[int]) -> Run:
        """The run as if each pending outcome had come in and had left its arm's mean as it is."""
        arms = list(pending)
        if self._ahead is None or arms[: len(self._ahead[0])] != self._ahead[0]:
            self._ahead = ([], copy_run(self._run))
        known, run = self._ahead
        for arm in arms[len(known) :]:
            mean = run.sums[arm] / run.counts[arm] if run.counts[arm] else run.levels[THRESHOLD]
            record(run, arm, mean)
            known.append(arm)
            self.algorithm.observe(run, self._told + len(known), arm, mean)
        return run

    def _arm(self, arm: int | str) -> int:
        if isinstance(arm, str):
            if arm not in self.names:
                raise unknown_name("arm", arm, self.names)
            return self.names.index(arm)
        if isinstance(arm, bool) or not isinstance(arm, int | np.integer):
            raise InputError(f"arm: {arm!r} is neither an arm's name nor its number")
        if not 0 <= arm < len(self.names):
            raise InputError(f"arm: {arm} is outside 0 to {len(self.names) - 1}")
        return int(arm)
