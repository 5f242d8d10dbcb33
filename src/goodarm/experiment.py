"""A live experiment in memory: ask what to try next, tell what came out, see how sure you are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from goodarm.algorithms import Algorithm, Setting, find_algorithm
from goodarm.algorithms.contract import anytime_answer
from goodarm.errors import InputError, unknown_name
from goodarm.instance import Instance
from goodarm.run import CONTINUE, NO_ARM, THRESHOLD, Run, copy_run, evidence, new_run, record
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
        algorithm: str | Algorithm = "APGAI-FE",
        seed: int = 0,
        run: int = 0,
        delta: float | None = None,
        boundary: str | None = None,
        budget: int | None = None,
    ) -> None:
        names = [f"arm {a + 1}" for a in range(arms)] if isinstance(arms, int) else list(arms)
        checked = Instance.create(threshold, [0.0] * len(names), sigma=sigma, names=names)
        self.algorithm = find_algorithm(algorithm)
        self.names = checked.names
        self.delta = delta
        self._pending: list[int] = []
        self._conclusion = CONTINUE
        self._told = 0
        for need, value in (("delta", delta), ("budget", budget)):
            if need in self.algorithm.needs and value is None:
                raise InputError(f"{self.algorithm.label} needs {need}; give {need}=")
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
        arm = self._next()
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
        self._told += 1
        record(self._run, number, outcome)
        self.algorithm.observe(self._run, self._told, number, outcome)
        if self.delta is not None and self._conclusion == CONTINUE:
            self._conclusion = self.algorithm.verdict(self._run, self._told, number)

    def cancel(self, arm: int | str) -> None:
        """Withdraw one outstanding suggestion of an arm."""
        number = self._arm(arm)
        if number not in self._pending:
            raise InputError(f"arm {self.names[number]!r} has no outstanding suggestion to cancel")
        self._pending.remove(number)

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
        known = [e.evidence for e in self.evidence]
        if anytime_answer(self._run, self._told) >= 0:
            return max(known)
        return min(-w for w in known) if all(self._run.counts) else 0.0

    def _next(self) -> int | None:
        run, t = self._run, self._told + len(self._pending)
        if self._pending:
            run = self._with_pending()
        if self.algorithm.sweep:
            for a, count in enumerate(run.counts):
                if count == 0:
                    return a
        arm = self.algorithm.choose(run, t)
        return None if arm == NO_ARM else arm

    def _with_pending(self) -> Run:
        run = copy_run(self._run)
        for extra, arm in enumerate(self._pending, 1):
            known = run.sums[arm] / run.counts[arm] if run.counts[arm] else run.levels[THRESHOLD]
            record(run, arm, known)
            self.algorithm.observe(run, self._told + extra, arm, known)
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
