import json
import math

import pytest
import typer
from typer.testing import CliRunner

from goodarm.cli.theory import TheoryCommand, theory
from goodarm.errors import InputError
from goodarm.instance import instances
from goodarm.simulation import oracle_price
from goodarm.theory import theory_summary

app = typer.Typer()
app.command("theory", cls=TheoryCommand)(theory)


def run(*arguments, code=0):
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result.stdout


def test_json_is_the_summary_with_labels_as_typed():
    text = run(
        "NoA2", "--delta", "0.01", "--delta", "1e-400", "--time", "700", "--time", "1e6", "--json"
    )
    data = json.loads(text)
    assert list(data["lower_bound"]) == ["0.01", "1e-400"]
    assert list(data["error_bound"]["published"]["APGAI"]) == ["700", "1e6"]
    ranked = data.pop("ranking")
    assert next(row["algorithm"] for row in ranked["corrected"]) == "SR-G"
    risks = {"0.01": math.log(100), "1e-400": 400 * math.log(10)}
    expected = theory_summary(instances["NoA2"], risks, {"700": 700, "1e6": 1e6})
    assert data["complexity"] == expected["complexity"]
    assert data["error_bound"] == expected["error_bound"]
    found = data["sample_complexity"]["corrected"]["APGAI"]["1e-400"]["C"]
    assert found == pytest.approx(
        expected["sample_complexity"]["corrected"]["APGAI"]["1e-400"]["C"], rel=1e-12
    )


def test_several_values_in_one_option():
    data = json.loads(run("NoA1", "--delta", "0.1,0.01", "--time", "50, 100", "--json"))
    assert list(data["lower_bound"]) == ["0.1", "0.01"]
    assert list(data["error_bound"]["published"]["Unif"]) == ["50", "100"]


@pytest.mark.parametrize(
    "arguments",
    [
        "NoA1 --delta 0.1 0.01 --time 50 100 --json",
        "NoA1 --delta 0.1 --delta 0.01 --time 50 --time 100 --json",
        "NoA1 -d 0.1 0.01 --json -t 50 -t 100",
        "--delta 0.1 0.01 --json --time 50 100 NoA1",
        "--json --delta=0.1 --delta=0.01 --time 50 100 -- NoA1",
    ],
)
def test_several_values_after_one_option(arguments):
    data = json.loads(run(*arguments.split()))
    assert data["instance"] == "NoA1"
    assert list(data["lower_bound"]) == ["0.1", "0.01"]
    assert list(data["error_bound"]["published"]["Unif"]) == ["50", "100"]


def test_tables_say_it_plainly():
    text = run("NoA2", "-t", "700", "-d", "0.01")
    assert "NoA2: 4 arms, none good, θ = 0" in text
    assert "APGAI's bound exceeds 1 until t = 12,354." in text
    assert "80,747" in text
    assert "843" in text
    assert "published" not in text


def test_the_oracle_beside_the_lower_bound():
    data = json.loads(run("NoA2", "-d", "0.1,0.01,1e-400", "--seed", "2", "--json"))
    for label in ("0.1", "0.01"):
        found = data["oracle"][label]
        price = oracle_price("NoA2", float(label), seed=2)
        assert (found["mean"], found["se"]) == (price.mean, price.se)
        assert found["yardstick"] == found["mean"] + 3
        assert found["mean"] > data["lower_bound"][label]["kl_form"]
    assert data["oracle"]["1e-400"]["mean"] is None
    assert "no double can hold" in data["reasons"]["oracle.1e-400"]
    text = run("NoA2", "-d", "0.01,1e-400", "--seed", "2")
    assert f"{found['mean']:,.0f} ± {found['se']:.2g}" in text
    assert "The oracle at δ = 1e-400: no double can hold" in text


def test_an_oracle_that_takes_too_long():
    data = json.loads(run("TwoG:2:1", "--threshold", "0.4999", "--json"))
    assert data["oracle"]["0.01"]["mean"] is None
    assert "too long" in data["reasons"]["oracle.0.01"]


def test_both_readings():
    text = run("Thr1", "-t", "700", "--reading", "both")
    assert "Bounds on the error, published" in text
    assert "Bounds on the error, corrected" in text
    assert "the published closed form C′ = 212,793 is below C = 220,876" in text
    assert "Bounds on the error, corrected" not in run("Thr1", "--reading", "published")


def test_a_file_and_a_threshold(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"threshold": 0.5, "means": [0.7, 0.4]}')
    data = json.loads(run(str(path), "--json"))
    assert data["complexity"]["H1"] == pytest.approx(25 + 100)
    data = json.loads(run(str(path), "--threshold", "0.8", "--json"))
    assert data["good_arms"] == 0
    assert "none good" in run(str(path), "--threshold", "0.8")


def test_reasons_are_shown():
    assert "no arm is good" in run("NoA1")
    text = run("TwoG:5:5", "-t", "100")
    assert "no arm is bad" in text


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["NoSuch"], "NoSuch"),
        (["NoA1", "--seed", "-1"], "seed"),
        (["NoA1", "--delta", "0"], "delta"),
        (["NoA1", "--delta", "1"], "delta"),
        (["NoA1", "--delta", "nan"], "delta"),
        (["NoA1", "--delta", "x"], "delta"),
        (["NoA1", "--delta", "0.1", "2"], "delta"),
        (["NoA1", "--threshold", "0.1", "--time", "5", "-3"], "time"),
        (["NoA1", "--time", "0"], "time"),
        (["NoA1", "--time", "1.5"], "time"),
        (["NoA1", "--time", "inf"], "time"),
        (["NoA1", "--time", "soon"], "time"),
        (["NoA1", "--reading", "corected"], "corrected"),
        (["NoA1", "--time", "1e15", "--runs", "10"], "too long"),
        (["NoA1", "--time", "3", "--runs", "10"], "budget"),
        (["NoA1", "--plot", "picture.doc"], "plot"),
        (["NoA1", "--plot", "/no/such/folder/x.png"], "folder"),
    ],
)
def test_wrong_input(arguments, word):
    with pytest.raises(InputError, match=word):
        run(*arguments)


def test_ranking_with_simulation():
    text = run("NoA2", "-t", "200", "--runs", "200", "--seed", "3")
    assert "rank simulated" in text
    data = json.loads(run("NoA2", "-t", "200", "--runs", "200", "--seed", "3", "--json"))
    rows = {row["algorithm"]: row for row in data["ranking"]["corrected"]}
    assert rows["APGAI"]["simulated"]["rate"] < rows["Unif"]["simulated"]["rate"]
    assert rows["APGAI"]["rank_by_simulation"] < rows["Unif"]["rank_by_simulation"]


def test_plot(tmp_path):
    path = tmp_path / "bounds.png"
    text = run("NoA1", "-t", "3000", "--runs", "50", "--plot", str(path), "--json")
    json.loads(text)
    assert path.read_bytes().startswith(b"\x89PNG")
