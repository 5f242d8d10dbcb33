"""The command line as a user meets it, in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-c", "from goodarm.cli import main; main()"]


def goodarm(*arguments: str) -> subprocess.CompletedProcess[str]:
    # Without the width of the tests' own terminal, which readline tells child processes.
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, env=environment)


def test_version_and_help() -> None:
    assert goodarm("--version").stdout.startswith("goodarm ")
    assert "simulate" in goodarm("--help").stdout


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        (("--delta", "0.1"), "fixed-confidence"),
        (("--budget", "60"), "fixed-budget"),
        (("--horizon", "60"), "anytime"),
    ],
)
def test_json_for_every_mode(mode: tuple[str, str], name: str) -> None:
    arguments = ("simulate", "Thr2", "-a", "APGAI", "-a", "Unif", *mode, "--runs", "40", "--json")
    done = goodarm(*arguments, "--threads", "1")
    shown = json.loads(done.stdout)
    assert (shown["instance"], shown["mode"], shown["runs"]) == ("Thr2", name, 40)
    assert [r["algorithm"] for r in shown["results"]] == ["APGAI", "Unif"]
    for result in shown["results"]:
        if name == "anytime":
            assert len(result["times"]) == len(result["error_rate"]) == 60
            assert result["low"][-1] <= result["error_rate"][-1] <= result["high"][-1]
        else:
            assert set(result["error"]) == {"rate", "low", "high"}
            wanted = {"mean", "std", "se", "median", "q05", "q95", "max"}
            assert set(result["stopping_time"]) == wanted
    other = json.loads(goodarm(*arguments, "--threads", "2", "--chunk", "3").stdout)
    for result in shown["results"] + other["results"]:
        del result["pulls_per_second"]
    assert shown == other


def test_table_on_standard_output_and_nothing_else() -> None:
    done = goodarm("simulate", "NoA1", "--budget", "30", "--runs", "20")
    assert done.returncode == 0
    assert "APGAI" in done.stdout
    assert done.stderr == ""


def test_trace() -> None:
    arguments = ("simulate", "NoA1", "-a", "APGAI", "--delta", "0.1")
    lines = goodarm(*arguments, "--trace", "3").stdout.splitlines()
    assert "(final)" in lines[-1]
    shown = json.loads(goodarm(*arguments, "--trace", "3", "--json").stdout)
    steps = shown["traces"][0]["steps"]
    result = json.loads(goodarm(*arguments, "--runs", "4", "--json").stdout)["results"][0]
    assert steps[-1]["t"] <= result["stopping_time"]["max"]
    assert len(lines) == len(steps) + 2


def test_lists() -> None:
    names = [row["name"] for row in json.loads(goodarm("list", "algorithms", "--json").stdout)]
    assert {"APGAI", "APGAI-FE", "Unif"} <= set(names)
    catalogue = json.loads(goodarm("list", "instances", "--json").stdout)
    assert "RealL" in [row["name"] for row in catalogue["instances"]]
    assert "APGAI-FE" in goodarm("list", "algorithms").stdout
    assert "TwoG" in goodarm("list", "instances").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "Thr9", "--delta", "0.1"), "did you mean 'Thr"),
        (("simulate", "Thr1", "-a", "APGAY", "--delta", "0.1"), "did you mean 'APGAI'"),
        (("simulate", "Thr1"), "exactly one of"),
        (("simulate", "Thr1", "--delta", "1.5"), "strictly between 0 and 1"),
        (("simulate", "Thr1", "--delta", "x"), "Invalid value for '--delta'"),
        (("simulate", "Thr1", "--budget", "3"), "at least 10"),
        (("simulate", "absent.json", "--budget", "30"), "cannot read"),
        (("simulate", "Thr1", "--budget", "30", "--trace", "-1"), "outside 0"),
        (("simulat",), "No such command"),
        (("simulate",), "Missing argument"),
    ],
)
def test_errors_are_short_and_have_exit_code_2(arguments: tuple, message: str) -> None:
    done = goodarm(*arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_instance_files(tmp_path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("name,mean\na,0.2\nb,0.9\n")
    done = goodarm("simulate", str(path), "--threshold", "0.5", "--budget", "9", "--json")
    assert json.loads(done.stdout)["instance"] == "mine"


def test_interrupt_leaves_at_once_without_a_traceback() -> None:
    endless = ("simulate", "Thr1", "-a", "Unif", "--delta", "1e-9", "--runs", "100000000")
    process = subprocess.Popen(
        [*COMMAND, *endless], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(3.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert err == "interrupted\n"


def test_an_unlikely_outcome_is_asked_about_at_a_terminal(tmp_path, monkeypatch) -> None:
    pty = pytest.importorskip("pty", reason="there are no terminals to pretend here")
    monkeypatch.chdir(tmp_path)
    options = ("--arm", "A", "--threshold", "0", "--outcome", "gaussian:1")
    assert goodarm("study", "create", "s", *options).returncode == 0
    for answer, code in ((b"\n", 2), (b"y\n", 0)):
        ours, theirs = pty.openpty()
        command = [*COMMAND, "study", "tell", "s", "--arm", "A", "54"]
        process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        asked = b""
        while b"[y/N]" not in asked:
            asked += os.read(ours, 1024)
        os.write(ours, answer)
        out, _ = process.communicate(timeout=60)
        os.close(ours)
        assert process.returncode == code
        assert b"54 standard deviations" in asked
        assert (b"trial 1 (A) = 54: told" in out) == (code == 0)
