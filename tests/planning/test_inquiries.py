"""Plans of every question, against simulations that are made in another way."""

import json

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from goodarm import Criterion, InputError, Instance, plan, plan_inquiry, simulate
from goodarm.cli.plan import plan as plan_command
from goodarm.inquiry.processes import processes
from goodarm.planning.inquiries.expected import expect
from goodarm.planning.inquiries.request import InquiryRequest

RATE = Criterion.declare("bernoulli", 0.5)
EFFICACY, HARM = "efficacy:bernoulli>=0.3", "harm:bernoulli<=0.2"

app = typer.Typer()
app.command()(plan_command)


def planned(means, criteria=RATE, question="all", runs=60, **asked):
    return plan_inquiry(means, criteria, question, 0.05, runs=runs, cores=1, **asked)


def test_all_takes_what_each_arm_takes_alone():
    means = (0.2, 0.75, 0.9)
    first = planned(means, runs=300).algorithms[0]
    for arm, mean in zip(first.arms, means, strict=True):
        alone = Instance(0.5, [mean], "bernoulli")
        own = simulate(alone, "Unif", delta=0.05 / 3, runs=4000)["Unif"]
        error = np.hypot(own.se, own.std / 300**0.5)
        assert arm.trials == pytest.approx(own.mean, abs=4.0 * error)
    assert first.trials.mean.value == pytest.approx(sum(arm.trials for arm in first.arms))


def test_any_is_the_same_question_as_that_of_a_plain_plan():
    asked = {"algorithms": ["Unif"], "runs": 400}
    compiled = plan([0.3, 0.7], threshold=0.5, outcome="bernoulli", delta=0.05, **asked)
    ours = plan_inquiry([0.3, 0.7], RATE, "any", 0.05, cores=1, **asked)
    one, other = (made.algorithms[0].trials.mean for made in (compiled, ours))
    width = max(one.high - one.low, other.high - other.low)
    assert one.value == pytest.approx(other.value, abs=1.5 * width)


def test_costs_are_trials_times_prices():
    made = planned([0.1, 0.9], costs={"arm 2": 2.5})
    first = made.algorithms[0]
    spent = first.arms[0].trials + 2.5 * first.arms[1].trials
    assert first.cost.mean.value == pytest.approx(spent)
    assert "The trials cost" in made.protocol
    assert planned([0.1, 0.9], runs=20).algorithms[0].cost is None


def test_an_arm_is_good_if_all_criteria_hold():
    means = {"efficacy": [0.8, 0.8, 0.05], "harm": [0.01, 0.7, 0.01]}
    first = planned(means, [EFFICACY, HARM], runs=20).algorithms[0]
    assert first.answers == {"arm 1": 1.0}
    assert [arm.good for arm in first.arms] == [1.0, 0.0, 0.0]
    assert [arm.not_good for arm in first.arms] == [0.0, 1.0, 1.0]


def test_a_control_is_tried_and_not_named():
    against = Criterion.declare("gaussian:1", margin=0.5)
    made = planned([0.0, 3.0, -2.0], against, control="arm 1", runs=20)
    control, better, worse = made.algorithms[0].arms
    assert control.trials > 1.0
    assert control.good == control.not_good == 0.0
    assert better.good == worse.not_good == 1.0
    assert "2 options with the control 'arm 1'" in made.protocol


def test_with_a_range_every_run_has_a_mean_of_its_own():
    first = planned(["0.0..0.2", (0.8, 1.0), 0.5 - 0.4], question="top:2", runs=40).algorithms[0]
    assert first.answers == {"arm 2": 1.0}
    supposed = InquiryRequest(means=["0..0.2"], criteria=RATE, delta=0.1).checked().supposed
    drawn = [supposed.means(run)[0][0] for run in range(200)]
    assert 0.0 < min(drawn) < 0.02
    assert 0.18 < max(drawn) < 0.2


def test_a_budget_ends_a_run_without_an_answer():
    made = planned([0.5], budget=30, runs=40)
    assert made.algorithms[0].answers["no answer yet"] > 0.9
    assert made.algorithms[0].trials.mean.high is not None
    assert "or after 30 trials without one" in made.protocol


