"""A plan agrees with an independent simulation, says what it did, and refuses nonsense."""

import json

import pytest

from goodarm import InputError, Instance, simulate
from goodarm.outcomes import Bernoulli, Bounded, Gaussian
from goodarm.planning import Plan, PlanRequest, plan, question
from goodarm.planning.protocol import _guesses, _stopping_rule
from goodarm.planning.sensitivity import list_cases

BASE = {"means": [0.3, 0.4, 0.8], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.05}


@pytest.fixture(scope="module")
def made() -> Plan:
    return plan(**BASE, batch=10, per_day=7, delay=2, runs=3000)


def test_the_mean_agrees_with_a_larger_independent_simulation(made: Plan) -> None:
    """Within the plan's own interval; test_calibration.py shows how often that holds."""
    instance = Instance(0.5, BASE["means"], kind="bernoulli")
    names = [a.algorithm for a in made.algorithms]
    truth = simulate(instance, names, delta=0.05, runs=500_000, seed=987)
    for a in made.algorithms:
        assert a.trials.mean.low <= truth[a.algorithm].mean <= a.trials.mean.high


def test_the_same_question_has_the_same_answer() -> None:
    one, two = (plan(**BASE, algorithms=["APGAI"], runs=100).to_dict() for _ in range(2))
    assert one == two


def test_answers_quantiles_and_errors(made: Plan) -> None:
    for a in made.algorithms:
        assert sum(a.answers.values()) == pytest.approx(1.0)
        assert next(iter(a.answers)) == "arm 3"
        assert a.error_rate.value <= 0.05
        levels = list(a.trials.quantiles.values())
        assert levels == sorted(levels)
        errors = [e.value for e in a.error_rates_by_budget.values()]
        assert errors[-1] <= errors[0]
        assert all(e.low <= e.value <= e.high for e in a.error_rates_by_budget.values())


def test_smaller_delta_takes_longer(made: Plan) -> None:
    by_bar: dict[float, list[float]] = {}
    for case in made.sensitivity:
        by_bar.setdefault(case.threshold, []).append(case.mean.value)
    assert list(by_bar) == [0.45, 0.5, 0.55]
    assert all(means == sorted(means) for means in by_bar.values())


def test_the_number_of_runs_is_chosen_and_reported() -> None:
    found = plan([0.9, 0.1], threshold=0.5, outcome="bernoulli", delta=0.1, algorithms=["APGAI"])
    assert found.algorithms[0].runs == 100_000
    assert "100,000 simulated runs" in found.protocol


def test_a_budget_leaves_runs_unfinished() -> None:
    found = plan(**{**BASE, "means": [0.5, 0.5]}, budget=60, algorithms=["APGAI"], runs=200)
    only = found.algorithms[0]
    assert only.answers["no answer yet"] == only.trials.unfinished.value > 0.5
    assert only.trials.quantiles["0.95"] == 60
    assert "reach 60 trials without one" in found.protocol


