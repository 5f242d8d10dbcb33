"""A live experiment in memory: ask what to try next, tell what came out, see how sure you are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodarm import certainty, defaults
from goodarm.ahead import Ahead
from goodarm.algorithms import Algorithm, Setting, find_algorithm
from goodarm.algorithms.contract import unequal
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import check_cost, observed
from goodarm.instance import Instance
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Gaussian, Outcome, find_outcome
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.record import refresh
from goodarm.run import (
    ACTIVE,
    CONTINUE,
    KIND,
    NONE,
    OFFSET,
    REACHED,
    SIDE,
    SLOPE,
    THRESHOLD,
    Run,
    Sizes,
    copy_run,
    evidence,
    new_run,
)
from goodarm.step import Step, make_enter, make_step
from goodarm.stopping import Boundary, parse_boundary
from goodarm.stopping.contract import NEVER


@dataclass(frozen=True)
class ArmEvidence:
    """What is known of one arm; all but the mean are 0 before the first outcome.

    `evidence` is W, the signed root of twice the likelihood ratio, which steers. `for_good` and
    `for_bad` are the certificates, logarithms of e-processes, which decide.
    """

    arm: int
    name: str
    count: int
    mean: float | None
    evidence: float
    for_good: float
    for_bad: float


class Experiment:
    """Ask and tell, with any algorithm; the very functions that the simulator compiles.

    >>> experiment = Experiment(["A", "B"], threshold=0.5, outcome="bernoulli", seed=1)
    >>> arm = experiment.ask()
    >>> experiment.tell(arm, 1.0)
    >>> experiment.recommendation
    0

    `outcome` says what outcomes are: Bernoulli(), Bounded(lo, hi), Gaussian(sigma), or their text
    form. `sigma` alone is short for Gaussian outcomes. Suggestions may be outstanding in any
    number, and an outcome that was never asked for counts as well: the stopping rule holds for any
    sampling. Every outcome counts when it is told; see docs/guarantee.md for what that needs.
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
        outcome: Outcome | str | None = None,
        goal: str = ABOVE,
        costs: Sequence[float] | None = None,
    ) -> None:
        names = [f"arm {a + 1}" for a in range(arms)] if isinstance(arms, int) else list(arms)
        frame = Instance(threshold, [0.0] * len(names), names=names, goal=goal)
        self.names = frame.names
        self.algorithm = find_algorithm(algorithm)
        self.delta = delta
        self.outcome = Gaussian(sigma) if outcome is None else find_outcome(outcome)  # type: ignore[arg-type]
        self.outcome.check_arms(frame.K)
        self.boundary_name = (
            self.algorithm.chosen.get("boundary") or boundary or self.algorithm.boundary
        )
        self.boundary = NEVER if delta is None else self.boundary_at(delta)
        by_certificates = self.boundary_at(0.5).by_certificates
        self._uses_certificates = by_certificates and not self.algorithm.own_stopping
        self._model = self.outcome if self.uses_certificates else self.outcome.sub_gaussian(frame.K)
        self._functions = self._model.functions
        self._step = make_step(self.algorithm, self._model)
        self._enter = make_enter(self.algorithm, self._model)
        self._pending: list[int] = []
        self._conclusion = CONTINUE
        self._told = 0
        self._touched: dict[int, None] = {}  # arms with outcomes that were not judged yet
        self._ahead: tuple[list[int], Ahead] | None = None  # as if these arms' had come in
        self._certificates: dict[int, tuple[int, float, float]] = {}  # by arm, with its count
        self._check_needs(budget)
        self._costs = None if costs is None else [check_cost(cost) for cost in costs]
        theta = self.outcome.check_threshold(frame.threshold)
        self._run = self._new_run(theta, frame.side, seed, run, budget)
        self._step.start(self._run)

    def _check_needs(self, budget: int | None) -> None:
        for need, value in (("delta", self.delta), ("budget", budget)):
            if need in self.algorithm.needs and value is None:
                raise InputError(f"{self.algorithm.label} needs {need}; give {need}=")
        if budget is not None:
            self.algorithm.check_budget(budget, len(self.names))

    def _new_run(
        self, threshold: float, side: float, seed: int, number: int, budget: int | None
    ) -> Run:
        K, model = len(self.names), self._model
        scales = model.scales(K)
        setting = Setting(
            K=K,
            threshold=threshold,
            sigmas=np.array(scales),
            budget=budget,
            delta=self.delta,
            boundary=self.boundary,
            costs=unequal(self._costs),
        )
        return new_run(
            threshold,
            scales,
            seed,
            number,
            self.boundary.numbers,
            self.algorithm.numbers(setting),
            Sizes(K, model.memory, *self.algorithm.memory(K)),
            model.numbers(threshold, side, self.boundary.levels),
            side,
        )

    def boundary_at(self, delta: float) -> Boundary:
        """The boundary that this experiment would stop by at δ."""
        return parse_boundary(self.boundary_name, len(self.names), delta)

    @property
    def uses_certificates(self) -> bool:
        """Whether the outcome model's certificates decide.

        The paper's boundaries, and algorithms with a stopping rule of their own, know the outcomes'
        scale only.
        """
        return self._uses_certificates

    def ask(self) -> int | None:
        """The arm to try next, or None if the algorithm has nothing left to try.

        Each suggestion still outstanding counts as a pull that leaves its arm's mean as it is, so
        that those asked in a row need not all be of one arm.
        """
        arm = self.next_arm(self._pending)
        if arm is not None:
            self._pending.append(arm)
        return arm

    def tell(self, arm: int | str, value: float, size: float | None = None) -> None:
        """Record an outcome of an arm, asked for or not; with a size if its model has sizes."""
        index = self._index(arm)
        told = (
            Reading(observed(value, self.outcome.yes_or_no))
            if size is None
            else self.outcome.check_sized(value, size, self._run.levels[THRESHOLD])
        )
        if index in self._pending:
            self._pending.remove(index)
        self.enter(index, told)

    def cancel(self, arm: int | str) -> None:
        """Withdraw one outstanding suggestion of an arm."""
        index = self._index(arm)
        if index not in self._pending:
            raise InputError(f"arm {self.names[index]!r} has no outstanding suggestion to cancel")
        self._pending.remove(index)

    def next_arm(self, pending: Sequence[int]) -> int | None:
        """The arm that the algorithm would try next if these arms' outcomes were still to come.

        Changes nothing that can be seen: asking twice gives the same answer.
        """
        arms = list(pending)
        expected, ahead = self._ahead or ([], self.ahead())
        if arms[: len(expected)] != expected:
            expected, ahead = [], self.ahead()
        for arm in arms[len(expected) :]:
            ahead.expect(arm)
        self._ahead = arms, ahead
        return ahead.next_arm()

    def ahead(self) -> Ahead:
        """The experiment as it is now, to look ahead from: which outcomes are still to come?"""
        return Ahead(self._run, self._told, self._step, self.mean)

    def enter(self, arm: int, told: Reading, more: bool = False) -> None:
        """Record an outcome that has been checked already; outstanding suggestions stay.

        `more` says that others follow which count at the same moment: judged with the last one.
        """
        self._ahead = None
        many = self.outcome.units(told.size)
        self._told += many
        self._enter(self._run, self._told, arm, told.value, told.size, many)
        self._touched[arm] = None
        if not more:
            self.judge()

    def enter_into(self, run: Run, t: int, arm: int, told: Reading, many: int) -> None:
        """Enter so many outcomes at once into a copy of the run that is played on."""
        self._enter(run, t, arm, told.value, told.size, many)

    def judge(self) -> None:
        """Let the stopping rule look at the arms with new outcomes."""
        touched, self._touched = self._touched, {}
        if self.delta is None or (self.finished and not self.uses_certificates):
            return
        verdicts = [self._step.judge(self._run, self._told, arm) for arm in touched]
        if self.finished:
            return
        answers = [verdict for verdict in verdicts if verdict >= 0]
        if answers:
            # Entered together, several may be named: the one with the strongest certificate is.
            self._conclusion = max(answers, key=lambda arm: self.certificates(arm)[0])
        elif NONE in verdicts and (not self.uses_certificates or self._run.clock[ACTIVE] == 0):
            # An arm that was ruled out may have come back with a later one of these outcomes.
            self._conclusion = NONE

    def amount(self, arm: int) -> float:
        """What the arm's sum is divided by for its mean: its outcomes, exposure or events."""
        if not self._uses_certificates:
            return float(self._run.counts[arm])
        memory = self._model.memory
        kept = [self._run.kept[arm * memory + i] for i in range(memory)] if memory else ()
        return self._model.amount(self._run.counts[arm], kept)

    def mean(self, arm: int) -> float | None:
        """The mean of the arm's outcomes; None where there is none yet."""
        amount = self.amount(arm)
        return self._run.sums[arm] / amount + 0.0 if amount else None

    def certificates(self, arm: int) -> tuple[float, float]:
        """The logarithms of the two e-processes: for "the arm is good", and for "it is not"."""
        count = self._run.counts[arm]
        if count == 0 or not self.uses_certificates:
            return 0.0, 0.0
        cached = self._certificates.get(arm)
        if cached is None or cached[0] != count:
            good = self._functions.for_good(self._run, arm)
            bad = self._functions.for_bad(self._run, arm)
            cached = self._certificates[arm] = (count, good, bad)
        return cached[1:]

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
            "kept": list(run.kept),
            "floats": list(run.floats),
            "ints": list(run.ints),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a state that an experiment with the same settings has given away."""
        run = self._run
        self._ahead = None
        self._certificates.clear()
        self._told, self._conclusion = state["told"], state["conclusion"]
        for name in ("counts", "sums", "active", "kept", "floats", "ints"):
            part: list[Any] = getattr(run, name)
            part[:] = state[name]
        refresh(self._functions, run)
        run.clock[ACTIVE] = sum(run.active)

    @property
    def model(self) -> Outcome:
        """What the outcomes are taken for; the paper's boundaries know their scales only."""
        return self._model

    @property
    def run(self) -> Run:
        """The statistics that the algorithm looks at; to be read, not changed."""
        return self._run

    @property
    def step(self) -> Step:
        """The functions that make one step of this experiment."""
        return self._step

    def run_at(self, delta: float, number: int) -> Run:
        """A copy of the run that stops at δ and makes its random decisions in its own way."""
        run, boundary = copy_run(self._run), self.boundary_at(delta)
        run.levels[KIND], run.levels[OFFSET], run.levels[SLOPE] = boundary.numbers
        run.levels[REACHED] = 0.0
        run.key[2] = number
        theta, side = run.levels[THRESHOLD], run.levels[SIDE]
        run = run._replace(model=list(self._model.numbers(theta, side, boundary.levels)))
        for arm in range(len(self.names)):  # which arms are ruled out depends on δ
            if run.counts[arm]:
                self._step.judge(run, self._told, arm)
        return run

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
                mean=self.mean(a),
                evidence=evidence(run, a) if run.counts[a] else 0.0,
                for_good=self.certificates(a)[0],
                for_bad=self.certificates(a)[1],
            )
            for a, name in enumerate(self.names)
        )

    @property
    def confidence(self) -> float:
        """How sure one may be of the answer now: 1 − the smallest δ that would stop here.

        Valid at all times together: looking often, stopping early or going on does not break it.
        """
        return 1.0 - certainty.smallest_delta(self)

    def can_stop(self, delta: float) -> bool:
        """Whether the stopping rule would stop now with an error of at most delta."""
        return certainty.can_stop(self, self.boundary_at(delta))

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

    def _index(self, arm: int | str) -> int:
        if isinstance(arm, str):
            if arm not in self.names:
                raise unknown_name("arm", arm, self.names)
            return self.names.index(arm)
        if isinstance(arm, bool) or not isinstance(arm, int | np.integer):
            raise InputError(f"arm: {arm!r} is neither an arm's name nor its number")
        if not 0 <= arm < len(self.names):
            raise InputError(f"arm: {arm} is outside 0 to {len(self.names) - 1}")
        return int(arm)
