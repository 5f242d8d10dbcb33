"""What is asked, checked before anything runs.

A guess about an arm is a mean, or a range from which a mean is drawn for each simulated run. Who
has no guess gets a family: every mean is drawn uniformly within σ/2 of the bar, as far as outcomes
go. That is the scale of the paper's own instances (means within ±0.5 of the bar at σ = 1).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goodarm import defaults
from goodarm.algorithms import find_algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import number, whole
from goodarm.instance import Instance, suggest_outcome
from goodarm.instance.data import read_single_outcomes
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.outcomes import Bernoulli, Outcome, find_outcome
from goodarm.outcomes.suggesting import Suggestions
from goodarm.planning.simulations import MOST_RUNS_PLANNED
from goodarm.rng import MAX_SEED
from goodarm.simulation.loops.delayed import Schedule
from goodarm.study.declared import check_delta

# What is simulated where no algorithm is named: the default, and those that are sometimes better.
COMPARED = tuple(dict.fromkeys((defaults.ALGORITHM, "Scout", "APGAI-FE", "APGAI")))
GOALS = (ABOVE, BELOW)
MOST_ARMS_PLANNED = 1000
FEWEST_RUNS = 20  # intervals from fewer are too narrow
LIMIT = 100_000  # trials of one simulated run, where no budget is given
MOST_TRIALS = 10**7
LONGEST_DELAY = 1000
NEAR_THE_BAR = 0.5  # in units of σ
TYPICAL = 256  # outcomes that stand for an arm's
DRAWS = 100  # sets of means, where there is anything to draw

Guess = float | str | tuple[float, float]
Recorded = str | Path | Mapping[str, Sequence[float]] | Instance  # a CSV file, values by arm, …


@dataclass(frozen=True)
class PlannedArms:
    """The arms as they may be: sets of means, or recorded outcomes to draw from."""

    names: tuple[str, ...]
    outcome: Outcome
    goal: str
    means: NDArray[np.float64]  # one row per set
    ranges: tuple[tuple[float, float], ...]
    recorded: Instance | None = None
    scatter: float | None = None  # a guess of the outcomes' standard deviation

    def instances(self, threshold: float) -> list[Instance]:
        """One instance for each set of means."""
        if self.recorded is not None:
            return [self.recorded.altered(threshold=threshold)]
        model = self.simulated
        bar, *rows = (self._as_simulated(values) for values in (np.array(threshold), *self.means))
        if model.functions.draw is None:
            return [self._typical(threshold, row) for row in rows]
        guessed = model is self.outcome and self.scatter is not None
        sigmas = self.spreads(threshold) if guessed else model.scales(len(self.names))
        return [
            Instance(float(bar), row.tolist(), model.name, sigmas, self.names, goal=self.goal)
            for row in rows
        ]

    @property
    def simulated(self) -> Outcome:
        """The model of the simulated outcomes, which decides when a run may stop.

        Where the study's own model says nothing of the scatter and nobody has guessed it, outcomes
        are at the ends of the range only, the hardest case there is, and told as 0 or 1.
        """
        model = self.outcome
        known = model.knows_scatter and model.functions.draw is not None
        guessed = known or self.scatter is not None
        return model if self.recorded is not None or guessed else Bernoulli()

    def spreads(self, threshold: float) -> list[float]:
        """About how far from the threshold means are that are worth telling from it."""
        if self.scatter is not None:
            return [self.scatter] * len(self.names)
        return self.outcome.spreads(threshold, len(self.names))

    def _typical(self, threshold: float, means: NDArray[np.float64]) -> Instance:
        """Arms with typical outcomes of the guessed scatter, as if they had been recorded."""
        assert self.scatter is not None
        arms = {
            name: self.outcome.typical(mean, self.scatter, TYPICAL)
            for name, mean in zip(self.names, means.tolist(), strict=True)
        }
        instance = Instance.from_data(arms, threshold, name="typical outcomes")
        sigmas = np.array(self.outcome.scales(len(self.names)))
        return instance.altered(sigmas=sigmas, goal=self.goal)

    def _as_simulated(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means or a threshold on the scale of the simulated outcomes."""
        if self.simulated is self.outcome:
            return values
        low, high = self.outcome.low, self.outcome.high
        assert low is not None
        assert high is not None
        return (values - low) / (high - low)


