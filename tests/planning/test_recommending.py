"""A plan names the algorithm that its own simulation found best, if that is clear."""

import json
from dataclasses import replace

import numpy as np
import pytest

from goodarm import Instance, defaults, plan, simulate
from goodarm.planning import PlanRequest
from goodarm.planning.by_algorithm import AlgorithmPlan, Played
from goodarm.planning.question import PlanQuestion
from goodarm.planning.recommending import Recommendation, ratio_of, recommend
from goodarm.planning.schedules import SchedulePlan
from goodarm.planning.simulations import Endings, Estimate

ASKED = {"means": [0.3, 0.4, 0.8], "threshold": 0.5, "outcome": "bernoulli"}
NOTHING = Estimate(0.0, 0.0, 0.0)
RUNS = 400
USUAL = defaults.ALGORITHM


def question(**change: object) -> PlanQuestion:
    return PlanRequest(**{**ASKED, "delta": 0.05, **change}).checked()


def played(name: str, times: object, errors: object = False, stopped: object = True) -> Played:
    """An algorithm whose runs ended like this; what the table of the plan says is left open."""

    def table(values: object, dtype: type) -> np.ndarray:
        return np.broadcast_to(np.asarray(values), (1, RUNS)).astype(dtype)

    described = AlgorithmPlan(name, "mixture", RUNS, None, {}, NOTHING, {}, ())
    end = Endings(table(times, int), table(0, int), table(stopped, bool), table(errors, bool))
    return Played(described, end)


def advice(*algorithms: Played, **change: object) -> Recommendation:
    return recommend(question(**change), algorithms)


def scattered(mean: float, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).gamma(4.0, mean / 4.0, size=RUNS)


def test_the_error_of_a_ratio_is_as_large_as_it_says() -> None:
    """Skewed numbers that share most of their chance, as two algorithms do in the same runs."""
    generator = np.random.default_rng(1)
    covered = widths = 0.0
    for _ in range(1000):
        shared, own, other = generator.gamma(2.0, size=(3, 1, 200))
        found = ratio_of(0.9 * shared + 0.09 * own, shared + 0.1 * other)
        covered += found.low <= -0.1 <= found.high
        widths += found.high - found.low
    assert 920 <= covered <= 975
    assert widths / 1000 < 0.06, "of two numbers that share nothing it would be 0.24"


def test_only_runs_that_both_have_are_compared() -> None:
    reference = np.full((2, 300), 100.0)
    fewer = np.full((2, 200), 80.0)
    reference[:, 200:] = 1e9
    assert ratio_of(fewer, reference) == Estimate(pytest.approx(-0.2), *[pytest.approx(-0.2)] * 2)
    assert ratio_of(fewer, np.zeros((2, 300))) is None


def test_a_better_one_is_recommended_with_the_difference() -> None:
    times = scattered(1000.0)
    found = advice(played(USUAL, times), played("TaS", 0.88 * times), played("Unif", 0.95 * times))
    assert (found.algorithm, found.reference) == ("TaS", USUAL)
    assert found.reason == (
        f"TaS needs 12 % fewer trials than {USUAL} (the default) here, "
        "if the options are as assumed."
    )
    assert found.differences["TaS"].value == pytest.approx(-0.12, abs=0.001)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (scattered(990.0, seed=2), "within the error of the simulation"),
        (0.985 * scattered(1000.0), "2 % fewer, too little to matter"),
        (scattered(1000.0), "TaS: as many"),
    ],
)
def test_in_case_of_doubt_the_default_is(other: np.ndarray, said: str) -> None:
    found = advice(played("TaS", other), played(USUAL, scattered(1000.0)))
    assert found.algorithm == USUAL
    assert "no other algorithm is clearly better" in found.reason
    assert said in found.reason


def test_the_best_one_is_named_with_the_next() -> None:
    times = scattered(200.0)
    found = advice(played(USUAL, times), played("Unif", 3.1 * times), played("TaS", 1.09 * times))
    assert found.reason == (
        f"{USUAL} needs the fewest trials here: {times.astype(int).mean():.0f} on average; "
        "TaS 9 % more."
    )
    alone = advice(played(USUAL, times), played("Unif", 3.1 * times))
    assert alone.reason.endswith("Unif 3.1 times as many.")
    assert "no other algorithm was simulated" in advice(played("TaS", times)).reason


