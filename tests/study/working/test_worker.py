"""goodarm gate --study, goodarm study run: trials that are kept, workers that come and go."""

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from goodarm.cli.app import app
from goodarm.errors import InputError
from goodarm.study import Bounded, StorageError, Study
from goodarm.study.log.ledger import Ledger
from goodarm.study.working import desk

GATE = ["gate", "--study", "s", "--bar", "0.5", "--budget", "30"]
YES, CRASH = ["sh", "-c", "exit 0 # {arm}"], ["sh", "-c", "echo why >&2; exit 2 # {arm}"]


@pytest.fixture(autouse=True)
def _plain_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOODARM_BY", "ann")
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GOODARM_STORAGE"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def made() -> Study:
    return Study.create("s", ["A", "B"], 0.5, "bernoulli", 0.05, seed=1, by="bob")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), catch_exceptions=False)


def said(done: Result) -> str:
    return " ".join(done.stdout.split())


def test_a_gate_in_a_study_answers_what_a_gate_in_memory_does() -> None:
    script = ["sh", "-c", "exit $(( {seed} % 8 == 0 ))"]
    in_memory = json.loads(run("gate", "--bar", "0.5", "--json", "--", *script).stdout)
    kept = json.loads(run(*GATE[:5], "--json", "--", *script).stdout)
    for what in ("verdict", "arm", "bar", "seed", "budget", "exit_code"):
        assert kept[what] == in_memory[what]
    assert (kept["study"], kept["made"]) == ("s", kept["trials"])
    study, many = Study.load("s"), in_memory["trials"]
    # A study may be extended, so it needs a few trials more than a gate with a budget.
    values = [trial.value for trial in study.trials]
    assert sum(values[:many]) / many == in_memory["arms"][0]["mean"]
    assert {trial.by for trial in study.trials} == {"ann"}
    assert study.verify().ok


def test_a_second_call_goes_on_or_answers_at_once() -> None:
    first = run(*GATE[:3], "--bar=0.5", "--budget=2", "--", "sh", "-c", "echo >> made")
    assert (first.exit_code, "budget is used up" in said(first)) == (3, True)
    again = run(*GATE[:3], "--bar=0.5", "--budget=2", "--", "sh", "-c", "echo >> made")
    assert (again.exit_code, "0 of them now" in said(again)) == (3, True)
    Study.load("s").extend(trials=20)
    last = run(*GATE[:3], "--bar=0.5", "--budget=2", "--", "sh", "-c", "echo >> made")
    assert (last.exit_code, "clears the bar" in said(last)) == (0, True)
    trials = Study.load("s").status().trials
    assert len(Path("made").read_text()) == trials
    assert f"{trials} trials of at most 22; {trials - 2} of them now" in said(last)
    answered = run(*GATE[:3], "--bar=0.5", "--budget=2", "--", "sh", "-c", "echo >> made")
    assert (answered.exit_code, len(Path("made").read_text())) == (0, trials)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--bar", "0.6"], "bar: the study 's' was begun with 0.5, not 0.6"),
        (["--budget", "9"], "budget: the study 's' was begun with 30, not 9"),
        (["--delta", "0.1"], "delta: "),
        (["--seed", "7"], "seed: "),
        (["--goal", "below"], "goal: "),
        (["--arms", "a"], "arms: "),
        (["--value", "stdout", "--outcome", "bounded:0:1"], "outcome: "),
        (["--value", "stdout", "--outcome", "bernoulli"], "command: .* '--value stdout -- true'"),
        (["--", "false"], "command: the study 's' was begun with 'true', not 'false'"),
    ],
)
def test_other_settings_are_refused_by_name(words: list[str], wrong: str) -> None:
    run(*GATE, "--", "true")
    before = Study.load("s").seq
    with pytest.raises(InputError, match=wrong):
        run(*GATE, *words, *([] if "--" in words else ["--", "true"]))
    assert Study.load("s").seq == before


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["--parallel=3", "--", "sh", "-c", "exit $(test {arm} = B; echo $?)"], 0, "B clears"),
        (["--", "sh", "-c", "exit 1 # {arm}"], 1, "No arm clears the bar"),
        (["--trials=2", "--parallel=4", "--", *YES], 3, "the trials asked for are made"),
        (["--", "no-such-program", "{arm}"], 4, "cannot be run"),
        (["--parallel=2", "--", *CRASH], 4, "VALUE tells its outcome all the same"),
        (["--on-error=fail", "--", *CRASH], 1, "errors counted as failures"),
        (["--on-error=retry:1", "--", *CRASH], 4, "1 error tried again"),
        (["--timeout=0.1", "--", "sh", "-c", "sleep 60 # {arm}"], 4, "still running after 0.1 s"),
    ],
)
def test_how_a_worker_ends(made: Study, words: list[str], code: int, text: str) -> None:
    done = run("study", "run", "s", *words)
    assert (done.exit_code, text in said(done)) == (code, True), done.stdout
    assert not made.pending
    told = Counter(event.trial for event in made.events() if event.kind == "told")
    assert set(told.values()) <= {1}
    assert made.verify().ok


