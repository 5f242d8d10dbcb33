"""The first algorithm with other bars and other δ, side by side."""

from dataclasses import dataclass

import numpy as np

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.planning.estimates import Estimate, mean_of
from goodarm.planning.question import Question
from goodarm.planning.simulations import Ask, Simulator, endings
from goodarm.run import NONE

FEWEST = 25  # studies
SETS = 25  # of means, the first ones
TRIALS_EACH = 1_000_000
BARS = (-0.1, 0.0, 0.1)  # in units of σ from the bar asked about
DELTAS = (0.1, 0.05, 0.01)


@dataclass(frozen=True)
class Variant:
    """What the first algorithm would do with this bar and this δ."""

    threshold: float
    delta: float
    studies: int
    mean: Estimate
    q90: float
    none: float  # the chance of "none is good"
    unfinished: float


def cases(question: Question) -> list[tuple[float, float]]:
    """Three bars by three or four δ, where a δ is asked about at all."""
    if question.delta is None:
        return []
    deltas = sorted({question.delta, *DELTAS}, reverse=True)
    return [(bar, delta) for bar in _bars(question) for delta in deltas]


def variants(question: Question, simulator: Simulator) -> tuple[Variant, ...]:
    """Every case simulated, one trial at a time; the means are the same in all of them."""
    return tuple(_variant(question, bar, delta, simulator) for bar, delta in cases(question))


def _bars(question: Question) -> list[float]:
    outcome = question.options.outcome
    scale = max(outcome.scales(len(question.options.names)))
    bars = []
    for step in BARS:
        bar = float(f"{question.threshold + step * scale:.12g}")
        try:
            bars.append(outcome.check_threshold(bar))
        except InputError:  # beyond what outcomes can reach: nothing to ask there
            continue
    return bars


def _variant(question: Question, bar: float, delta: float, simulator: Simulator) -> Variant:
    algorithm, limit = question.algorithms[0], question.limit
    options = question.options
    problems = options.instances(bar)[:SETS]
    ask = Ask(algorithm, problems, FIXED_CONFIDENCE, limit, delta, outcome=options.simulated)
    end = endings(simulator.many(ask, TRIALS_EACH, FEWEST))
    return Variant(
        threshold=bar,
        delta=delta,
        studies=end.studies,
        mean=mean_of(end.times),
        q90=float(np.quantile(end.times, 0.9)),
        none=float(((end.answers == NONE) & end.stopped).mean()),
        unfinished=float((~end.stopped).mean()),
    )
