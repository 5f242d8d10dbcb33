"""What an outcome model costs: trials of one arm under each model, for the same outcomes.

One arm is simulated by itself, until its certificate reaches the level that a study of K arms asks
for: ln(K/(xδ)) where the arm is good and is named, ln(1/δ₋) where it is not and is ruled out. The
outcomes are of the kind that is asked about: 0 or 1, Poisson (negative binomial where counts vary
more), gamma, Beta between bounds, normal. Every model sees the same ones. So does the paper's
boundary, where the outcomes have a known scale σ, with its clock counting this arm's trials alone.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm import quantiles
from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.errors import InputError, unknown_name
from goodarm.extras import LAB, need
from goodarm.inputs import number, whole
from goodarm.instance import Instance
from goodarm.instance.instance import ABOVE, BELOW, EMPIRICAL
from goodarm.outcomes import Bounded, Gaussian, Outcome
from goodarm.outcomes.choosing import COUNT, DURATION, NUMBER, YES_NO, Answers
from goodarm.outcomes.contract import between
from goodarm.planning.simulations import Estimate, mean_of
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import Job, make_job
from goodarm.stopping import parse_boundary
from goodarm.study.declared import check_delta

EFFECT = 0.25  # in standard deviations from the bar, where no mean is given
THRESHOLDS = {YES_NO: 0.5, COUNT: 5.0, DURATION: 10.0}
SCATTERED = 2.0  # times the variance of its kind, where outcomes vary more and nobody says by what
NARROW = 0.1  # of a range: the scatter of outcomes between bounds, where nobody says
SMOOTH, LUMPY = 20_000, 100_000  # equally likely outcomes that stand for a distribution
PULLS, MOST_RUNS, PILOT_RUNS, CAP = 600_000, 4_000, 50, 200_000
MOST_ARMS = 100_000
MIXTURE, PAPERS = "mixture", "glr"


@dataclass(frozen=True)
class Effect:
    """An arm whose mean is off the bar, among so many arms, and how sure one wants to be."""

    answers: Answers
    threshold: float
    mean: float
    scatter: float  # the standard deviation of an outcome
    delta: float
    arms: int
    goal: str

    @property
    def is_good(self) -> bool:
        """Whether the arm would be named; else it would be ruled out."""
        return (self.mean > self.threshold) == (self.goal == ABOVE)

    @property
    def side(self) -> float:
        """1 where more is good, −1 where less is."""
        return 1.0 if self.goal == ABOVE else -1.0

    def to_dict(self) -> dict[str, Any]:
        """The effect as plain data."""
        return {**asdict(self), "is_good": self.is_good}


@dataclass(frozen=True)
class ModelPrice:
    """Trials under one model; None where its certificate can never get there."""

    outcome: str
    boundary: str
    trials: Estimate | None
    runs: int
    remark: str  # what it takes for granted, or why there is no price


def effect_of(
    answers: Answers,
    threshold: float | None = None,
    mean: float | None = None,
    scatter: float | None = None,
    delta: float = 0.05,
    arms: int = 10,
    goal: str = ABOVE,
) -> Effect:
    """The effect to compare prices for; what is not given is what is usual for its kind.

    Without a mean, the arm is good, a quarter of a standard deviation off the bar.
    """
    if goal not in (ABOVE, BELOW):
        raise unknown_name("goal", str(goal), (ABOVE, BELOW))
    bar = _usual_threshold(answers) if threshold is None else number("threshold", threshold)
    low, high = _range(answers)
    _check_inside("threshold", bar, low, high)
    centre = _usual_mean(answers, bar, scatter, goal) if mean is None else number("mean", mean)
    _check_inside("mean", centre, low, high)
    if centre == bar:
        raise InputError(f"mean: {centre:g} is at the bar, where nobody can ever decide")
    return Effect(
        answers=answers,
        threshold=bar,
        mean=centre,
        scatter=_scatter(answers, centre, scatter),
        delta=check_delta(delta),
        arms=whole("arms", arms, 1, MOST_ARMS),
        goal=goal,
    )


def price_models(
    effect: Effect, models: Sequence[Outcome], seed: int = 0
) -> tuple[ModelPrice, ...]:
    """Mean trials of the arm under each model, and with the paper's boundary where it applies."""
    need(LAB, "the price of each model")
    values = typical_outcomes(effect)
    found = [_price(effect, model, MIXTURE, values, seed) for model in models]
    sigma, known = _known_scale(effect)
    if sigma is None:
        return (*found, ModelPrice(PAPERS, PAPERS, None, 0, "needs a known σ"))
    if effect.answers.kind == NUMBER and sigma == effect.scatter and not effect.answers.sigma:
        found.append(_price(effect, Gaussian(sigma), MIXTURE, values, seed))
    paper = _price(effect, Gaussian(sigma), PAPERS, values, seed)
    return (*found, ModelPrice(PAPERS, PAPERS, paper.trials, paper.runs, known))


