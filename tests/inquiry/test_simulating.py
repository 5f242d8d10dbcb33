import json

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from goodarm import InputError, Instance, simulate, simulate_inquiry
from goodarm.cli.simulate import simulate as simulate_command

EASY = Instance(0.5, [0.9, 0.2, 0.8], "bernoulli", names=["a", "b", "c"])
RULES = ["Unif", "APGAI", "Prospector", "Scout", "APT-G", "HDoC"]


def played(question, algorithms="Unif", runs=60, **asked):
    return simulate_inquiry(EASY, algorithms, question, delta=0.05, runs=runs, cores=1, **asked)


def test_with_all_every_algorithm_needs_the_same_trials():
    results = played("all", RULES, runs=8)
    trials = [result.played.trials.tolist() for result in results.values()]
    assert trials == [trials[0]] * len(RULES)
    assert all(result.played.answers == ((0, 2),) * 8 for result in results.values())


def test_any_takes_what_a_compiled_simulation_takes():
    ours = played("any", runs=400)["Unif"]
    compiled = simulate(EASY, "Unif", delta=0.05, runs=4000)["Unif"]
    assert ours.mean == pytest.approx(compiled.mean, abs=4.0 * np.hypot(ours.se, compiled.se))


def test_more_wanted_takes_more():
    one, two, every = (played(question)["Unif"].mean for question in ("any", "top:2", "all"))
    assert one < two < every


def test_a_control_is_an_arm_of_the_instance():
    found = played("all", runs=10, control="b", margin=0.1)["Unif"]
    assert set(found.played.answers) == {(0, 2)}
    assert found.to_dict()["settings"]["control"] == "b"
    ratio = played("any", runs=5, control="b", lift=0.5)["Unif"]
    assert {answer[0] for answer in ratio.played.answers} <= {0, 2}


def test_recorded_outcomes_are_drawn_from():
    recorded = Instance.from_data({"x": [0.0, 1.0, 1.0, 1.0], "y": [0.0, 0.0, 0.0, 1.0]}, 0.5)
    found = simulate_inquiry(recorded, "Unif", delta=0.05, runs=10, cores=1, outcome="bernoulli")[
        "Unif"
    ]
    assert set(found.played.answers) == {(0,)}


def test_a_short_text_says_what_came_out():
    found = played("all", runs=10)["Unif"]
    assert "Unif, question all: 10 runs" in repr(found)
    assert "wrong" in found._repr_html_()
    low, high = found.error_interval()
    assert low == 0.0
    assert 0.2 < high < 0.4  # 1/(1 + 10/1.96²)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"algorithms": "SR-G"}, "has a question, an end or phases of its own"),
        ({"algorithms": ["Unif", "Unif"]}, "each once"),
        ({"control": "z", "margin": 0.1}, "control"),
        ({"control": "b"}, "control: give a margin or a lift"),
        ({"margin": 0.1}, "no control"),
        ({"question": "some"}, "question"),
    ],
)
def test_wrong_requests_are_refused(asked, said):
    with pytest.raises(InputError, match=said):
        played(**{"question": "all", "algorithms": "Unif"} | asked)


def test_the_command(tmp_path):
    app = typer.Typer()
    app.command()(simulate_command)
    path = tmp_path / "easy.json"
    path.write_text(json.dumps(EASY.to_dict()), encoding="utf-8")
    asked = [str(path), "--question", "top:2", "-a", "Unif", "--delta", "0.05", "--runs", "3"]

    def run(*more):
        return CliRunner().invoke(app, [*asked, *more], catch_exceptions=False).stdout

    assert "top:2, outcome at least 0.5, δ = 0.05" in run()
    (result,) = json.loads(run("--json"))["results"]
    assert result["stopped"] == 1.0
    assert set(result["trials_per_arm"]) == {"a", "b", "c"}
    for refused in (["--budget", "9"], ["--oracle"], ["--boundary", "glr"]):
        with pytest.raises(InputError, match="only the question any"):
            run(*refused)
