"""A trial that runs a command: what counts, what is an error, and that nothing is left behind."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from goodarm.errors import InputError
from goodarm.gating.commands import Command, CommandError, ValueSource
from goodarm.gating.playing import CannotRunError
from goodarm.gating.question import Call

CALL = Call("a b", 7, 42)


def shell(script: str, value: str = "exit", timeout: float | None = None) -> Command:
    return Command(["sh", "-c", script], ValueSource.parse(value), timeout)


def test_the_exit_code_is_the_outcome() -> None:
    assert shell("exit 0")(CALL) == 1.0
    assert shell("exit 1")(CALL) == 0.0


def test_blanks_are_filled_in_without_a_shell() -> None:
    program = "import sys; print(sys.argv[1:])"
    command = Command(
        [sys.executable, "-S", "-c", program, "{arm}|{trial}", "{seed}", "{other} {", "$HOME;"],
        ValueSource.parse("stdout"),
    )
    assert command(CALL) == "['a b|7', '42', '{other} {', '$HOME;']"
    assert command(CALL._replace(arm="{seed}")).startswith("['{seed}|7'")


@pytest.mark.parametrize(
    ("script", "value", "found"),
    [
        ("echo log; echo 0.5; echo", "stdout", "0.5"),
        ('echo \'{"a": [1, {"b": 0.25}]}\'', "json:a.1.b", 0.25),
        ("echo '{\"a\": true}'", "json:a", True),
        ("echo 3/4 > out-{trial}.txt", "file:out-{trial}.txt", "3/4"),
    ],
)
def test_values(
    script: str, value: str, found: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shell(script, value)(CALL) == found


@pytest.mark.parametrize(
    ("script", "value", "said"),
    [
        ("echo why >&2; exit 3", "exit", r"exit code 3, which is neither .* It said:\nwhy"),
        ("kill -9 $$", "exit", "ended by SIGKILL"),
        ("echo 1; exit 1", "stdout", "exit code 1; a value counts only with exit code 0"),
        (":", "stdout", "nothing where a value should be"),
        ("echo nonsense", "json:a", "no JSON: 'nonsense'"),
        ("echo '{\"a\": 1}'", "json:b", "nothing at 'b'"),
        ("echo '{\"a\": null}'", "json:a", "no number"),
        ("echo '[1]'", "json:1", "nothing at '1'"),
        (":", "file:absent.txt", "cannot be read"),
        ("head -c 2000000 /dev/zero", "stdout", "bytes of output"),
    ],
)
def test_what_is_no_outcome(script: str, value: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        shell(script, value)(CALL)


def test_a_value_of_an_earlier_trial_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "value"
    path.write_text("1")
    with pytest.raises(CommandError, match="of an earlier trial"):
        shell(":", f"file:{path}")(CALL)
    assert path.read_text() == "1"
    assert shell(f"echo 0 > {path}", f"file:{path}")(CALL) == "0"


def test_what_cannot_be_started() -> None:
    with pytest.raises(CannotRunError, match=r"'no-such-program' cannot be run: No such file"):
        Command(["no-such-program"])(CALL)
    with pytest.raises(InputError, match="nothing to run"):
        Command([])
    for wrong in ("exit:1", "json:", "file", "number"):
        with pytest.raises(InputError, match="is none of exit"):
            ValueSource.parse(wrong)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A child that nobody has asked for yet is as dead as can be.
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def gone(pid: int) -> bool:
    for _ in range(200):
        if not is_alive(pid):
            return True
        time.sleep(0.01)
    return False


def test_a_timeout_ends_children_too(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with pytest.raises(CommandError, match=r"still running after 0.3 s"):
        shell(f"sleep 60 & echo $! > {pid}; wait", timeout=0.3)(CALL)
    assert gone(int(pid.read_text()))


def test_cancelled_commands_end_and_no_more_begin(tmp_path: Path) -> None:
    command, ended = shell(f"echo $$ > {tmp_path}/{{trial}}; exec sleep 60"), []

    def run(trial: int) -> None:
        try:
            command(Call("a", trial, 0))
        except CommandError as error:
            ended.append(str(error))

    threads = [threading.Thread(target=run, args=(trial,)) for trial in (1, 2)]
    for thread in threads:
        thread.start()
    files = [tmp_path / "1", tmp_path / "2"]
    while not all(file.exists() and file.read_text().strip() for file in files):
        time.sleep(0.01)
    command.cancel()
    for thread in threads:
        thread.join()
    assert ended == ["ended by SIGTERM"] * 2
    assert all(gone(int(file.read_text())) for file in files)
    with pytest.raises(CommandError, match="cancelled before it began"):
        command(CALL)
