"""action.yml: every input reaches the gate, none of them as code, and the answer comes back."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from goodarm.cli.gate import gate

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
PROGRAM = ROOT / "tools" / "gate_action.py"
ELSEWHERE = {"command", "python-version", "goodarm"}  # inputs that are no options of the gate


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gate_action", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_inputs_options_and_variables_are_the_same() -> None:
    module = program()
    assert set(module.OPTIONS) == set(ACTION["inputs"]) - ELSEWHERE
    assert {name.replace("-", "_") for name in module.OPTIONS} <= set(gate.__annotations__)
    last = ACTION["runs"]["steps"][-1]
    expected = {module.variable(name): name for name in (*module.OPTIONS, "command")}
    assert last["env"] == {key: f"${{{{ inputs.{name} }}}}" for key, name in expected.items()}


def test_no_script_has_an_expression_in_it() -> None:
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The last step as a runner would run it, and the outputs that it has left."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))

    def step(**inputs: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
        given = {f"GATE_{name.upper()}": value for name, value in inputs.items()}
        done = subprocess.run(
            [sys.executable, PROGRAM], env={**os.environ, **given}, capture_output=True, text=True
        )
        written = tmp_path / "outputs"
        lines = written.read_text("utf-8").splitlines() if written.exists() else []
        return done, dict(line.split("=", 1) for line in lines)

    return step


def test_the_answer_comes_back_and_inputs_are_words(run) -> None:
    arms = "$(touch hacked),`touch hacked`;'"
    command = """sh -c '[ "${#1}" -eq 15 ]' name {arm}"""  # the first one is that long
    done, outputs = run(command=command, bar="0.5", arms=arms, budget="40", delta="0.1")
    assert done.returncode == 0, done.stderr
    assert (outputs["verdict"], outputs["arm"]) == ("clears", "$(touch hacked)")
    result = json.loads(outputs["json"])
    assert (result["budget"], result["delta"]) == (40, 0.1)
    assert result["trials"] == int(outputs["trials"])
    assert [arm["arm"] for arm in result["arms"]] == arms.split(",")
    assert not Path("hacked").exists()
    assert "::notice title=goodarm gate::" in done.stderr
    assert "clears the bar" in Path("summary.md").read_text("utf-8")


def test_wrong_usage_has_no_outputs(run) -> None:
    done, outputs = run(command="sh -c 'exit", bar="0.5")
    assert (done.returncode, outputs) == (2, {})
    assert "check its quotation marks" in done.stdout
    done, outputs = run(command="true", bar="--help")
    assert (done.returncode, outputs) == (2, {})
