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

from goodarm.run import CONTINUE, NO_ARM
from goodarm.study.log.fold import Fold
from goodarm.study.log.evidence_trail import DELTA_SHOWN

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
    experiment, counted = fold.experiment, fold.counted
    if counted.finished and delta == fold.settings.delta:
        return 0, -1 if counted.conclusion is None else counted.conclusion
    if counted.can_stop(delta):
        answer = experiment.recommendation
        return 0, -1 if answer is None else answer
    # Reproducible: the same state gives the same forecast.
    chance = random.Random(f"{fold.settings.seed}/{fold.seq}/{number}")
    run, draw = experiment.run_at(delta, number), _outcomes(fold, chance)
    _, choose, receive, judge, _ = experiment.step
    # Once the pending outcomes are there, everything that was told counts.
    pending = [trial.arm for trial in fold.open.values()]
    t = experiment.t
    for step in range(1, horizon + 1):
        if step <= len(pending):
            arm = pending[step - 1]
        else:
            arm = choose(run, t)
            if arm == NO_ARM:
                break
        t += 1
        receive(run, t, arm, draw(arm))
        answer = judge(run, t, arm)
        if answer != CONTINUE:
            return step, answer
    return horizon + 1, CONTINUE


def _outcomes(fold: Fold, chance: random.Random) -> Draw:
    """Simulated outcomes of each arm, whose mean is drawn once, when it is first needed."""
    run, kind, threshold = fold.experiment.run, fold.settings.outcome, fold.settings.threshold
    # The scatter within arms; NaN where no arm has two outcomes.
    freedom = fold.told - sum(1 for count in run.counts if count)
    scatter = sum(fold.squares) / freedom if freedom else math.nan
    means: dict[int, float] = {}

    def draw(arm: int) -> float:
        if arm not in means:
            means[arm] = kind.draw_mean(
                arm, run.sums[arm], run.counts[arm], threshold, scatter, chance
            )
        return kind.draw_outcome(arm, means[arm], scatter, chance)

    return draw