@pytest.fixture(scope="module")
def hard() -> Plan:
    """Arms at the bar: nobody will ever be sure, and the simulation gives up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(question, "LIMIT", 500)
        return plan(**{**BASE, "means": [0.5, 0.5]}, per_day=50, algorithms=["APGAI"], runs=200)


def test_a_limit_is_not_taken_for_a_mean(hard: Plan) -> None:
    only = hard.algorithms[0]
    assert only.trials.unfinished.value > 0.9
    assert only.trials.mean.high is None
    assert only.trials.mean.low <= 500
    assert only.trials.quantiles["0.5"] is None
    for case in hard.sensitivity:
        assert (case.mean.high is None) == (case.unfinished > 0.0)
        assert (case.q90 is None) == (case.unfinished >= 0.1)
    daily = only.schedules[0]
    assert (daily.extra, daily.median, daily.limit) == (None, None, 10)
    assert (
        f"We expect more than {only.trials.mean.value:,.0f} trials on average; in" in hard.protocol
    )
    assert "half of the" not in hard.protocol
    assert "% reach 500 trials without one" in hard.protocol
    assert f"and more than {daily.units.value:,.1f} days, with a wrong answer" in hard.protocol


def test_quantiles_below_the_limit_are_known() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(question, "LIMIT", 120)
        made = plan(**{**BASE, "means": [0.3, 0.65]}, algorithms=["APGAI"], runs=400)
        patch.setattr(question, "LIMIT", 100_000)
        all_ = plan(**{**BASE, "means": [0.3, 0.65]}, algorithms=["APGAI"], runs=400).algorithms[0]
    some = made.algorithms[0]
    assert 0.1 < some.trials.unfinished.value < 0.5
    levels = [level for level, trials in some.trials.quantiles.items() if trials is not None]
    assert 0 < len(levels) < len(some.trials.quantiles)
    for level in levels:
        assert some.trials.quantiles[level] == all_.trials.quantiles[level]
    assert some.trials.mean.low < all_.trials.mean.value
    assert "half of the simulated runs need at most" in made.protocol
    assert "nine in ten" not in made.protocol


@pytest.mark.parametrize(
    ("change", "bars"),
    [
        ({"means": [0.02, 0.025, 0.03, 0.035, 0.05], "threshold": 0.04}, [0.035, 0.04, 0.045]),
        ({"means": [0.4, 0.9], "threshold": 0.04}, [0.02, 0.04, 0.06]),
        ({"means": [0.5, 0.5]}, [0.45, 0.5, 0.55]),
        ({"means": [20, 80], "threshold": 50, "outcome": "bounded:0:100"}, [45, 50, 55]),
        (
            {"means": [99.2, 99.8], "threshold": 99.5, "outcome": "bounded:0:100"},
            [99.45, 99.5, 99.55],
        ),
        ({"means": [-3000, 9000], "threshold": 0, "outcome": "gaussian:4000"}, [-500, 0, 500]),
        ({"means": ["-1..1"], "threshold": 0, "outcome": "gaussian:40"}, [-0.2, 0, 0.2]),
        ({"means": None, "unknown": 3, "threshold": 0, "outcome": "gaussian:1"}, [-0.1, 0, 0.1]),
    ],
)
def test_other_bars_are_on_the_scale_of_the_question(change: dict, bars: list[float]) -> None:
    cases = list_cases(PlanRequest(**{**BASE, **change}).checked())
    assert sorted({threshold for threshold, _ in cases}) == bars


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "means 0.3, 0.4, 0.8"),
        ({"means": [0.8]}, "means 0.8"),
        ({"means": [0.3, 0.8, 0.3]}, "means 0.3 (2 times), 0.8"),
        ({"means": ["0.2..0.4", 0.8]}, "100 sets of means drawn uniformly from 0.2 to 0.4, 0.8"),
        (
            {"means": [1.0, 2.0], "outcome": "gaussian", "scatter": 1.5},
            "means 1, 2, a standard deviation of 1.5",
        ),
    ],
)
def test_what_was_assumed_of_the_means_is_said(change: dict, said: str) -> None:
    assert _guesses(PlanRequest(**{**BASE, **change}).checked()) == said


@pytest.mark.parametrize(
    ("boundary", "said"),
    [
        ("mixture", 'the stopping rule "mixture" (certificates for outcomes of this kind)'),
        ("glr", 'the stopping rule "glr"'),
        ("own", "the algorithm's own stopping rule"),
    ],
)
def test_which_stopping_rule_was_simulated_is_said(boundary: str, said: str) -> None:
    assert _stopping_rule(boundary) == said


def test_a_range_begins_with_its_smaller_end() -> None:
    with pytest.raises(InputError, match=r"'0.6..0.3' the first number is the larger one"):
        PlanRequest(**{**BASE, "means": ["0.6..0.3"]}).checked()


def test_a_budget_alone() -> None:
    found = plan([0.3, 0.8], threshold=0.5, outcome="bernoulli", budget=40, runs=500)
    first = found.algorithms[0]
    assert first.trials is None
    assert found.sensitivity == ()
    assert max(first.error_rates_by_budget) == 40
    assert first.error_rates_by_budget[40].value == pytest.approx(first.error_rate.value, abs=0.03)
    assert "carries no guarantee" in found.protocol


def test_less_is_better_is_the_mirror_image() -> None:
    above = plan(**{**BASE, "threshold": 0.6}, algorithms=["APGAI"], runs=300)
    below = plan(
        [0.7, 0.6, 0.2],
        threshold=0.4,
        outcome="bernoulli",
        delta=0.05,
        goal="below",
        algorithms=["APGAI"],
        runs=300,
    )
    assert below.algorithms[0].trials.mean.value == pytest.approx(
        above.algorithms[0].trials.mean.value, rel=0.02
    )


@pytest.mark.parametrize(
    ("outcome", "scale"), [(Bernoulli(), 1.0), (Bounded(0, 100), 100.0), (Gaussian(2.0), 4.0)]
)
def test_kinds_of_outcome(outcome: object, scale: float) -> None:
    found = plan(
        [scale * m for m in (0.2, 0.9)],
        threshold=0.5 * scale,
        outcome=outcome,
        delta=0.1,
        algorithms=["APGAI-FE"],
        runs=200,
    )
    assert found.algorithms[0].answers["arm 2"] > 0.9


def test_bounded_outcomes_are_as_hard_as_zeros_and_ones() -> None:
    """The same runs, since outcomes at the ends of the range are the hardest case."""
    coins = plan(**BASE, algorithms=["APGAI"], runs=200).algorithms[0]
    scores = plan(
        [30, 40, 80],
        threshold=50,
        outcome="bounded:0:100",
        delta=0.05,
        algorithms=["APGAI"],
        runs=200,
    ).algorithms[0]
    assert scores.trials == coins.trials
    assert scores.answers == coins.answers


class Unknowable(Gaussian):
    """A model that says nothing of how outcomes are distributed, not even their range."""

    functions = Gaussian.functions._replace(draw=None)


def test_a_model_that_cannot_be_drawn_from_needs_data() -> None:
    asked = {"threshold": 0.0, "outcome": Unknowable(1.0), "delta": 0.1, "runs": 50}
    with pytest.raises(InputError, match="or recorded data"):
        plan([0.5, -0.5], **asked)
    found = plan(data={"a": [1.0, 2.0], "b": [-1.0, -2.0]}, **asked, algorithms=["APGAI"])
    assert next(iter(found.algorithms[0].answers)) == "a"


def test_each_option_may_have_a_scatter_of_its_own() -> None:
    """The plan's runs are those of an instance with these scales."""
    found = plan(
        [0.3, -0.5],
        threshold=0.0,
        outcome="gaussian:0.2,3",
        delta=0.05,
        algorithms=["Unif"],
        runs=400,
    )
    instance = Instance(0.0, [0.3, -0.5], sigma=[0.2, 3.0])
    same = simulate(instance, "Unif", delta=0.05, runs=20_000, seed=5)["Unif"]
    mean = found.algorithms[0].trials.mean
    assert mean.low - 1.0 < same.mean < mean.high + 1.0
    near = plan(
        unknown=2,
        threshold=0.0,
        outcome="gaussian:0.2,3",
        budget=20,
        algorithms=["APGAI"],
        runs=100,
    )
    assert near.question.arms.ranges == ((-0.1, 0.1), (-1.5, 1.5))


