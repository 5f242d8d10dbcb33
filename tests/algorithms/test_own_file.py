"""An algorithm from a user's own file, and what is said when something is wrong with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from goodarm import InputError, find_algorithm, rare_errors, simulate

SOUND = """from goodarm.algorithms import Algorithm


def choose(run, t):
    return t % 2


RULE = Algorithm(
    name="FirstTwo", summary="the first two arms", reference="-", guarantee="-", choose=choose
)
"""
FAULTS = {
    "syntax": ("def choose(run, t:\n    return 0\n", ["line 1", "SyntaxError"]),
    "indentation": ("def choose(run, t):\nreturn 0\n", ["line 2", "IndentationError"]),
    "missing name": ("import math\n\nRULE = Algorithm()\n", ["line 3", "NameError", "'Algorithm'"]),
    "missing module": ("import no_such_module\n", ["line 1", "ModuleNotFoundError"]),
    "exception": ("limit = 0\nRULE = 1 / limit\n", ["line 2", "ZeroDivisionError"]),
    "exit": ("import sys\n\nsys.exit(3)\n", ["line 3", "SystemExit"]),
    "missing part": (SOUND.replace(", choose=choose", ""), ["line 8", "TypeError", "choose"]),
    "another object": (SOUND + "\nRULE = choose\n", ["RULE", "function", "RULE = Algorithm("]),
    "another name": (SOUND.replace("RULE", "OTHER"), ["no Algorithm named 'RULE'", "it has OTHER"]),
    "nothing": ("", ["no Algorithm named 'RULE'", "Algorithm("]),
    "null byte": ("RULE = 1\0\n", ["SyntaxError"]),
}


def write(folder: Path, text: str) -> str:
    (folder / "mine.py").write_text(text)
    return f"{folder / 'mine.py'}:RULE"


def test_a_sound_file(tmp_path) -> None:
    spec = write(tmp_path, SOUND)
    assert find_algorithm(spec).name == "FirstTwo"
    assert simulate("Thr2", spec, budget=12, runs=1)["FirstTwo"].pulls.tolist() == [
        4,
        4,
        1,
        1,
        1,
        1,
    ]


def test_a_file_with_a_dot_in_its_name(tmp_path) -> None:
    (tmp_path / "my.rule.py").write_text(SOUND)
    found = simulate("Thr2", f"{tmp_path / 'my.rule.py'}:RULE", budget=12, runs=1)
    assert found["FirstTwo"].pulls.sum() == 12


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_that_says_where_it_is(tmp_path, fault: str) -> None:
    text, words = FAULTS[fault]
    spec = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        find_algorithm(spec)
    message = str(caught.value)
    assert "\n" not in message
    for word in ("mine.py", *words):
        assert word in message


def test_a_file_that_was_corrected_is_read_again(tmp_path) -> None:
    with pytest.raises(InputError):
        find_algorithm(write(tmp_path, "def choose(run, t:\n"))
    assert find_algorithm(write(tmp_path, SOUND)).name == "FirstTwo"


def test_the_line_is_that_of_the_file_not_of_what_it_calls(tmp_path) -> None:
    text = "import json\n\nRULE = json.loads('{')\n"
    with pytest.raises(InputError, match=r"mine\.py', line 3: JSONDecodeError"):
        find_algorithm(write(tmp_path, text))


def test_a_fault_in_a_function_is_one_line_too(tmp_path) -> None:
    spec = write(tmp_path, SOUND.replace("t % 2", "unknown_helper(run, t)"))
    with pytest.raises(InputError) as caught:
        simulate("Thr2", spec, budget=12, runs=1)
    message = str(caught.value)
    assert "\n" not in message
    assert "mine.py', line 5: NameError: name 'unknown_helper' is not defined" in message


def test_what_only_plain_python_can_do_is_named(tmp_path) -> None:
    spec = write(tmp_path, SOUND.replace("t % 2", "{'a': t}['a'] % 2"))
    with pytest.raises(InputError) as caught:
        simulate("Thr2", spec, budget=12, runs=1)
    message = str(caught.value)
    assert "\n" not in message
    assert "mine.py', line 5: it works in plain Python but cannot be compiled" in message
    assert "adding-an-algorithm.md" in message


def test_the_command_line_shows_no_traceback(tmp_path) -> None:
    spec = write(tmp_path, SOUND.replace("t % 2", "t:"))
    words = ["simulate", "Thr2", "-a", spec, "--budget", "12", "--runs", "1"]
    done = subprocess.run(
        [sys.executable, "-c", "from goodarm.cli import main; main()", *words],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "mine.py', line 5: SyntaxError" in done.stderr


@pytest.mark.parametrize("arm", ["99", "len(run.counts)", "int(run.sums[0] * 0) + 6"])
def test_an_arm_that_does_not_exist_is_an_error_and_not_a_crash(tmp_path, arm: str) -> None:
    spec = write(tmp_path, SOUND.replace("return ", f"return {arm} if t > 8 else ", 1))
    with pytest.raises(InputError, match=r"mine\.py.*choose gave arm .*numbered 0 to 5"):
        simulate("Thr2", spec, budget=20, runs=2)


def test_a_file_without_a_name_in_it(tmp_path) -> None:
    path = write(tmp_path, SOUND).removesuffix(":RULE")
    with pytest.raises(InputError, match=r"name the algorithm in the file, as in .*mine\.py:RULE"):
        find_algorithm(path)


def test_the_line_is_found_from_a_relative_path(tmp_path, monkeypatch) -> None:
    write(tmp_path, "import no_such_module\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="line 1"):
        find_algorithm("mine.py:RULE")


def test_no_compiled_loop_is_entered_with_an_arm_that_does_not_exist(tmp_path) -> None:
    spec = write(tmp_path, SOUND.replace("t % 2", "t"))
    with pytest.raises(InputError, match="numbered 0 to 5"):
        rare_errors("Thr2", spec, [20], seed=1)
