"""What a model costs for one arm, against exact figures and against what the outcomes must be."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, Bounded, Gaussian
from goodarm.outcomes.choosing import Answers, advise, known_model
from goodarm.planning.prices import (
    effect_of,
    one_arm_job,
    price_models,
    typical_outcomes,
)
from goodarm.stopping import parse_boundary

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "one_arm_price.py"))


@pytest.mark.parametrize("mean", [0.65, 0.3])
def test_yes_or_no_costs_what_going_through_everything_says(mean: float) -> None:
    """0.65 is named at ln(K/(xδ)), 0.3 ruled out at ln(1/δ₋); bench/one_arm_price.py is exact."""
    effect = effect_of(Answers("yes-no"), 0.5, mean, arms=10)
    price, _ = price_models(effect, [Bernoulli()])
    levels = parse_boundary("mixture", 10, 0.05).levels
    level = levels.name if mean > 0.5 else levels.none
    least = level / BENCH["bernoulli_kl"](mean, 0.5)
    exact = least * BENCH["bernoulli_price"](0.5, mean, math.exp(-level))
    assert price.trials is not None
    assert price.trials.high is not None
    error = (price.trials.high - price.trials.low) / 4.0
    assert price.trials.value == pytest.approx(exact, abs=4.0 * error)
    assert error < 0.03 * exact


def test_the_paper_needs_more_and_the_same_question_has_the_same_answer() -> None:
    answers = Answers("share")
    effect = effect_of(answers, mean=0.56)
    found = price_models(effect, advise(answers).models)
    assert [price.outcome for price in found] == ["bounded:0:1", "gaussian", "glr"]
    by_model = {price.outcome: price.trials for price in found}
    assert by_model["glr"].low > 10.0 * by_model["bounded:0:1"].high
    assert found == price_models(effect, advise(answers).models)


def test_levels_are_those_of_an_arm_among_many() -> None:
    effect = effect_of(Answers("number", sigma=2.0), arms=7, delta=0.02)
    values = typical_outcomes(effect)
    job = one_arm_job(effect, Gaussian(2.0), "mixture", values, 0)
    among = parse_boundary("mixture", 7, 0.02)
    assert job.boundary.levels.name == pytest.approx(among.levels.name)
    paper = one_arm_job(effect, Gaussian(2.0), "glr", values, 0)
    assert paper.boundary.level(50) == pytest.approx(parse_boundary("glr", 7, 0.02).level(50))
    bad = effect_of(Answers("number", sigma=2.0), mean=-1.0, arms=7, delta=0.02)
    job = one_arm_job(bad, Gaussian(2.0), "mixture", values, 0)
    assert job.boundary.levels.none == pytest.approx(among.levels.none)


@pytest.mark.parametrize(
    ("answers", "given"),
    [
        (Answers("yes-no"), {"mean": 0.06, "threshold": 0.04}),
        (Answers("yes-no", varying=True), {"mean": 0.06, "scatter": 0.03}),
        (Answers("count"), {"mean": 6.3}),
        (Answers("count"), {"mean": 0.02, "threshold": 0.01}),
        (Answers("count", varying=True), {"mean": 6.3, "scatter": 4.0}),
        (Answers("duration"), {"mean": 12.0}),
        (Answers("duration"), {"mean": 12.0, "scatter": 3.0}),
        (Answers("duration", varying=True, hi=100.0), {"mean": 12.0, "scatter": 15.0}),
        (Answers("share", lo=1.0, hi=5.0), {"mean": 3.5, "scatter": 1.0}),
        (Answers("number"), {"mean": 3.5, "scatter": 7.0}),
        (Answers("number", hi=3.0, skewed=True), {"mean": 1.0, "scatter": 2.0}),
    ],
)
def test_outcomes_have_the_mean_and_scatter_that_they_should(answers: Answers, given: dict) -> None:
    effect = effect_of(answers, **given)
    values = typical_outcomes(effect)
    assert values.mean() == pytest.approx(given["mean"], rel=2e-3)
    assert values.std() == pytest.approx(effect.scatter, rel=1e-2)
    for model in advise(answers).models:
        model.check(float(values.min()), effect.threshold)
        model.check(float(values.max()), effect.threshold)


@pytest.mark.parametrize(
    ("answers", "law"),
    [
        (Answers("count"), stats.poisson(6.3)),
        (Answers("count", varying=True), stats.nbinom(6.3, 0.5)),
    ],
)
def test_counts_follow_their_law(answers: Answers, law) -> None:
    scatter = law.std() if answers.varying else None
    values = typical_outcomes(effect_of(answers, mean=6.3, scatter=scatter))
    k = np.arange(20)
    shares = (values[:, None] == k).mean(axis=0)
    assert shares == pytest.approx(law.pmf(k), abs=2e-5)


def test_a_side_without_its_bound_has_no_price() -> None:
    effect = effect_of(Answers("duration", varying=True), goal="below")
    price, paper = price_models(effect, [Bounded(lo=0.0)])
    assert (price.trials, paper.trials) == (None, None)
    assert "cannot show a mean below the bar" in price.remark
    assert "known σ" in paper.remark


def test_a_model_that_does_not_take_the_outcomes_has_no_price() -> None:
    price, _ = price_models(effect_of(Answers("count"), 5.0, 6.0), [Bounded(0.0, 8.0)])
    assert price.trials is None
    assert "outside [0, 8]" in price.remark


@pytest.mark.parametrize(
    ("answers", "given", "said"),
    [
        (Answers("yes-no"), {"threshold": 1.5}, "threshold: 1.5 is not between 0 and 1"),
        (Answers("yes-no"), {"mean": 0.5}, "at the bar"),
        (Answers("yes-no"), {"mean": 1.2}, "mean: 1.2 is not between 0 and 1"),
        (Answers("yes-no"), {"scatter": 0.3}, "have their own"),
        (Answers("count"), {"mean": -1.0}, "mean: -1 is not above 0"),
        (Answers("duration"), {"mean": 12.0, "scatter": 20.0}, "above the mean 12"),
        (Answers("number"), {"scatter": 0.0}, "scatter: 0 is not positive"),
        (Answers("number"), {"delta": 2.0}, "delta"),
        (Answers("number"), {"arms": 0}, "arms: 0 is outside 1"),
        (Answers("number"), {"goal": "up"}, "unknown goal 'up'"),
    ],
)
def test_questions_that_make_no_sense(answers: Answers, given: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        effect_of(answers, **given)


@pytest.mark.parametrize(
    ("answers", "given", "ratios"),
    [
        (Answers("share"), {"mean": 0.55, "scatter": 0.1}, {"bounded:0:1": 32.9}),
        (Answers("share"), {"mean": 0.45, "scatter": 0.1}, {"bounded:0:1": 32.6}),
        (Answers("yes-no"), {"mean": 0.6}, {"bernoulli": 2.4, "bounded:0:1": 2.3}),
        (Answers("number", sigma=1.0), {"mean": 0.5}, {"gaussian": 1.8, "gaussian:1": 2.1}),
    ],
)
def test_the_paper_s_trials_over_ours_as_others_found_them(
    answers: Answers, given: dict, ratios: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One arm, δ = 0.05: figures that independent programs gave for the same questions."""
    monkeypatch.setattr("goodarm.planning.prices.PULLS", 2_000_000)
    effect = effect_of(answers, arms=1, **given)
    models = [model for text in ratios if (model := known_model(text)) is not None]
    *found, paper = price_models(effect, models)
    assert paper.trials is not None
    for price in found:
        ratio = paper.trials.value / price.trials.value
        assert ratio == pytest.approx(ratios[price.outcome], rel=0.05), price.outcome
