"""What is asked, checked before anything runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError, unknown_name
from goodarm.instance import Instance
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.outcomes import Outcome, check_outcome
from goodarm.planning.guesses import Guess, Options, draw_means, near_the_bar, read_guess
from goodarm.planning.simulations import MOST_STUDIES
from goodarm.rng import MAX_SEED
from goodarm.simulation.job import whole
from goodarm.simulation.loops.delayed import Schedule
from goodarm.study.settings import check_delta

GOALS = (ABOVE, BELOW)
MOST_OPTIONS = 1000
FEWEST_STUDIES = 20  # intervals from fewer are too narrow
MOST_TRIALS = 100_000  # of one simulated study, where no budget is given
LONGEST_DELAY = 1000

Recorded = str | Path | Mapping[str, Sequence[float]] | Instance  # a CSV file, values by arm, …


@dataclass(frozen=True)
class Question:
    """A checked question: the options, the bar, how sure or how long, and how it is carried out."""

    options: Options
    threshold: float
    delta: float | None
    budget: int | None
    algorithms: tuple[str, ...]
    batch: int | None
    per_day: int | None
    delay: int
    studies: int | None
    seed: int

    @property
    def limit(self) -> int:
        """The number of trials after which a simulated study is given up."""
        return MOST_TRIALS if self.budget is None else self.budget

    @property
    def schedules(self) -> tuple[tuple[str, Schedule], ...]:
        """The ways to carry the study out: in batches, so many trials a day, both or neither.

        The delay is counted in days; where nothing is said of days, in batches.
        """
        found = []
        if self.batch is not None:
            found.append(("batches", Schedule(self.batch, 0 if self.per_day else self.delay)))
        if self.per_day is not None:
            found.append(("days", Schedule(self.per_day, self.delay)))
        return tuple(found)


def ask(
    means: Sequence[Guess] | None,
    unknown: int | None,
    data: Recorded | None,
    threshold: float,
    outcome: Outcome | str,
    goal: str,
    names: Sequence[str] | None,
    delta: float | None,
    budget: int | None,
    algorithms: Sequence[str],
    batch: int | None,
    per_day: int | None,
    delay: int,
    studies: int | None,
    seed: int,
) -> Question:
    """Check everything; the first thing that is wrong is an InputError."""
    kind = check_outcome(outcome)
    bar = kind.check_threshold(threshold)
    if goal not in GOALS:
        raise unknown_name("goal", str(goal), GOALS)
    chance = whole("seed", seed, 0, MAX_SEED)
    if [means is None, unknown is None, data is None].count(False) != 1:
        raise InputError(
            "give exactly one of means (a guess for each option), unknown (the number of options) "
            "and data (recorded outcomes)"
        )
    if data is not None:
        options = _recorded(data, bar, kind, goal, names)
    else:
        options = _guessed(means, unknown, bar, kind, goal, names, chance)
    if delta is None and budget is None:
        raise InputError("give delta (stop when sure at 1 − δ), budget (so many trials), or both")
    count = len(options.names)
    if delay and per_day is None and batch is None:
        raise InputError("delay: it is counted in days or batches; give per_day or batch, too")
    if isinstance(algorithms, str) or not algorithms:
        raise InputError("algorithms: give a list of names, such as ['APGAI-FE', 'TaS']")
    return Question(
        options=options,
        threshold=bar,
        delta=None if delta is None else check_delta(delta),
        budget=None if budget is None else whole("budget", budget, max(count, 2), 10**7),
        algorithms=tuple(algorithms),
        batch=None if batch is None else whole("batch", batch, 1, 10**7),
        per_day=None if per_day is None else whole("per_day", per_day, 1, 10**7),
        delay=whole("delay", delay, 0, LONGEST_DELAY),
        studies=None
        if studies is None
        else whole("studies", studies, FEWEST_STUDIES, MOST_STUDIES),
        seed=chance,
    )


def _guessed(
    means: Sequence[Guess] | None, unknown: int | None, threshold: float, outcome: Outcome,
    goal: str, names: Sequence[str] | None, seed: int,
) -> Options:  # fmt: skip
    if means is None:
        count = whole("unknown", unknown, 1, MOST_OPTIONS)
        outcome.check_arms(count)
        means = near_the_bar(count, threshold, outcome)
    if isinstance(means, str) or not 1 <= len(means) <= MOST_OPTIONS:
        raise InputError(f"means: give a list of 1 to {MOST_OPTIONS:,} guesses, one an option")
    outcome.check_arms(len(means))
    ranges = tuple(read_guess(guess, outcome) for guess in means)
    labels = [f"option {i}" for i in range(1, len(ranges) + 1)] if names is None else list(names)
    # The instance's own checks tell what is wrong with names.
    checked = Instance(threshold, [0.0] * len(ranges), names=labels)
    return Options(checked.names, outcome, goal, draw_means(ranges, seed), ranges)


def _recorded(
    data: Recorded, threshold: float, outcome: Outcome, goal: str,
    names: Sequence[str] | None,
) -> Options:  # fmt: skip
    if names is not None:
        raise InputError("data: recorded outcomes bring their own names; leave names out")
    if isinstance(data, Instance):
        instance = data
    else:
        low, high = outcome.low, outcome.high
        bounds = None if low is None or high is None else (low, high)
        instance = Instance.from_data(data, threshold, bounds)
    outcome.check_arms(instance.K)
    for name, values in zip(instance.names, instance.outcomes, strict=False):
        _check_outcomes(name, np.unique(values), threshold, outcome)
    instance = instance.altered(sigmas=np.array(outcome.scales(instance.K)), goal=goal)
    means = instance.means[None, :]
    ranges = tuple((float(m), float(m)) for m in instance.means)
    return Options(instance.names, outcome, goal, means, ranges, instance)


def _check_outcomes(
    name: str, values: NDArray[np.float64], threshold: float, outcome: Outcome
) -> None:
    try:
        for value in values.tolist():
            outcome.check(value, threshold)
    except InputError as error:
        raise InputError(f"data: {name}: {error}") from None
