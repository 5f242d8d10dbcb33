"""How many more trials? Futures of the study, played out from where it stands.

Each future draws a mean for every arm from what is known of it, then lets the study's own algorithm
go on with simulated outcomes until the stopping rule speaks. What is known of an arm is its
outcomes plus one more outcome *at the threshold*: with no data at all, an arm is as likely good as
bad. Means are drawn from the posterior that this gives (normal, or Beta for yes/no outcomes);
outcomes are normal with the declared σ, yes or no, or Beta in [lo, hi] with the scatter seen.
Trials that are pending are answered first and count.

Futures are played for as many trials as can be simulated in a second or two. If too many of them
have no end by then, some are played four times as far, and so on while that takes a few seconds.
"""

import math
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from goodarm.errors import InputError
from goodarm.run import CONTINUE, NO_ARM
from goodarm.study.evidence import OneBar
from goodarm.study.evidence.trail import USUAL_DELTA
from goodarm.study.log.fold import Fold

FIRST_STEPS = 200_000  # simulated trials in all, one or two seconds
MORE_STEPS = 500_000  # each time that one looks farther, if that is needed
FARTHER = 4  # times
FEWEST = 15  # futures that say enough
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
    horizon: int = field(metadata={"description": "How many trials were looked ahead."})
    runs: int = field(metadata={"description": "How many futures were played so far."})
    finished: float = field(
        metadata={"description": "The share of futures that end within the horizon."}
    )
    answers: dict[str, float] = field(
        metadata={"description": 'What they end with; "" is "none is good".'}
    )
    assumes: str = ASSUMES

    def to_dict(self) -> dict[str, Any]:
        """The forecast as plain data."""
        return asdict(self)


End = tuple[int, int]
"""The number of trials until a future's end, and its answer."""


def forecast(fold: Fold, delta: float | None, runs: int, horizon: int | None) -> Forecast:
    """Play `runs` futures of at most `horizon` trials each; without one, as far as is needed."""
    aim = delta or fold.settings.delta or USUAL_DELTA
    cap = horizon or max(FIRST_STEPS // runs, 1)
    ends = [_future(fold, aim, number, cap) for number in range(1, runs + 1)]
    if horizon is None:
        ends, cap = _look_farther(fold, aim, ends, cap)
    lengths = sorted(steps for steps, _ in ends)
    reached = [answer for steps, answer in ends if steps <= cap]
    names = {arm: "" if arm < 0 else fold.settings.arms[arm] for arm in set(reached)}

    def quantile(share: float) -> int | None:
        steps = lengths[math.ceil(share * len(ends)) - 1]
        return steps if steps <= cap else None

    return Forecast(
        delta=aim,
        median=quantile(0.5),
        low=quantile(LOW),
        high=quantile(HIGH),
        horizon=cap,
        runs=len(ends),
        finished=len(reached) / len(ends),
        answers={names[arm]: reached.count(arm) / len(ends) for arm in sorted(names)},
    )


def _look_farther(fold: Fold, delta: float, ends: list[End], cap: int) -> tuple[list[End], int]:
    """The same futures, played on until all but a few have ended, or it would take too long.

    Where all would take too long, the first of them are: they are as good as any others.
    """
    while sum(steps > cap for steps, _ in ends) > (1.0 - HIGH) * len(ends):
        farther = FARTHER * cap
        affordable, unfinished = 0, 0
        for steps, _ in ends:
            unfinished += steps > cap
            if unfinished * farther > MORE_STEPS:
                break
            affordable += 1
        if affordable < min(FEWEST, len(ends)):
            break
        ends = [
            end if end[0] <= cap else _future(fold, delta, number, farther)
            for number, end in enumerate(ends[:affordable], 1)
        ]
        cap = farther
    return ends, cap


def _future(fold: Fold, delta: float, number: int, horizon: int) -> End:
    """The number of trials until the end and the answer; beyond the horizon if there is none."""
    evidence = _one_bar(fold)
    experiment, counted = evidence.experiment, evidence.counted
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


def _one_bar(fold: Fold) -> OneBar:
    if isinstance(fold.evidence, OneBar):
        return fold.evidence
    raise InputError("forecast: there is none for this question; goodarm plan gives the trials")


def _outcomes(fold: Fold, chance: random.Random) -> Draw:
    """Simulated outcomes of each arm, whose mean is drawn once, when it is first needed."""
    evidence, kind, threshold = _one_bar(fold), fold.settings.outcome, fold.settings.threshold
    run = evidence.experiment.run
    # The scatter within arms; NaN where no arm has two outcomes.
    freedom = fold.told - sum(1 for count in run.counts if count)
    scatter = sum(evidence.squares) / freedom if freedom else math.nan
    means: dict[int, float] = {}

    def draw(arm: int) -> float:
        if arm not in means:
            means[arm] = kind.draw_mean(
                arm, run.sums[arm], evidence.experiment.amount(arm), threshold, scatter, chance
            )
        return kind.draw_outcome(arm, means[arm], scatter, chance)

    return draw
