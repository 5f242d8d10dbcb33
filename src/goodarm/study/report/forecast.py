"""How many more trials? Futures of the study, played out from where it stands.

Each future draws a mean for every arm from what the outcomes of all of them say (`possible_means`),
then lets the study's own algorithm go on with simulated outcomes until the stopping rule speaks.
Outcomes are as the outcome model draws them: normal with the declared σ, yes or no, or, where a
model does not say, with the scatter seen. Trials that are pending are answered first and count.

Far futures are played in strides: an arm that is chosen gets a thirty-second of its outcomes once
more before anything is asked again. If too many futures have no end by the horizon, they are played
four times as far, and so on, as long as that can be paid for; the farther, the fewer of them.
"""

import math
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.run import CONTINUE, NO_ARM, Run
from goodarm.study.evidence import OneBar
from goodarm.study.evidence.trail import USUAL_DELTA
from goodarm.study.log.fold import Fold
from goodarm.study.report.possible_means import PossibleMeans

NEAR_HORIZON = 2_000  # trials
FARTHER = 4  # times
FAR_HORIZON, FAR_SHARE = 1_000_000, 100  # trials, or so many times those that the study has had
STEPS = 4_000  # that a future may cost on average, each about ten microseconds
PLAIN = 4  # outcomes that cost as much as a choice
STRIDE = 32  # an arm gets this part of its outcomes once more before the next choice
FEWEST = 15  # futures that say enough
LOW, HIGH = 0.1, 0.9
ASSUMES = (
    "arms that differ as their outcomes so far say, outcomes independent and of the declared kind, "
    "every suggestion followed"
)


@dataclass(frozen=True)
class Forecast:
    """How many more trials until the stopping rule speaks; None means more than `horizon`.

    In 80 of 100 futures the number lies between `low` and `high`; the share `unfinished` of them
    has no end within the horizon.
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
    unfinished: float = field(
        default=0.0, metadata={"description": "The share of futures that take longer."}
    )
    assumes: str = ASSUMES

    def to_dict(self) -> dict[str, Any]:
        """The forecast as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class End:
    """How many trials a future took, and its answer; one more than the horizon if there is none."""

    steps: int
    answer: int


def forecast(fold: Fold, delta: float | None, runs: int, horizon: int | None) -> Forecast:
    """Play `runs` futures of at most `horizon` trials each; without one, as far as is needed."""
    aim = delta or fold.settings.delta or USUAL_DELTA
    futures = Futures(fold, aim)
    cap = horizon or NEAR_HORIZON
    ends = [futures.play(number, cap) for number in range(1, runs + 1)]
    if horizon is None:
        ends, cap = _look_farther(futures, ends, cap, max(FAR_HORIZON, FAR_SHARE * fold.told))
    lengths = sorted(end.steps for end in ends)
    reached = [end.answer for end in ends if end.steps <= cap]
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
        unfinished=(len(ends) - len(reached)) / len(ends),
    )


def _look_farther(
    futures: "Futures", ends: list[End], cap: int, most: int
) -> tuple[list[End], int]:
    """The same futures, played on until all but a few have ended, or it would take too long.

    Where all would take too long, the first of them are: they are as good as any others.
    """
    budget = STEPS * len(ends)
    while cap < most and sum(end.steps > cap for end in ends) > (1.0 - HIGH) * len(ends):
        farther, played = min(FARTHER * cap, most), list[End]()
        for number, end in enumerate(ends, 1):
            if end.steps > cap:
                if futures.cost > budget:
                    break
                played.append(futures.play(number, farther))
            else:
                played.append(end)
        if len(played) < min(FEWEST, len(ends)):
            break
        ends, cap = played, farther
    return ends, cap


class Futures:
    """What may still come of a study, one future for each number."""

    def __init__(self, fold: Fold, delta: float) -> None:
        if not isinstance(fold.evidence, OneBar):
            raise InputError(
                "forecast: there is none for this question; goodarm plan gives the trials"
            )
        self._fold, self._evidence, self._delta = fold, fold.evidence, delta
        self._answer = _answer_now(fold, fold.evidence, delta)
        self._scatter = _scatter(fold.evidence)
        experiment = fold.evidence.experiment
        self._possible = PossibleMeans(experiment, fold.settings.outcome, self._scatter)
        self.cost = 0  # steps that were played: a choice, or so many outcomes drawn by themselves

    def play(self, number: int, horizon: int) -> End:
        """The number of trials until the end and the answer; beyond the horizon if there is none.

        Played to another horizon, a future is the same as far as both go.
        """
        if self._answer is not None:
            return End(0, self._answer)
        fold, experiment = self._fold, self._evidence.experiment
        # Reproducible: the same state gives the same forecast.
        chance = random.Random(f"{fold.settings.seed}/{fold.seq}/{number}")
        run, enter = experiment.run_at(self._delta, number), self._entering(experiment, chance)
        _, choose, _, judge, _ = experiment.step
        # Once the pending outcomes are there, everything that was told counts.
        pending = [trial.arm for trial in fold.open.values()]
        steps = 0
        while steps < horizon:
            many = 1
            if steps < len(pending):
                arm = pending[steps]
            else:
                arm = choose(run, experiment.t + steps)
                if arm == NO_ARM:
                    break
                many += run.counts[arm] // STRIDE
            enter(run, experiment.t + steps, arm, many)
            steps += many
            answer = judge(run, experiment.t + steps, arm)
            if answer != CONTINUE and steps <= horizon:
                return End(steps, answer)
        return End(horizon + 1, CONTINUE)

    def _entering(
        self, experiment: Experiment, chance: random.Random
    ) -> Callable[[Run, int, int, int], None]:
        """Enters so many simulated outcomes of an arm, after so many of all.

        The mean of an arm is drawn once, when it is first needed.
        """
        kind, receive = self._fold.settings.outcome, experiment.step.receive
        population, means = self._possible.draw(chance), dict[int, float]()

        def enter(run: Run, t: int, arm: int, many: int) -> None:
            if arm not in means:
                means[arm] = self._possible.draw_mean(arm, population, chance)
            told = kind.draw_sum(arm, means[arm], many, chance) if many > 1 else None
            self.cost += 1
            if told is not None:
                experiment.enter_into(run, t + many, arm, told, many)
                return
            self.cost += many // PLAIN
            for i in range(1, many + 1):
                receive(run, t + i, arm, kind.draw_outcome(arm, means[arm], self._scatter, chance))

        return enter


def _answer_now(fold: Fold, evidence: OneBar, delta: float) -> int | None:
    """The answer of a study that is done; −1 for "none is good", and None if it is not."""
    experiment, counted = evidence.experiment, evidence.counted
    if counted.finished and delta == fold.settings.delta:
        return -1 if counted.conclusion is None else counted.conclusion
    if counted.can_stop(delta):
        answer = experiment.recommendation
        return -1 if answer is None else answer
    return None


def _scatter(evidence: OneBar) -> float:
    """The variance of outcomes around their arms' means; NaN where no arm has two outcomes."""
    run = evidence.experiment.run
    freedom = sum(count - 1 for count in run.counts if count)
    return sum(evidence.squares) / freedom if freedom else math.nan