def _price(
    effect: Effect, model: Outcome, boundary: str, values: NDArray[np.float64], seed: int
) -> ModelPrice:
    try:
        for value in (values.min(), values.max()):
            model.check(float(value), model.check_threshold(effect.threshold))
    except InputError as error:
        return ModelPrice(model.text(), boundary, None, 0, str(error))
    if not _can_show(model, above=effect.mean > effect.threshold):
        side = "above" if effect.mean > effect.threshold else "below"
        remark = f"cannot show a mean {side} the bar: a bound is missing"
        return ModelPrice(model.text(), boundary, None, 0, remark)
    job = one_arm_job(effect, model, boundary, values, seed)
    pilot = play_chunk(job, 0, PILOT_RUNS)
    runs = min(MOST_RUNS, int(PULLS / pilot.stopping_times.mean()))
    done = play_chunk(job, 0, runs) if runs > PILOT_RUNS else pilot
    trials = mean_of(done.stopping_times[None, :], ~done.stopped[None, :])
    return ModelPrice(model.text(), boundary, trials, len(done.stopped), model.assumes)


def one_arm_job(
    effect: Effect, model: Outcome, boundary: str, values: NDArray[np.float64], seed: int
) -> Job:
    """One arm by itself at the δ whose level is that of an arm among many."""
    levels = parse_boundary(MIXTURE, effect.arms, effect.delta).levels
    level = levels.name if effect.is_good else levels.none
    alone = effect.delta / effect.arms if boundary == PAPERS else math.exp(-level)
    instance = Instance(effect.threshold, [float(values.mean())], goal=effect.goal).altered(
        kinds=(EMPIRICAL,), outcomes=(values,), sigmas=np.array(model.scales(1))
    )
    # With one arm any algorithm will do; this one is often compiled already.
    return make_job("APGAI", instance, FIXED_CONFIDENCE, CAP, seed, alone, boundary, outcome=model)


def typical_outcomes(effect: Effect) -> NDArray[np.float64]:
    """Equally likely outcomes with the effect's mean and scatter, of its kind of distribution."""
    answers, mean, scatter = effect.answers, effect.mean, effect.scatter
    low, high = _range(answers)
    if answers.kind == YES_NO and not answers.varying:
        return np.asarray(np.arange(LUMPY) >= round((1.0 - mean) * LUMPY), dtype=np.float64)
    if answers.kind == COUNT and high is None:
        return _counts(mean, scatter**2)
    if low is not None or high is not None:
        return np.array(Bounded(low, high).typical(mean, scatter, SMOOTH))
    return mean + scatter * quantiles.normal((np.arange(SMOOTH) + 0.5) / SMOOTH)


def _counts(mean: float, variance: float) -> NDArray[np.float64]:
    """Poisson counts; negative binomial ones where the variance is larger than the mean."""
    most = int(mean + 12.0 * math.sqrt(variance)) + 20
    k = np.arange(most)
    if variance > mean:
        size = mean**2 / (variance - mean)
        ratios = (k[1:] - 1.0 + size) / k[1:] * (mean / (mean + size))
    else:
        ratios = mean / k[1:]
    logs = np.concatenate([[0.0], np.cumsum(np.log(ratios))])
    shares = np.cumsum(np.exp(logs - logs.max()))
    levels = (np.arange(LUMPY) + 0.5) / LUMPY
    return np.asarray(np.searchsorted(shares / shares[-1], levels), dtype=np.float64)


