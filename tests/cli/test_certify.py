"""goodarm certify: what it reads, what it says, what it refuses."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import goodarm
from goodarm.cli.app import app
from goodarm.csv_tables import read_values
from goodarm.errors import InputError

ONES = "1\n" * 42


def certify(text: str, *options: str, outcome: str = "bernoulli", threshold: str = "0.85") -> str:
    settings = ["--outcome", outcome, "--threshold", threshold, *options]
    done = CliRunner().invoke(app, ["certify", *settings, "-"], input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_says_what_the_function_says() -> None:
    proof = goodarm.certificate("bernoulli", 0.85, [1] * 42, alpha=0.01)
    assert json.loads(certify(ONES, "--alpha", "0.01", "--json")) == proof.to_dict()


def test_words_follow_from_the_numbers() -> None:
    said = certify(ONES)
    assert "42 outcomes (bernoulli), mean 1" in said
    assert "ln E⁺ = 4.5284" in said
    assert "The mean is above 0.85." in said
    assert "at most 0.0108, however often one looks" in said
    assert "Neither side of 0.85 is shown at 0.01" in certify(ONES, "--alpha", "0.01")
    assert "The mean is below 0.85." in certify("0\n" * 9)
    assert "The mean is above -3." in certify("0.1\n" * 9, outcome="gaussian:1", threshold="-3")
    assert "p ≤ 1\n" in certify("1e6\n" * 3, outcome="gaussian:1", threshold="0")


def test_outcomes_with_sizes() -> None:
    data = json.loads(certify("37/1000\n1\n", "--json", threshold="0.1"))
    assert (data["count"], data["mean"]) == (1001, pytest.approx(38 / 1001))
    data = json.loads(certify("5+\n3\n", "--json", outcome="exponential", threshold="1"))
    assert data["mean"] == 8.0


def test_it_says_what_such_outcomes_cannot_show() -> None:
    one_bound = certify("4\n" * 20, outcome="bounded::5", threshold="1")
    assert "more outcomes may do so" not in one_bound
    assert "Without a lower bound" in one_bound
    assert "more outcomes may do so" in certify("0\n1\n", threshold="0.5")


def test_it_says_where_the_order_matters() -> None:
    said = "in the order of their trials"
    assert said in " ".join(certify("1\n2\n", outcome="symmetric", threshold="0").split())
    assert said not in certify("1\n2\n", outcome="gaussian", threshold="0")


@pytest.mark.parametrize(
    "text",
    [
        "1\n0\n1\n",
        "\ufeff1\n\n0\r\n 1",
        "value\n1\n0\n1\n",
        "rate\n1\n0\n1\n",
        "arm,value\na,1\nb,0\n\na,1\n",
        "Value,note\n1,x\n0,\n1,y",
    ],
)
def test_numbers_are_read_from_lines_and_from_csv(text: str, tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    path.write_text(text, encoding="utf-8")
    options = ["certify", "--outcome", "bernoulli", "--threshold", "0.5", "--json", str(path)]
    proof = json.loads(CliRunner().invoke(app, options).stdout)
    assert (proof["count"], proof["mean"]) == (3, pytest.approx(2 / 3))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n\nmuch\n", "line 3: 'much' is not a number"),
        ("nan\n", "line 1: 'nan' is not a number"),
        ("value\n1\ninf", "line 3: 'inf' is not a number"),
        ("a,1\n", "line 1: of several columns one must be called value"),
        ("arm,value\na,1\n1\n", "line 3: it has 1 cell, the first line has 2"),
        ("value,value\n1,1", "line 1: of several columns"),
        ("value\n", "no outcomes"),
        ("", "no outcomes"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_values(text, "values.csv")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"text": "1\n\n0.5\n"}, "line 3: value: 0.5 is neither 0 nor 1"),
        ({"text": "1", "threshold": "1"}, "threshold: 1 is not between 0 and 1"),
        ({"text": "1", "outcome": "cauchy"}, "unknown outcome 'cauchy'"),
        ({"text": "1", "outcome": "gaussian:1,2"}, "2 values, but the number of arms is 1"),
    ],
)
def test_wrong_inputs(options: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        certify(**options)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"cannot read 'absent\.csv'"):
        CliRunner().invoke(
            app,
            ["certify", "--outcome", "bernoulli", "--threshold", "0.5", "absent.csv"],
            catch_exceptions=False,
        )