def test_a_trial_without_an_outcome_is_on_the_record(made: Study) -> None:
    run("study", "run", "s", "--", *CRASH)
    assert made.trial(1).status == "cancelled"
    assert made.trial(1).reason.startswith("no outcome: exit code 2, which is neither")
    assert "unless it had to do with their outcomes" in made.status().cautions[0].text
    made.tell(1, 0)
    assert made.trial(1).value == 0.0


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--", "true"], "command: 2 arms, but no {arm}"),
        (["--parallel", "0", "--", *YES], "parallel: 0"),
        (["--trials", "0", "--", *YES], "trials: 0"),
        (["--on-error", "ignore", "--", *YES], "on_error: 'ignore'"),
        (["--value", "number", "--", *YES], "value: 'number'"),
        (["--storage", "other.db", "--", *YES], "there is no database"),
    ],
)
def test_wrong_usage_makes_no_trial(made: Study, words: list[str], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        run("study", "run", "s", *words)
    assert made.seq == 1


def test_a_study_of_numbers_needs_to_be_told_where_they_are() -> None:
    study = Study.create("s", ["A"], 0.5, Bounded(0, 2), 0.05, seed=1)
    with pytest.raises(InputError, match="value: an exit code is yes or no"):
        run("study", "run", "s", "--", "true")
    done = run("study", "run", "s", "--value=stdout", "--", "echo", "1.5")
    assert (done.exit_code, study.evidence[0].mean) == (0, 1.5)
    endless = Study.create("e", ["A"], 0.5, Bounded(0, 2))
    with pytest.raises(InputError, match="would never end"):
        run("study", "run", "e", "--value=stdout", "--", "echo", "1.5")
    assert endless.seq == 1


def test_ctrl_c_lets_trials_end_and_the_next_start_goes_on(made: Study) -> None:
    """The second trial is who presses Ctrl-C."""
    script = "test {trial} != 2 || kill -INT $PPID; test {arm} = B"
    words = ["study", "run", "s", "--parallel=2", "--", "sh", "-c", script]
    done = run(*words)
    assert (done.exit_code, "Undecided, interrupted" in said(done)) == (130, True)
    fates = {(trial.status, trial.reason) for trial in made.trials}
    assert ("told", None) in fates
    assert fates <= {("told", None), ("cancelled", "not begun")}
    last = run(*words)
    assert (last.exit_code, "B clears the bar" in said(last)) == (0, True)


def test_a_second_ctrl_c_cancels_what_runs(made: Study) -> None:
    impatient = "while :; do kill -INT $PPID; sleep 0.05; done # {arm}"
    done = run("study", "run", "s", "--", "sh", "-c", impatient)
    assert (done.exit_code, made.trial(1).status) == (130, "cancelled")
    assert "1 more was running at the end and cancelled" in said(done)
    assert "trial 1 cancelled while running" in done.stderr


def test_a_worker_that_was_killed_is_replaced(
    made: Study, fork: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had told stays; what it was making expires, and does not hold up the answer."""
    monkeypatch.setattr(desk, "LEASE", 1.0)

    def work(say: Callable[[str], None]) -> None:
        say("begins")
        script = "test {trial} -le 4 || sleep 10; test {arm} = B"
        run("study", "run", "s", "--parallel=3", "--", "sh", "-c", script)

    child = fork(work)
    while made.status().trials < 4:
        time.sleep(0.01)
    child.kill_after(0.0)
    before = {trial.number: trial.value for trial in made.trials if trial.status == "told"}
    done = run("study", "run", "s", "--parallel=2", "--", "sh", "-c", "test {arm} = B")
    assert (done.exit_code, "B clears the bar" in said(done)) == (0, True), done.stdout
    after = {trial.number: trial.value for trial in made.trials}
    assert before.items() <= after.items()
    assert made.verify().ok


def test_trouble_with_the_database_says_what_was_not_recorded(
    made: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Ledger.commit

    def full(ledger: Ledger, work: Any, by: Any = None) -> Any:
        if made.seq > 1:
            raise StorageError("the disk is full")
        return commit(ledger, work, by)

    monkeypatch.setattr(Ledger, "commit", full)
    done = run("study", "run", "s", "--", *YES)
    assert (done.exit_code, done.stdout) == (4, "")
    assert done.stderr == "error: the disk is full\nnot recorded: trial 1 = 1.0\n"


ASKING_MORE = {
    "all": {"threshold": 0.5, "outcome": "bernoulli", "question": "all"},
    "control": {"outcome": "bernoulli", "control": "A", "margin": 0.1},
}


@pytest.mark.parametrize(
    ("kind", "words", "code"),
    [
        ("all", ["B, C are good (above 0.5); all others are not", "A (not good): "], 0),
        ("control", ["No option is good (outcome at least the control's mean + 0.1)"], 1),
    ],
)
def test_a_study_that_asks_more_is_answered_in_its_own_words(
    kind: str, words: list[str], code: int
) -> None:
    Study.create(kind, ["A", "B", "C"], delta=0.05, seed=1, **ASKING_MORE[kind])
    good = {"all": "test {arm} != A", "control": "test {arm} = A"}[kind]
    done = run("study", "run", kind, "--", "sh", "-c", good)
    assert done.exit_code == code
    assert all(word in said(done) for word in words)
    assert not any(word in said(done) for word in ("clears the bar", "every mean"))
    data = json.loads(run("study", "run", kind, "--json", "--", "sh", "-c", good).stdout)
    assert (data["bar"], data["meaning"]) == (
        (0.5 if kind == "all" else None),
        Study.load(kind).status().meaning,
    )
    standings = {arm["arm"]: arm["standing"] for arm in data["arms"]}
    assert standings["A"] == ("not good" if kind == "all" else "control")


SEVERAL = ["works:bernoulli>=0.5", "takes:bounded:0:10<=5"]


def test_a_command_measures_several_things() -> None:
    study = Study.create("m", ["A", "B"], delta=0.05, criteria=SEVERAL, question="all", seed=1)
    script = """echo '{"all": {"works": true, "takes": '$1'}}'"""
    words = ["--", "sh", "-c", script, "sh"]
    for value in ("exit", "stdout", "file:x"):
        with pytest.raises(InputError, match="several measurements, works, takes"):
            run("study", "run", "m", f"--value={value}", *words, "2", "{arm}")
    wrong = run("study", "run", "m", "--value=json:all.works", *words, "2", "{arm}")
    assert (wrong.exit_code, "give all of them by name: works, takes" in said(wrong)) == (4, True)
    assert "trial 1 cancelled for want of an outcome" in wrong.stderr
    done = run("study", "run", "m", "--value=json:all", *words, "2", "{arm}")
    assert (done.exit_code, "A, B are good" in said(done)) == (0, True)
    assert study.trial(2).values == {"works": 1.0, "takes": 2.0}
    assert study.verify().ok


def test_a_summary_says_what_options_that_came_later_have_made_of_delta() -> None:
    words = ["gate", "--study", "g", "--bar", "0.5", "--arms", "A,B", "--summary", "s.md"]
    script = ["--", "sh", "-c", "test {arm} = C"]
    assert run(*words, *script).exit_code == 1
    Study.load("g").add_arm("C", "late")
    done = run(*words, *script)
    assert (done.exit_code, "C is above 0.5" in said(done)) == (0, True)
    assert "Wrong with probability at most 0.0555556" in Path("s.md").read_text("utf-8")