def test_processes_change_nothing():
    asked = InquiryRequest(means=[0.3, 0.8], criteria=RATE, delta=0.05, runs=20).checked()
    plans = []
    for cores in (1, 2):
        with processes(cores, patience=0.0) as work:
            plans.append([each.plan for each in expect(asked, work, lambda share: None)])
    assert plans[0] == plans[1]


def test_algorithms_are_compared_where_it_matters():
    made = planned([0.3, 0.9, 0.9], question="any", algorithms=["Unif", "Prospector"])
    assert made.recommended.reference == "Prospector"
    assert made.recommended.differences["Unif"].value > 0.0
    assert [a.algorithm for a in planned([0.1], runs=20).algorithms] == ["Prospector"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"means": None}, "give means"),
        ({"delta": None}, "delta: say how often"),
        ({"means": {"cost": [1.0]}}, "unknown means: criterion"),
        ({"criteria": [EFFICACY, HARM]}, "means: there are several criteria"),
        ({"costs": {"x": 1.0}}, "cost: arm"),
        ({"costs": {"arm 1": -1.0}}, "cost: -1.0 is not positive"),
        ({"algorithms": ["SR-G"]}, "has a question, an end or phases of its own"),
        ({"control": "x"}, "control"),
        ({"question": "which"}, "question"),
        ({"names": ["a"]}, "names: 1 values for 2"),
        ({"criteria": Criterion.declare("gaussian", 0.5)}, "scatter"),
    ],
)
def test_wrong_questions_are_refused(wrong, said):
    asked = {"means": [0.2, 0.8], "criteria": RATE, "delta": 0.05}
    with pytest.raises(InputError, match=said):
        InquiryRequest(**asked | wrong).checked()


def run(line: str) -> str:
    done = CliRunner().invoke(app, line.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_shows_trials_costs_and_arms():
    asked = "--means 0.1,0.9 --threshold 0.5 --outcome bernoulli --delta 0.05 --runs 20"
    text = run(f"{asked} --arm red --arm blue --question all --cost red=4")
    for said in ("Trials until sure", "What the trials cost", "Arm by arm", "found good", "blue"):
        assert said in text


def test_the_command_takes_criteria_and_prints_json():
    criteria = f"--criterion {EFFICACY} --criterion {HARM}"
    means = "--means efficacy:0.9,0.05 --means harm:0.01,0.1"
    data = json.loads(run(f"{criteria} {means} --delta 0.05 --runs 20 --question in-order --json"))
    assert data["arms"][1]["means"]["harm"] == {"low": 0.1, "high": 0.1}
    assert data["algorithms"][0]["answers"] == {"arm 1": 1.0}
    assert "the measurements of a trial are independent of each other" in data["assumptions"]


def test_the_command_reads_arms_with_bars_and_costs_from_a_file(tmp_path):
    path = tmp_path / "arms.csv"
    path.write_text("arm,cost,threshold\nlow,1,0.3\nhigh,3,0.9\n", encoding="utf-8")
    asked = f"--arms-from {path} --means 0.9,0.2 --outcome bernoulli --question all"
    data = json.loads(run(f"{asked} --delta 0.05 --runs 20 --json"))
    assert data["criteria"][0]["threshold"] == [0.3, 0.9]
    assert [arm["cost"] for arm in data["arms"]] == [1.0, 3.0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--means 0.1 --outcome bernoulli --delta 0.1", "threshold: give the bar"),
        ("--means 0.1 --threshold 0.5 --outcome bernoulli --question all --batch 3", "batch"),
        (
            f"--means 0.1 --criterion {EFFICACY} --criterion {HARM} --delta 0.1",
            "of which criterion",
        ),
        (f"--means 0.1 --criterion {EFFICACY} --threshold 0.1", "each criterion has its own"),
    ],
)
def test_the_command_refuses(line, said):
    with pytest.raises(InputError, match=said):
        CliRunner().invoke(app, line.split(), catch_exceptions=False)