def _can_show(model: Outcome, above: bool) -> bool:
    """Whether the model has a certificate for that side at all."""
    if not isinstance(model, Bounded):
        return True
    return (model.lo if above else model.hi) is not None


def _known_scale(effect: Effect) -> tuple[float | None, str]:
    """The σ that the paper's boundary would be given, and where it comes from."""
    answers = effect.answers
    low, high = _range(answers)
    if answers.sigma is not None:
        return answers.sigma, "the paper's boundary, σ as declared"
    if low is not None and high is not None:
        return 0.5 * (high - low), "the paper's boundary, σ half the range"
    if answers.kind == NUMBER and not answers.skewed:
        return effect.scatter, "the paper's boundary, as if σ were known"
    return None, ""


def _range(answers: Answers) -> tuple[float | None, float | None]:
    if answers.kind == YES_NO:
        return 0.0, 1.0
    if answers.kind in (COUNT, DURATION):
        return 0.0, answers.hi
    return answers.lo, answers.hi


def _check_inside(what: str, value: float, low: float | None, high: float | None) -> None:
    if (low is not None and value <= low) or (high is not None and value >= high):
        inside = between(low, high)
        raise InputError(f"{what}: {value:g} is not {inside}, where such outcomes have their means")


def _usual_threshold(answers: Answers) -> float:
    low, high = _range(answers)
    if low is not None and high is not None:
        return 0.5 * (low + high)
    if answers.kind in THRESHOLDS:
        return THRESHOLDS[answers.kind]
    step = answers.sigma or 1.0
    return 0.0 if low is high else (low + step if low is not None else (high or 0.0) - step)


def _usual_mean(answers: Answers, bar: float, scatter: float | None, goal: str) -> float:
    """A quarter of a standard deviation off the bar, but no more than halfway to a bound."""
    away = 1.0 if goal == ABOVE else -1.0
    low, high = _range(answers)
    distance = EFFECT * _scatter(answers, bar, scatter)
    end = high if away > 0.0 else low
    if end is not None:
        distance = min(distance, 0.5 * abs(end - bar))
    return bar + away * distance


def _scatter(answers: Answers, mean: float, given: float | None) -> float:
    """The standard deviation: as given, as the kind has it, or as is usual."""
    own = _own_scatter(answers, mean)
    if given is None:
        return own
    scatter = number("scatter", given)
    if scatter <= 0.0:
        raise InputError(f"scatter: {scatter:g} is not positive; give a standard deviation above 0")
    if answers.kind in (YES_NO, COUNT) and not answers.varying:
        raise InputError(
            f"scatter: {answers.kind} outcomes have their own; leave it out, or say that they vary "
            "more than by chance (varying)"
        )
    if answers.kind == DURATION and not answers.varying and scatter > mean:
        raise InputError(
            f"scatter: {scatter:g} is above the mean {mean:g}; say that durations vary by more "
            "than their mean (varying)"
        )
    return scatter


def _own_scatter(answers: Answers, mean: float) -> float:
    more = math.sqrt(SCATTERED) if answers.varying else 1.0
    if answers.kind == YES_NO:
        return math.sqrt(mean * (1.0 - mean)) * (NARROW if answers.varying else 1.0)
    if answers.kind == COUNT:
        return more * math.sqrt(mean)
    if answers.kind == DURATION:
        return more * mean
    if answers.sigma is not None:
        return answers.sigma
    low, high = _range(answers)
    if low is not None and high is not None:
        return NARROW * (high - low)
    if answers.skewed and (low is not None or high is not None):
        return abs(mean - (low if low is not None else high or 0.0))
    return 1.0
