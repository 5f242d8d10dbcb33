"""goodarm gate: exit codes, files, and what is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result
from typer.testing import CliRunner

from goodarm.cli.app import app
from goodarm.errors import InputError

HEAVY = {"numba", "scipy", "polars", "matplotlib", "sqlalchemy", "rich", "pandas", "asyncio"}


@pytest.fixture(autouse=True)
def _plain_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["gate", *words], catch_exceptions=False)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("--bar 0.5 -- true", 0, "command clears the bar"),
        ("--bar 0.5 false", 1, "command does not clear the bar"),
        ("--bar 0.5 --budget 2 -- true", 3, "Undecided, the budget is used up"),
        ("--bar 0.5 -- no-such-program", 4, "'no-such-program' cannot be run"),
        ("--bar 0.5 --on-error fail -- no-such-program", 4, "cannot be run"),
        ("--bar 0.5 -- sh -c {quit}", 4, "exit code 2"),
        ("--bar 0.5 --on-error fail -- sh -c {quit}", 1, "errors counted as failures"),
        ("--bar 0.5 --on-error retry:2 -- sh -c {quit}", 4, "2 errors tried again"),
        ("--bar 0.5 --arms 1,0 --parallel 3 -- sh -c {leave}", 0, "0 clears the bar"),
        ("--bar 0.5 --value stdout --outcome bounded:0:1 -- echo 0.9", 0, "clears the bar"),
        ("--bar 0.5 --value stdout --outcome bounded:0:1 -- echo 1.5", 4, "1.5"),
        ("--bar 0.5 --value stdout --outcome bounded:0:1 -- echo many", 4, "'many' is not a"),
        ("--bar 9 --goal below --value stdout --outcome gaussian:1 -- echo 7", 0, "at most 9"),
    ],
)
def test_exit_codes(words: str, code: int, said: str) -> None:
    scripts = {"{quit}": "exit 2", "{leave}": "exit {arm}"}
    done = run(*(scripts.get(word, word) for word in words.split()))
    assert (done.exit_code, said in " ".join(done.stdout.split())) == (code, True), done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--bar 0.5 --arms a,b -- true", "no {arm} in it"),
        ("--bar 0.5 -- echo {arm}", "no arms are named"),
        ("--bar 0.5 --arms a --arms-file f -- echo {arm}", "give one"),
        ("--bar 0.5 --value stdout -- echo 1", "say which there can be"),
        ("--bar 0.5 --outcome gaussian:1 -- true", "an exit code is bernoulli"),
        ("--bar 0.5 --value file:x --outcome bernoulli --parallel 2 -- true", "put {trial}"),
        ("--bar 0.5 --parallel 0 -- true", "parallel: 0"),
        ("--bar 0.5 --timeout 0 -- true", "timeout: 0"),
        ("--bar 2 -- true", "bar: 2"),
        ("--bar 0.5 --arms a,,b -- echo {arm}", "arm 2"),
        ("--bar 0.5 --junit app/x.xml -- true", "app"),
        ("--bar 0.5 --report app/x.html -- true", "app"),
        ("--bar 0.5 --report x.pdf -- true", "x.pdf"),
    ],
)
def test_wrong_usage(words: str, said: str) -> None:
    Path("app").write_text("a file")
    with pytest.raises(InputError, match=said):
        run(*words.split())


def test_bar_and_command_are_needed() -> None:
    assert run("--", "true").exit_code == 2
    assert run("--bar", "0.5").exit_code == 2


def test_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    Path("arms.txt").write_text("0\n\n1\n")
    files = ("--summary", "out/s.md", "--junit", "out/j.xml", "--arms-file", "arms.txt")
    files += ("--report", "out/r.html")
    done = run("--bar", "0.5", *files, "--json", "--", "sh", "-c", "exit {arm}")
    result = json.loads(done.stdout)
    assert (result["arm"], result["exit_code"], result["passed"]) == ("0", 0, True)
    assert [arm["arm"] for arm in result["arms"]] == ["0", "1"]
    assert done.stderr.startswith("::notice title=goodarm gate::0 clears the bar")
    summary = Path("out/s.md").read_text("utf-8")
    assert "✅" in summary
    assert page.read_text("utf-8") == "before\n" + summary
    assert ElementTree.parse("out/j.xml").getroot().get("failures") == "0"
    assert "sh -c &#x27;exit {arm}&#x27;" in Path("out/r.html").read_text("utf-8")


def test_the_seed_of_a_trial_is_its_own_and_always_the_same() -> None:
    words = ("--bar", "0.5", "--budget", "3", "--", "sh", "-c", "echo {seed} >> seeds")
    for _ in range(2):
        run(*words)
    seeds = Path("seeds").read_text().split()
    assert len(set(seeds[:3])) == 3
    assert seeds[:3] == seeds[3:]
    run("--seed", "1", *words)
    assert not set(seeds) & set(Path("seeds").read_text().split()[6:])


def test_a_gate_loads_nothing_heavy() -> None:
    program = (
        "import sys; from goodarm.cli import main\n"
        "sys.argv[1:] = ['gate', '--bar', '0.5', '--', 'true']\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "clears the bar" in done.stdout
    assert not HEAVY & set(done.stderr.split())


def test_the_exit_code_is_the_answer_even_if_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    program = [sys.executable, "-c", "from goodarm.cli import main; main()"]
    words = ["gate", "--bar", "0.5", "--", "false"]
    done = subprocess.run([*program, *words], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))  # a folder
    refused = run("--bar", "0.5", "--", "true")
    assert refused.exit_code == 0
    assert "warning: GITHUB_STEP_SUMMARY: cannot write" in refused.stderr


@pytest.mark.parametrize("parallel", ["1", "2"])
def test_an_interrupt_ends_the_trials_and_leaves_a_report(parallel: str) -> None:
    options = ["--bar", "0.5", "--parallel", parallel, "--junit", "j.xml"]
    trial = ["sh", "-c", "echo $$ > pid-{trial}; exec sleep 60"]
    program = [sys.executable, "-c", "from goodarm.cli import main; main()", "gate"]
    gate = subprocess.Popen([*program, *options, "--", *trial], stdout=subprocess.PIPE, text=True)
    last = Path(f"pid-{parallel}")
    while not (last.exists() and last.read_text().strip()):
        assert gate.poll() is None
        time.sleep(0.02)
    gate.send_signal(signal.SIGINT)
    said, _ = gate.communicate(timeout=20)
    assert gate.returncode == 130
    assert "Undecided, interrupted" in said
    assert f"{parallel} more {'was' if parallel == '1' else 'were'} running" in said
    assert ElementTree.parse("j.xml").getroot().get("errors") == "1"
    for pid in Path().glob("pid-*"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_an_answer_that_cannot_be_printed_is_no_answer() -> None:
    """Exit code 1, which a full disk means elsewhere, would say that the bar is not cleared."""
    with Path("/dev/full").open("w") as full:
        program = [sys.executable, "-c", "from goodarm.cli import main; main()", "gate"]
        words = [*program, "--bar", "0.5", "--", "true"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the output cannot be written" in done.stderr
