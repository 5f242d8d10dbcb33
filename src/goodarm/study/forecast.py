"""How many more trials? Futures of the study, played out from where it stands.

Each future draws a mean for every arm from what is known of it, then lets the study's own rule go
on with simulated outcomes until the stopping rule speaks. What is known of an arm is taken as its
outcomes plus one more outcome *at the threshold*: with no data at all, an arm is as likely good as
bad. Means are drawn from the posterior that this gives (normal, or Beta for yes/no outcomes);
outcomes are normal with the declared σ, yes or no, or Beta in [lo, hi] with the scatter seen.
Trials that are pending are answered first and count.
"""

import math
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from goodarm.experiment import Experiment
from goodarm.run import (
    CONTINUE,
    KIND,
    NO_ARM,
    OFFSET,
    PULLED,
    REACHED,
    SLOPE,
    Run,
    copy_run,
    record,
)
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.fold import Fold
from goodarm.study.outcomes import Bernoulli, Bounded
from goodarm.study.report import DELTA_SHOWN

STEPS = 200_000  # simulated trials in all, about two seconds
LOW, HIGH = 0.1, 0.9
ASSUMES = (
    "arms like their outcomes so far (and one more at the threshold), outcomes independent and of "
    "the declared kind, every suggestion followed"
)

Draw = Callable[[int], float]


@dataclass(frozen=True)
class Forecast:
    """How many more trials until the stopping rule speaks; None means more than `horizon`.

    In 80 of 100 futures the number lies between `low` and `high`.
    """

    delta: float
    median: int | None
    low: int | None
    high: int | None
    horizon: int
    runs: int
    finished: float  # the share of futures that end within the horizon
    answers: dict[str, float]  # what they end with; "" is "none is good"
    assumes: str = ASSUMES

    def to_dict(self) -> dict[str, Any]:
        """The forecast as plain data."""
        return asdict(self)


def forecast(fold: Fold, delta: float | None, runs: int, horizon: int | None) -> Forecast:
    """Play `runs` futures of at most `horizon` trials each."""
    aim = delta or fold.settings.delta or DELTA_SHOWN
    cap = horizon or max(STEPS // runs, 1)
    ends = [_future(fold, aim, number, cap) for number in range(1, runs + 1)]
    lengths = sorted(steps for steps, _ in ends)
    reached = [answer for steps, answer in ends if steps <= cap]
    names = {arm: "" if arm < 0 else fold.settings.arms[arm] for arm in set(reached)}

    def quantile(share: float) -> int | None:
        steps = lengths[math.ceil(share * runs) - 1]
        return steps if steps <= cap else None

    return Forecast(
        delta=aim,
        median=quantile(0.5),
        low=quantile(LOW),
        high=quantile(HIGH),
        horizon=cap,
        runs=runs,
        finished=len(reached) / runs,
        answers={names[arm]: reached.count(arm) / runs for arm in sorted(names)},
    )


def _future(fold: Fold, delta: float, number: int, horizon: int) -> tuple[int, int]:
    """The number of trials until the end and the answer; beyond the horizon if there is none."""
    experiment = fold.experiment
    if experiment.finished and delta == fold.settings.delta:
        return 0, -1 if experiment.conclusion is None else experiment.conclusion
    if experiment.can_stop(delta):
        answer = experiment.recommendation
        return 0, -1 if answer is None else answer
    # Reproducible: the same state gives the same forecast.
    chance = random.Random(f"{fold.settings.seed}/{fold.seq}/{number}")
    run, draw = _start(experiment, delta, number), _outcomes(fold, chance)
    choose, observe, verdict = (
        experiment.algorithm.choose,
        experiment.algorithm.observe,
        experiment.algorithm.verdict,
    )
    pending = [trial.arm for trial in fold.open.values()]
    K, t = len(experiment.names), experiment.t
    for step in range(1, horizon + 1):
        if step <= len(pending):
            arm = pending[step - 1]
        elif experiment.algorithm.sweep and run.clock[PULLED] < K:
            arm = run.counts.index(0)
        else:
            arm = choose(run, t)
            if arm == NO_ARM:
                break
        value = draw(arm)
        t += 1
        record(run, arm, value)
        observe(run, t, arm, value)
        answer = verdict(run, t, arm)
        if answer != CONTINUE:
            return step, answer
    return horizon + 1, CONTINUE


def _start(experiment: Experiment, delta: float, number: int) -> Run:
    """A copy of the present run that stops at δ and breaks ties in its own way."""
    run = copy_run(experiment.run)
    boundary = parse_boundary("glr", len(experiment.names), delta)
    run.levels[KIND], run.levels[OFFSET], run.levels[SLOPE] = boundary.numbers
    run.levels[REACHED] = 0.0
    run.key[2] = number
    return run


def _outcomes(fold: Fold, chance: random.Random) -> Draw:
    """Simulated outcomes of each arm, whose mean is drawn once, when it is first needed."""
    run, sign, kind = fold.experiment.run, fold.settings.sign, fold.settings.outcome
    threshold, sigma = fold.settings.threshold, kind.sigma
    means: dict[int, float] = {}

    def centre(arm: int) -> float:
        return (sign * run.sums[arm] + threshold) / (run.counts[arm] + 1)  # type: ignore[no-any-return]

    def yes_or_no(arm: int) -> float:
        if arm not in means:
            yes, count = sign * run.sums[arm], run.counts[arm]
            means[arm] = chance.betavariate(yes + threshold, count - yes + 1.0 - threshold)
        return sign if chance.random() < means[arm] else 0.0

    def normal(arm: int) -> float:
        if arm not in means:
            means[arm] = chance.gauss(centre(arm), sigma / math.sqrt(run.counts[arm] + 1))
        return sign * chance.gauss(means[arm], sigma)

    if isinstance(kind, Bernoulli):
        return yes_or_no
    if not isinstance(kind, Bounded):
        return normal
    lo, width = kind.lo, kind.hi - kind.lo
    # The scatter within arms, with one outcome of a uniform distribution added.
    freedom = fold.told - sum(1 for count in run.counts if count) + 1
    variance = (sum(fold.squares) + width**2 / 12.0) / freedom / width**2

    def beta(arm: int) -> float:
        if arm not in means:
            spread = math.sqrt(variance / (run.counts[arm] + 1))
            mean = chance.gauss((centre(arm) - lo) / width, spread)
            means[arm] = min(max(mean, 1e-3), 1.0 - 1e-3)
        mean = means[arm]
        most = mean * (1.0 - mean)
        weight = most / min(max(variance, 1e-9), 0.95 * most) - 1.0
        return sign * (lo + width * chance.betavariate(mean * weight, (1.0 - mean) * weight))

    return beta