def test_fewer_trials_without_an_answer_are_no_gain() -> None:
    times, late = scattered(1000.0), np.arange(RUNS) % 10 == 0
    found = advice(played(USUAL, times), played("TaS", 0.8 * times, stopped=~late), budget=2000)
    assert found.algorithm == USUAL
    assert "TaS: 20 % fewer, but more often without an answer" in found.reason


def test_runs_that_were_given_up_are_counted_as_far_as_they_went() -> None:
    late = np.arange(RUNS) % 10 == 0
    times = np.where(late, 100_000, 40_000)
    usual, better = played(USUAL, times, stopped=~late), played("TaS", times / 2, stopped=~late)
    assert "given up at 100,000 trials" in advice(usual, better).reason
    alone = advice(usual, played("Unif", 2 * times))
    assert "more than 46,000 on average" in alone.reason


def test_without_delta_it_goes_by_wrong_answers() -> None:
    chance = np.random.default_rng(3).random(RUNS)
    usual = played(USUAL, 50, errors=chance < 0.3)
    ahead = advice(usual, played("TaS", 50, errors=chance < 0.1), delta=None, budget=50)
    assert (ahead.algorithm, ahead.measure) == ("TaS", "error_rate")
    assert ahead.reason.startswith(f"TaS is wrong less often than {USUAL} (the default) here: in ")
    behind = advice(usual, played("TaS", 50, errors=chance < 0.5), delta=None, budget=50)
    assert behind.reason.startswith(f"{USUAL} is wrong least often here")
    never = advice(played(USUAL, 50), played("TaS", 50), delta=None, budget=50)
    assert never.differences == {"TaS": None}
    assert "no other algorithm is clearly better (TaS: 0.0 %)" in never.reason


def test_the_schedule_asked_for_is_said() -> None:
    times = scattered(200.0)
    daily = SchedulePlan("days", 12, 0, RUNS, *[NOTHING] * 3, 1.0, 1.0, NOTHING, NOTHING, 9)
    usual = played(USUAL, times)
    usual = replace(usual, plan=replace(usual.plan, schedules=(daily,)))
    assert "trials here at 12 trials a day" in advice(usual, played("TaS", 2 * times)).reason


def test_a_plan_finds_the_difference_that_a_larger_simulation_finds() -> None:
    """Of algorithms far apart, as shares of the first; and by the day, where that is asked for."""
    asked = {**ASKED, "delta": 0.05, "algorithms": ["Unif", "APGAI-FE"], "runs": 2000}
    made = plan(**asked)
    found = made.recommended
    assert (found.algorithm, found.reference, found.measure) == ("APGAI-FE", "Unif", "trials")
    instance = Instance(0.5, ASKED["means"], kind="bernoulli")
    truth = simulate(instance, asked["algorithms"], delta=0.05, runs=50_000, seed=987)
    ratio = truth["APGAI-FE"].mean / truth["Unif"].mean
    difference = found.differences["APGAI-FE"]
    assert difference.low <= ratio - 1.0 <= difference.high
    assert json.loads(json.dumps(made.to_dict()))["recommended"]["reason"] == found.reason
    daily = plan(**{**asked, "runs": 500}, per_day=30).recommended
    assert daily.differences["APGAI-FE"].value > difference.value
    assert "here at 30 trials a day" in daily.reason


def test_what_is_compared_where_nothing_is_named() -> None:
    names = question().algorithms
    assert names[0] == USUAL
    assert {"Scout", "APGAI-FE", "APGAI"} <= set(names)
    assert len(set(names)) == len(names) <= 4


def test_what_may_go_wrong_is_said_with_the_advice() -> None:
    times = scattered(1000.0)
    found = advice(played(USUAL, times), played("APGAI", 0.8 * times))
    assert "20 % fewer" in found.reason
    assert "otherwise it may stay with an option at or just above the bar" in found.reason
