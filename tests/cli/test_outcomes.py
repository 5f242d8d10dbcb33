"""goodarm outcomes: questions or options, an answer, its price; and models from recorded data."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from goodarm.cli.app import app
from goodarm.errors import InputError

YES_NO = "arm,value\n" + "red,1\nred,0\nblue,1\nblue,1\n" * 5
RATINGS = "arm,value\n" + "".join(f"a,{x}\nb,{x}\n" for x in (3, 4, 4, 5, 3, 4) * 5)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GOODARM_STORAGE", raising=False)
    Path("yes.csv").write_text(YES_NO)
    Path("ratings.csv").write_text(RATINGS)
    return tmp_path


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goodarm.cli.study.session.at_terminal", lambda: True)
    monkeypatch.setattr("goodarm.cli.study.creating.at_terminal", lambda: True)


def goodarm(words: str, typed: str | None = None, width: int = 120) -> str:
    done = CliRunner().invoke(
        app, words.split(), input=typed, env={"COLUMNS": str(width)}, catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def after_typing(said: str) -> dict:
    """The data that was printed; what was typed comes before, as on a screen."""
    return json.loads(said[said.index("{") :])


def test_the_answer_and_its_price() -> None:
    said = goodarm("outcomes --kind yes-no --threshold 0.5 --mean 0.7")
    assert said.startswith("--outcome bernoulli\n")
    for part in ("why", "assumes", "breaks it", "37/1000", "Trials until an arm is named", "glr"):
        assert part in said
    assert "mean 0.7 and standard deviation 0.458, bar 0.5, 10 arms" in " ".join(said.split())


def test_the_same_as_data() -> None:
    options = (
        "--kind share --lo 0 --hi 10 --threshold 5 --mean 4 --scatter 1 --delta 0.1 --arms 3 --json"
    )
    data = json.loads(goodarm(f"outcomes {options}"))
    assert (data["outcome"], data["others"]) == ("bounded:0:10", ["gaussian"])
    assert data["effect"]["answers"]["hi"] == 10.0
    assert data["effect"]["is_good"] is False
    assert [price["outcome"] for price in data["prices"]] == ["bounded:0:10", "gaussian", "glr"]
    assert all(price["runs"] >= 50 for price in data["prices"])
    trials = [price["trials"]["value"] for price in data["prices"]]
    assert trials[2] > 5 * max(trials[:2])


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "words",
    ["--kind duration --varying --goal below", "--data yes.csv", "--data ratings.csv", "--list"],
)
def test_it_fits_the_terminal(words: str, width: int, folder: Path) -> None:
    said = goodarm(f"outcomes {words}", width=width)
    assert max(len(line.rstrip()) for line in said.splitlines()) <= width
    assert "…" not in said


@pytest.mark.parametrize(
    ("typed", "asked", "text"),
    [
        ("2\ny\n40\n", ["clusters", "largest value"], "bounded:0:40"),
        ("number\n0\n\n\ny\n", ["smallest", "largest", "deviation", "skewed"], "bounded:0"),
        ("4\n1\n5\n", ["(Enter: 0)", "(Enter: 1)"], "bounded:1:5"),
        ("duration\ny\n\n", ["huge ones"], "bounded:0"),
    ],
)
def test_five_questions(typed: str, asked: list[str], text: str, terminal: None) -> None:
    words = ["outcomes", "--goal", "below"] if text == "bounded:0" else ["outcomes"]
    done = CliRunner().invoke(app, words, input=typed, catch_exceptions=False)
    assert f"--outcome {text}\n" in done.stdout
    assert "What is one outcome?" in done.stderr
    assert [part for part in asked if part not in done.stderr] == []


def test_an_option_that_was_given_is_not_asked_for(terminal: None) -> None:
    said = goodarm("outcomes --lo 0 --hi 3 --json --goal below", "5\n")
    assert after_typing(said)["outcome"] == "bounded:0:3"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("outcomes", "--kind yes-no, count, duration, share, number; or give --data FILE"),
        ("outcomes --kind colour", "unknown kind 'colour'"),
        ("outcomes --kind yes-no --mean 2", "mean: 2 is not between 0 and 1"),
        ("outcomes --data absent.csv", "cannot read 'absent.csv'"),
        ("plan --unknown 3 --threshold 1 --delta 0.1", "gaussian for measurements"),
        ("study create s --arm a --threshold 1", "goodarm outcomes helps to choose"),
    ],
)
def test_wrong_inputs(words: str, said: str, folder: Path) -> None:
    with pytest.raises(InputError, match=said):
        goodarm(words)


def test_all_models_are_listed() -> None:
    said = goodarm("outcomes --list")
    listed = {row["form"]: row for row in json.loads(goodarm("outcomes --list --json"))}
    assert {"bernoulli", "gaussian[:SIGMA]", "bounded[:LO][:HI]"} <= set(listed)
    assert all(form in said for form in listed)
    assert said == goodarm("list outcomes")


def test_recorded_outcomes_suggest_a_model(folder: Path) -> None:
    said = " ".join(goodarm("outcomes --data yes.csv").split())
    assert "Outcome models for 20 outcomes of 2 arms" in said
    assert "suggested: --outcome bernoulli" in said
    assert "2 different values among 20" in said
    data = json.loads(goodarm("outcomes --data ratings.csv --threshold 4 --json"))
    assert (data["suggested"], data["arms"]) == ("bounded:1:5", ["a", "b"])
    assert "above 5 is impossible" in data["confirm"]


PLAN = "plan --threshold 0.7 --budget 20 -a APGAI --runs 50"


def test_a_plan_goes_on_with_the_suggestion_and_says_so(folder: Path) -> None:
    said = goodarm(f"{PLAN} --data yes.csv")
    assert said.index("suggested: --outcome bernoulli") < said.index("For your protocol")
    data = json.loads(goodarm(f"{PLAN} --data yes.csv --json"))
    assert data["outcome"] == {"kind": "bernoulli"}
    assert data["suggestions"]["suggested"] == "bernoulli"
    own = json.loads(goodarm(f"{PLAN} --data yes.csv --outcome bounded:0:1 --json"))
    assert (own["outcome"]["kind"], own["suggestions"]) == ("bounded", None)


def test_a_plan_names_the_bounds_that_it_assumes(folder: Path) -> None:
    words = PLAN.replace("0.7", "3.5")
    data = json.loads(goodarm(f"{words} --data ratings.csv --json"))
    assert any("above 5 is impossible" in assumption for assumption in data["assumptions"])


def test_sizes_in_recorded_outcomes(folder: Path) -> None:
    Path("sized.csv").write_text("arm,successes,trials\nred,30,100\nred,50,100\nblue,9,10\n")
    found = json.loads(goodarm(f"{PLAN} --data sized.csv --outcome bernoulli --json"))
    assert [arm["low"] for arm in found["arms"]] == [0.4, 0.9]
    shares = json.loads(goodarm(f"{PLAN} --data sized.csv --outcome bounded:0:1 --json"))
    assert [arm["low"] for arm in shares["arms"]] == [0.4, 0.9]
    with pytest.raises(InputError, match=r"cannot be taken apart into single ones.*--means"):
        goodarm(f"{PLAN} --data sized.csv --outcome poisson")


def test_recorded_outcomes_from_standard_input() -> None:
    data = json.loads(goodarm("outcomes --data - --json", "5+\n3\n2\n"))
    assert data["suggested"] == "exponential"
    with pytest.raises(InputError, match="standard input: line 2: 'much' is not a number"):
        goodarm("outcomes --data -", "1\nmuch\n")


def test_the_other_bound_of_a_share_is_asked_for() -> None:
    with pytest.raises(InputError, match="hi: a share or a score has two bounds"):
        goodarm("outcomes --kind share --lo 1")


CREATE = "study create colours --delta 0.05"
UNEVEN = "arm,successes,trials\n" + "a,10,100\na,60,100\nb,15,100\nb,55,100\n" * 10


def test_a_study_like_recorded_outcomes(folder: Path) -> None:
    said = goodarm(f"{CREATE} --threshold 0.7 --like yes.csv")
    assert "suggested: --outcome bernoulli" in said
    assert "created 'colours' with 2 arms" in said
    assert "goodarm study import colours yes.csv enters them" in said
    data = json.loads(goodarm("study status colours --json"))
    assert [arm["arm"] for arm in data["arms"]] == ["red", "blue"]
    assert all(arm["count"] == 0 for arm in data["arms"]), "recorded outcomes are never imported"


def test_bounds_must_be_confirmed(folder: Path) -> None:
    with pytest.raises(InputError, match="if that is so, add --outcome bounded:1:5"):
        goodarm(f"{CREATE} --threshold 4 --like ratings.csv")
    words = f"{CREATE} --threshold 4 --like ratings.csv --outcome bounded:1:5 --arm new --json"
    data = json.loads(goodarm(words))
    assert data["settings"]["arms"] == ["new"]
    assert data["settings"]["outcome"]["kind"] == "bounded"
    assert data["suggestions"]["suggested"] == "bounded:1:5"


@pytest.mark.parametrize("answer", ["y", "n"])
def test_at_a_terminal_a_person_is_asked(folder: Path, terminal: None, answer: str) -> None:
    words = f"{CREATE} --threshold 4 --like ratings.csv --json"
    if answer == "y":
        assert after_typing(goodarm(words, "y\n"))["settings"]["outcome"]["hi"] == 5.0
        return
    with pytest.raises(InputError, match="suggests bounded:1:5"):
        goodarm(words, "n\n")


def test_a_doubted_model_is_never_taken_unasked(folder: Path) -> None:
    Path("uneven.csv").write_text(UNEVEN)
    with pytest.raises(InputError, match="suggests bounded:0:1, but only if each batch"):
        goodarm(f"{CREATE} --threshold 0.3 --like uneven.csv")
    said = goodarm(f"{CREATE} --threshold 0.3 --like uneven.csv --outcome bounded:0:1")
    assert "tell each as one outcome, its value over its size" in said


def test_where_every_model_is_doubted_one_must_be_named(
    folder: Path, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goodarm.outcomes.suggesting.doubts_of", lambda *args: ("It is odd.",))
    with pytest.raises(InputError, match=r"least doubtful is bernoulli: It is odd\. Name a model"):
        goodarm(f"{CREATE} --threshold 0.7 --like yes.csv")
    assert "the least doubtful: --outcome bernoulli" in goodarm("outcomes --data yes.csv")
    goodarm(f"{CREATE} --threshold 0.7 --like yes.csv --outcome bernoulli")


def test_a_threshold_that_cannot_be_is_the_error(folder: Path) -> None:
    with pytest.raises(InputError, match=r"^threshold: 2 is not between 0 and 1"):
        goodarm(f"{CREATE} --threshold 2 --like yes.csv")


def test_values_without_arms_name_none(folder: Path) -> None:
    Path("values.csv").write_text("\n".join(f"{0.7 * i - 3.1:.1f}" for i in range(12)))
    with pytest.raises(InputError, match="arms: the list is empty"):
        goodarm(f"{CREATE} --threshold 0 --like values.csv")
    assert "with 1 arm" in goodarm(f"{CREATE} --threshold 0 --like values.csv --arm only")
