"""The first algorithm with other bars and other δ, side by side."""

import math
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.planning.question import PlanQuestion
from goodarm.planning.simulations import (
    Allowance,
    Estimate,
    Scenario,
    Simulator,
    endings,
    mean_of,
    quantile_of,
)
from goodarm.run import NONE

PER_CASE = Allowance(fewest=25, pulls=1_000_000)
SETS = 25  # of means, the first ones
OF_SIGMA = 0.1  # the largest step between two bars
OF_THE_GAP = 1 / 6  # of the arm that is farthest from the bar
OF_THE_ROOM = 1 / 2  # to the nearest end of what outcomes can be
ROUND = (1.0, 2.0, 5.0, 10.0)
DELTAS = (0.1, 0.05, 0.01)


@dataclass(frozen=True)
class SensitivityCase:
    """What the first algorithm would do with this threshold and this δ."""

    threshold: float
    delta: float
    runs: int
    mean: Estimate  # of the trials
    q90: float | None  # None beyond the limit
    none_is_good: float  # the chance of that answer
    unfinished: float


def list_cases(question: PlanQuestion) -> list[tuple[float, float]]:
    """Three bars by three or four δ, where a δ is asked about at all."""
    if question.delta is None:
        return []
    deltas = sorted({question.delta, *DELTAS}, reverse=True)
    return [(threshold, delta) for threshold in _thresholds(question) for delta in deltas]


def play_cases(question: PlanQuestion, simulator: Simulator) -> tuple[SensitivityCase, ...]:
    """Every case simulated, one trial at a time; the means are the same in all of them."""
    return tuple(_play(question, *case, simulator) for case in list_cases(question))


def _thresholds(question: PlanQuestion) -> list[float]:
    step = _step(question)
    thresholds = []
    for sign in (-1, 0, 1):
        threshold = float(f"{question.threshold + sign * step:.15g}")
        with suppress(InputError):  # one that the outcomes cannot have: nothing to ask there
            thresholds.append(question.arms.outcome.check_threshold(threshold))
    return thresholds


def _step(question: PlanQuestion) -> float:
    """A round number on the scale of the question: of its outcomes, and of what the arms are like.

    So a bar at 4 % among arms at 2 to 5 % is moved by half a per cent, and none leaves the range of
    the outcomes.
    """
    arms, threshold = question.arms, question.threshold
    steps = [OF_SIGMA * max(arms.spreads(question.threshold))]
    gap = max(abs(mean - threshold) for limits in arms.ranges for mean in limits)
    if gap > 0.0:
        steps.append(OF_THE_GAP * gap)
    ends = (arms.outcome.low, arms.outcome.high)
    steps += [OF_THE_ROOM * abs(end - threshold) for end in ends if end is not None]
    wanted = min(steps)
    size = 10.0 ** math.floor(math.log10(wanted))
    return min((digit * size for digit in ROUND), key=lambda step: abs(math.log(step / wanted)))


def _play(
    question: PlanQuestion, threshold: float, delta: float, simulator: Simulator
) -> SensitivityCase:
    arms, limit = question.arms, question.limit
    problems = arms.instances(threshold)[:SETS]
    algorithm = question.algorithms[0]
    scenario = Scenario(algorithm, problems, FIXED_CONFIDENCE, limit, delta, outcome=arms.simulated)
    end = endings(simulator.many(scenario, PER_CASE))
    cut_off = question.cut_off(end.stopped)
    return SensitivityCase(
        threshold=threshold,
        delta=delta,
        runs=end.runs,
        mean=mean_of(end.times, cut_off),
        q90=quantile_of(end.times, 0.9, cut_off),
        none_is_good=float(np.mean((end.answers == NONE) & end.stopped)),
        unfinished=float(np.mean(~end.stopped)),
    )