def test_the_rule_that_stops_the_runs() -> None:
    """Certificates of the outcome model, unless the algorithm has another boundary or its own."""
    asked = {**BASE, "budget": 3000, "algorithms": ["HDoC", "HDoC[boundary=kano]", "lil-HDoC"]}
    found = plan(**asked, runs=100)
    assert [a.boundary for a in found.algorithms] == ["mixture", "kano", "own"]
    means = [a.trials.mean.value for a in found.algorithms]
    assert means[0] < 0.6 * means[1]
    assert 'the stopping rule "mixture" (certificates' in found.protocol
    kano = plan(**{**asked, "algorithms": ["HDoC[boundary=kano]"]}, runs=100)
    assert 'ends when the stopping rule "kano" is sure at 95 %' in kano.protocol


def test_nothing_known_means_near_the_bar() -> None:
    found = plan(
        unknown=3, threshold=0.9, outcome="bernoulli", budget=30, runs=200, algorithms=["APGAI"]
    )
    assert found.question.arms.ranges == ((0.65, 1.0),) * 3
    assert found.to_dict()["sets_of_means"] == 100
    assert "0.65 to 1 (3 times)" in found.protocol


def test_recorded_outcomes(tmp_path) -> None:
    path = tmp_path / "past.csv"
    rows = ["old,0", "old,1", "old,0", "new,1", "new,1", "new,0", "new,1", "new,1"]
    path.write_text("\n".join(["arm,value", *rows]))
    for outcome in ("bernoulli", "gaussian:0.5"):
        found = plan(
            data=path, threshold=0.5, outcome=outcome, delta=0.1, runs=200, algorithms=["APGAI"]
        )
        assert next(iter(found.algorithms[0].answers)) == "new"
        assert "drawn from those recorded" in found.protocol


