"""What is asked, checked before anything runs: a question, criteria, guesses, costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm import defaults
from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import costs_of, whole
from goodarm.inputs import names as checked_names
from goodarm.inquiry import Criterion, Question
from goodarm.inquiry.question import ALL, IN_ORDER
from goodarm.inquiry.steering import check_algorithm
from goodarm.inquiry.supposed import Supposed, SupposedArm
from goodarm.planning.question import (
    COMPARED,
    FEWEST_RUNS,
    LIMIT,
    MOST_ARMS_PLANNED,
    MOST_TRIALS,
    Guess,
    near_the_bar,
    read_guess,
    read_scatter,
)
from goodarm.planning.simulations import MOST_RUNS_PLANNED
from goodarm.rng import MAX_SEED
from goodarm.study.declared import check_delta

Guesses = Mapping[str, Sequence[Guess]] | Sequence[Guess]
Scatters = Mapping[str, float] | float | None


@dataclass(frozen=True)
class InquiryQuestion:
    """A checked question, and what the arms are supposed to be like."""

    supposed: Supposed
    algorithms: tuple[Algorithm, ...]
    budget: int | None
    runs: int | None
    seed: int

    @property
    def delta(self) -> float:
        """How often an answer may be wrong."""
        return self.supposed.delta

    @property
    def costs(self) -> tuple[float, ...] | None:
        """Of a trial of each arm."""
        return self.supposed.costs

    @property
    def limit(self) -> int:
        """The number of trials after which a run is given up."""
        return LIMIT if self.budget is None else self.budget

    def cut_off(self, stopped: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The runs that were given up though the study would go on; with a budget it would not."""
        return ~stopped if self.budget is None else np.zeros_like(stopped)

    @property
    def has_control(self) -> bool:
        """Whether some arm is compared with another."""
        return self.supposed.control is not None


@dataclass(frozen=True, kw_only=True)
class InquiryRequest:
    """What someone wants to know, as it was handed in; `plan_inquiry` says what each field is."""

    means: Guesses | None
    criteria: Criterion | str | Sequence[Criterion | str]
    question: Question | str = "any"
    delta: float | None = None
    control: str | None = None
    reserve: float = 0.0
    costs: Mapping[str, float] | None = None
    unknown: int | None = None
    names: Sequence[str] | None = None
    algorithms: Sequence[str] | None = None
    scatter: Scatters = None
    budget: int | None = None
    runs: int | None = None
    seed: int = 0

    def checked(self) -> InquiryQuestion:
        """The question, if everything can be used; the first thing that cannot is an InputError."""
        question = Question.parse(self.question)
        criteria = self._criteria()
        if self.delta is None:
            raise InputError("delta: say how often the answer may be wrong, such as 0.05")
        guesses = self._guesses(criteria)
        arms = self._names(len(next(iter(guesses.values()))))
        if self.control is not None and self.control not in arms:
            raise unknown_name("control", self.control, arms)
        supposed = Supposed(
            arms,
            criteria,
            question,
            check_delta(self.delta),
            tuple(self._like(criterion, guesses[criterion.name]) for criterion in criteria),
            self.control,
            self.reserve,
            self._costs(arms),
        )
        algorithms = tuple(
            check_algorithm(find_algorithm(spec)) for spec in self._compared(question)
        )
        supposed.inquiry(0, 0, algorithms[0])  # raises what cannot be asked
        return InquiryQuestion(
            supposed=supposed,
            algorithms=algorithms,
            budget=None
            if self.budget is None
            else whole("budget", self.budget, max(len(arms), 2), MOST_TRIALS),
            runs=None
            if self.runs is None
            else whole("runs", self.runs, FEWEST_RUNS, MOST_RUNS_PLANNED),
            seed=whole("seed", self.seed, 0, MAX_SEED),
        )

    def _criteria(self) -> tuple[Criterion, ...]:
        given = self.criteria
        several = [given] if isinstance(given, Criterion | str) else list(given)
        return tuple(Criterion.parse(one) if isinstance(one, str) else one for one in several)

    def _guesses(self, criteria: Sequence[Criterion]) -> dict[str, Sequence[Guess]]:
        """The guesses for each criterion, as many as there are arms."""
        known = [criterion.name for criterion in criteria]
        if (self.means is None) == (self.unknown is None):
            raise InputError("give means (a guess for each arm) or unknown (the number of arms)")
        if self.means is None:
            return self._near_the_bars(criteria)
        means = self.means
        if not isinstance(means, Mapping):
            if len(criteria) > 1:
                raise InputError(
                    "means: there are several criteria; give guesses for each by its name: "
                    + ", ".join(known)
                )
            means = {known[0]: means}
        for name in means:
            if name not in known:
                raise unknown_name("means: criterion", name, known)
        for name in known:
            if name not in means:
                raise InputError(f"means: no guesses for {name}; give one for each arm")
        counts = {len(guesses) for guesses in means.values()}
        if len(counts) > 1 or isinstance(next(iter(means.values())), str):
            raise InputError("means: give each criterion as many guesses as there are arms")
        if not 1 <= counts.pop() <= MOST_ARMS_PLANNED:
            raise InputError(f"means: give 1 to {MOST_ARMS_PLANNED:,} guesses, one per arm")
        return dict(means)

    def _near_the_bars(self, criteria: Sequence[Criterion]) -> dict[str, Sequence[Guess]]:
        """The family for arms of which nothing is known."""
        count = whole("unknown", self.unknown, 1, MOST_ARMS_PLANNED)
        found: dict[str, Sequence[Guess]] = {}
        for criterion in criteria:
            if not isinstance(criterion.threshold, float):
                raise InputError(
                    f"unknown: {criterion.name} has no bar that is the same for all; give means"
                )
            scatter = read_scatter(criterion.outcome, self._scatter(criterion))
            found[criterion.name] = near_the_bar(
                count, criterion.threshold, criterion.outcome, scatter
            )
        return found

    def _scatter(self, criterion: Criterion) -> float | None:
        """By the criterion's name; one number is for all that say nothing of it themselves."""
        if isinstance(self.scatter, Mapping):
            return self.scatter.get(criterion.name)
        given = self.criteria
        several = not isinstance(given, Criterion | str) and len(given) > 1
        return None if several and criterion.outcome.knows_scatter else self.scatter

    def _names(self, K: int) -> tuple[str, ...]:
        given = [f"arm {a + 1}" for a in range(K)] if self.names is None else list(self.names)
        if len(given) != K:
            raise InputError(f"names: {len(given)} values for {K} means; give one each")
        return tuple(checked_names(given))

    def _like(self, criterion: Criterion, guesses: Sequence[Guess]) -> tuple[SupposedArm, ...]:
        model = criterion.outcome
        scatter = read_scatter(model, self._scatter(criterion))
        ranges = [read_guess(guess, model) for guess in guesses]
        return tuple(SupposedArm(model, low, high, scatter) for low, high in ranges)

    def _compared(self, question: Question) -> Sequence[str]:
        """Where each arm needs its own trials, there is nothing to compare."""
        if self.algorithms is None:
            return (defaults.ALGORITHM,) if question.kind in (ALL, IN_ORDER) else COMPARED
        if isinstance(self.algorithms, str) or not self.algorithms:
            raise InputError("algorithms: give a list of names, such as ['Prospector', 'APT-G']")
        return self.algorithms

    def _costs(self, arms: Sequence[str]) -> tuple[float, ...] | None:
        return tuple(costs_of(arms, self.costs)) if self.costs else None