@dataclass(frozen=True)
class PlanQuestion:
    """A checked question: the arms, the threshold, how sure or how long, how it is carried out."""

    arms: PlannedArms
    threshold: float
    delta: float | None
    budget: int | None
    algorithms: tuple[str, ...]
    batch: int | None
    per_day: int | None
    delay: int
    runs: int | None
    seed: int
    suggestions: Suggestions | None = None  # where the outcome model was suggested by the data

    @property
    def limit(self) -> int:
        """The number of trials after which a run is given up."""
        return LIMIT if self.budget is None else self.budget

    @property
    def schedules(self) -> tuple[tuple[str, Schedule], ...]:
        """The ways to carry the study out: in batches, this many trials a day, both or neither.

        The delay is counted in days; where nothing is said of days, in batches.
        """
        ways = []
        if self.batch is not None:
            ways.append(("batches", Schedule(self.batch, 0 if self.per_day else self.delay)))
        if self.per_day is not None:
            ways.append(("days", Schedule(self.per_day, self.delay)))
        return tuple(ways)

    def cut_off(self, stopped: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The runs that were given up though the study would go on; with a budget it would not."""
        return ~stopped if self.budget is None else np.zeros_like(stopped)


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """What someone wants to know, as it was handed in; `goodarm.plan` says what each field is."""

    threshold: float
    outcome: Outcome | str | None = None
    means: Sequence[Guess] | None = None
    unknown: int | None = None
    data: Recorded | None = None
    delta: float | None = None
    budget: int | None = None
    goal: str = ABOVE
    names: Sequence[str] | None = None
    algorithms: Sequence[str] = COMPARED
    batch: int | None = None
    per_day: int | None = None
    delay: int = 0
    runs: int | None = None
    seed: int = 0
    scatter: float | None = None

    def checked(self) -> PlanQuestion:
        """The question, if everything can be used; the first thing that cannot is an InputError."""
        suggestions = self._suggested() if self.outcome is None else None
        outcome = find_outcome(self.outcome) if suggestions is None else suggestions.outcome
        threshold = outcome.check_threshold(self.threshold)
        if self.goal not in GOALS:
            raise unknown_name("goal", str(self.goal), GOALS)
        seed = whole("seed", self.seed, 0, MAX_SEED)
        arms = self._arms(outcome, threshold)
        if self.delta is None and self.budget is None:
            raise InputError("give delta (stop when sure at 1 − δ), budget (of trials), or both")
        if self.delay and self.per_day is None and self.batch is None:
            raise InputError("delay: it is counted in days or batches; give per_day or batch, too")
        if isinstance(self.algorithms, str) or not self.algorithms:
            raise InputError("algorithms: give a list of names, such as ['APGAI-FE', 'TaS']")
        _check_honest(self.algorithms)
        return PlanQuestion(
            arms=arms,
            threshold=threshold,
            delta=None if self.delta is None else check_delta(self.delta),
            budget=_whole_or_none("budget", self.budget, max(len(arms.names), 2), MOST_TRIALS),
            algorithms=tuple(self.algorithms),
            batch=_whole_or_none("batch", self.batch, 1, MOST_TRIALS),
            per_day=_whole_or_none("per_day", self.per_day, 1, MOST_TRIALS),
            delay=whole("delay", self.delay, 0, LONGEST_DELAY),
            runs=_whole_or_none("runs", self.runs, FEWEST_RUNS, MOST_RUNS_PLANNED),
            seed=seed,
            suggestions=suggestions,
        )

    def _suggested(self) -> Suggestions:
        """The models that recorded outcomes can be from, where none is named."""
        if self.data is None:
            raise InputError(
                "outcome: say what an outcome is, such as bernoulli for yes or no, or gaussian for "
                "measurements; goodarm outcomes helps to choose"
            )
        if not isinstance(self.data, Instance):
            return suggest_outcome(self.data, self.threshold)
        pairs = zip(self.data.names, self.data.outcomes, strict=True)
        return suggest_outcome({name: values.tolist() for name, values in pairs}, self.threshold)

    def _arms(self, outcome: Outcome, threshold: float) -> PlannedArms:
        if [self.means is None, self.unknown is None, self.data is None].count(False) != 1:
            raise InputError(
                "give exactly one of means (a guess for each arm), unknown (the number of arms) "
                "and data (recorded outcomes)"
            )
        if self.data is not None:
            return self._recorded(self.data, outcome, threshold)
        scatter = read_scatter(outcome, self.scatter)
        means = self.means
        if means is None:
            count = whole("unknown", self.unknown, 1, MOST_ARMS_PLANNED)
            outcome.check_arms(count)
            means = near_the_bar(count, threshold, outcome, scatter)
        if isinstance(means, str) or not 1 <= len(means) <= MOST_ARMS_PLANNED:
            raise InputError(
                f"means: give a list of 1 to {MOST_ARMS_PLANNED:,} guesses, one per arm"
            )
        outcome.check_arms(len(means))
        ranges = tuple(read_guess(guess, outcome) for guess in means)
        # The instance's own checks tell what is wrong with names.
        names = Instance(threshold, [0.0] * len(ranges), names=self.names).names
        drawn = draw_means(ranges, self.seed)
        return PlannedArms(names, outcome, self.goal, drawn, ranges, scatter=scatter)

    def _recorded(self, data: Recorded, outcome: Outcome, threshold: float) -> PlannedArms:
        if self.scatter is not None:
            raise InputError("scatter: recorded outcomes have their own; leave it out")
        if self.names is not None:
            raise InputError("data: recorded outcomes bring their own names; leave names out")
        if isinstance(data, Instance):
            instance = data
        else:
            low, high = outcome.low, outcome.high
            bounds = None if low is None or high is None else (low, high)
            label = None
            if not isinstance(data, Mapping):
                label, data = Path(data).stem, read_single_outcomes(data, outcome)
            instance = Instance.from_data(data, threshold, bounds, label)
        outcome.check_arms(instance.K)
        for name, values in zip(instance.names, instance.outcomes, strict=False):
            _check_outcomes(name, np.unique(values), threshold, outcome)
        instance = instance.altered(sigmas=np.array(outcome.scales(instance.K)), goal=self.goal)
        means = instance.means[None, :]
        ranges = tuple((float(m), float(m)) for m in instance.means)
        return PlannedArms(instance.names, outcome, self.goal, means, ranges, instance)


def _check_honest(specs: Sequence[str]) -> None:
    """Nobody can use an algorithm that knows the means, so its figures are no plan."""
    for algorithm in map(find_algorithm, specs):
        if "true means" in algorithm.needs:
            raise InputError(
                f"algorithms: {algorithm.label} needs the true means, which a study does not have; "
                f"use {defaults.ALGORITHM}, and see goodarm simulate --oracle"
            )


def read_scatter(outcome: Outcome, given: float | None) -> float | None:
    """The guess of the outcomes' standard deviation, where one is possible or needed."""
    if given is None:
        drawn = outcome.knows_scatter and outcome.functions.draw is not None
        if drawn or None not in (outcome.low, outcome.high):
            return None
        raise InputError(
            f"scatter: {outcome.text()} says nothing of it, and the number of trials depends "
            "on it; give a guess of the outcomes' standard deviation (scatter, --scatter), or "
            "recorded data"
        )
    if outcome.knows_scatter:
        raise InputError(f"scatter: {outcome.text()} outcomes have their own; leave it out")
    scatter = number("scatter", given)
    if scatter <= 0.0:
        raise InputError(f"scatter: {given!r} is not positive; give a guess above 0")
    return scatter


def read_guess(guess: Guess, outcome: Outcome) -> tuple[float, float]:
    """The least and the greatest mean that a guess allows: 0.4, "0.3..0.6" or (0.3, 0.6)."""
    parts: Sequence[object]
    if isinstance(guess, str):
        parts = guess.split("..")
    elif isinstance(guess, tuple | list):
        parts = guess
    else:
        parts = [guess]
    if len(parts) not in (1, 2):
        raise _unreadable(guess)
    low, high = _number(parts[0], guess), _number(parts[-1], guess)
    if low > high:
        raise InputError(f"means: in the range {guess!r} the first number is the larger one")
    return outcome.check_mean("means", low), outcome.check_mean("means", high)


def near_the_bar(
    count: int, threshold: float, outcome: Outcome, scatter: float | None
) -> list[Guess]:
    """The family for arms of which nothing is known."""
    low = -math.inf if outcome.low is None else outcome.low
    high = math.inf if outcome.high is None else outcome.high
    spreads = outcome.spreads(threshold, count) if scatter is None else [scatter] * count
    reaches = (NEAR_THE_BAR * spread for spread in spreads)
    return [(max(threshold - reach, low), min(threshold + reach, high)) for reach in reaches]


def draw_means(ranges: Sequence[tuple[float, float]], seed: int) -> NDArray[np.float64]:
    """Sets of means, one per row; a single row when no guess leaves anything to chance."""
    low, high = (np.array(side, dtype=np.float64) for side in zip(*ranges, strict=True))
    if (low == high).all():
        return low[None, :]
    return np.random.default_rng(seed).uniform(low, high, size=(DRAWS, len(low)))


def _check_outcomes(
    name: str, values: NDArray[np.float64], threshold: float, outcome: Outcome
) -> None:
    try:
        for value in values.tolist():
            outcome.check(value, threshold)
    except InputError as error:
        raise InputError(f"data: {name}: {error}") from None


def _whole_or_none(what: str, value: int | None, low: int, high: int) -> int | None:
    return None if value is None else whole(what, value, low, high)


def _number(part: object, guess: object) -> float:
    if isinstance(part, bool):
        raise _unreadable(guess)
    try:
        value = float(part)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise _unreadable(guess) from None
    if not math.isfinite(value):
        raise InputError(f"means: {guess!r} is not finite")
    return value


def _unreadable(guess: object) -> InputError:
    return InputError(f"means: {guess!r} is neither a number nor a range such as 0.3..0.6")