def test_recorded_outcomes_where_less_is_better() -> None:
    seen = {"slow": [3.0, 5.0, 4.0, 6.0], "fast": [1.0, 0.5, 2.0, 1.5]}
    for outcome in ("gaussian:1", "bounded:0:10"):
        found = plan(
            data=seen,
            threshold=3,
            outcome=outcome,
            delta=0.1,
            goal="below",
            runs=200,
            algorithms=["APGAI"],
        )
        assert found.algorithms[0].answers["fast"] > 0.9
        assert "is at most 3" in found.protocol


def test_plain_data(made: Plan) -> None:
    shown = json.loads(json.dumps(made.to_dict()))
    fields = (
        "threshold goal outcome arms delta budget batch per_day delay seed scatter sets_of_means "
        "suggestions algorithms recommended sensitivity protocol assumptions"
    )
    assert set(shown) == set(fields.split())
    fields = "algorithm boundary runs trials answers error_rate error_rates_by_budget schedules"
    assert set(shown["algorithms"][0]) == set(fields.split())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"means": []}, "means"),
        ({"means": [0.3, "x"]}, "'x'"),
        ({"means": [True]}, "True"),
        ({"means": ["0.1..0.2..0.3"]}, "range"),
        ({"means": ["0.6..0.3"]}, "larger"),
        ({"means": [float("nan")]}, "finite"),
        ({"means": [1.2]}, "between 0 and 1"),
        ({"means": None}, "exactly one"),
        ({"unknown": 3}, "exactly one"),
        ({"means": None, "unknown": 0}, "unknown"),
        ({"means": None, "data": "nowhere.csv"}, "nowhere.csv"),
        ({"means": None, "data": {"a": [0, 1]}, "names": ["b"]}, "names"),
        ({"means": None, "data": {"a": [0, 0.5]}}, "a: value: 0.5 is neither"),
        ({"outcome": "gaussian:1,2"}, "sigma: 2 values"),
        ({"means": None, "unknown": 3, "outcome": "gaussian:1,2"}, "sigma: 2 values"),
        ({"threshold": 1.0}, "threshold"),
        ({"outcome": "lognormal"}, "lognormal"),
        ({"outcome": "bounded:0"}, "scatter"),
        ({"goal": "sideways"}, "sideways"),
        ({"delta": 1.5}, "delta"),
        ({"delta": None}, "delta"),
        ({"budget": 1}, "budget"),
        ({"names": ["a", "a", "b"]}, "'a'"),
        ({"names": ["a"]}, "names"),
        ({"algorithms": []}, "algorithms"),
        ({"algorithms": ["APGIA"]}, "APGAI"),
        ({"algorithms": ["SR-G"]}, "SR-G"),
        ({"batch": 0}, "batch"),
        ({"per_day": -1}, "per_day"),
        ({"delay": 3}, "per_day or batch"),
        ({"delay": 1001, "per_day": 2}, "1000"),
        ({"runs": 100_001}, "runs"),
        ({"seed": -1}, "seed"),
    ],
)
def test_input_errors(change: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        plan(**{**BASE, **change})


def test_without_a_model_the_data_suggest_one() -> None:
    asked = {"threshold": 0.5, "budget": 20, "algorithms": ["APGAI"], "runs": 50}
    recorded = {"a": [0.0, 1.0, 1.0], "b": [0.0, 0.0, 1.0]}
    found = plan(data=recorded, **asked)
    assert found.question.arms.outcome == Bernoulli()
    assert found.question.suggestions.best.why == "every outcome is 0 or 1"
    again = plan(data=Instance.from_data(recorded, 0.5), **asked)
    assert again.to_dict() == found.to_dict()
    with pytest.raises(InputError, match="goodarm outcomes helps to choose"):
        plan([0.4], **asked)
