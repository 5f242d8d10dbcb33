"""docs/integrations.md: its programs run, and its commands print what it says."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")
INSPECT = PAGE.split("## inspect-ai\n")[1].split("\n## Optuna\n")[0]


def transcript() -> ModuleType:
    spec = importlib.util.spec_from_file_location("transcript", ROOT / "tests/docs/transcript.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_says_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna", reason="optuna is not installed")
    monkeypatch.chdir(tmp_path)
    for variable in ("GOODARM_STORAGE", "GOODARM_BY"):
        monkeypatch.delenv(variable, raising=False)
    for _, written, printed in transcript().outputs(PAGE.replace(INSPECT, "")):
        assert printed == written


def test_an_evaluation_of_two_models_stops_for_each_when_it_is_certain(tmp_path: Path) -> None:
    """The page's program, in a process of its own, as inspect-ai leaves things open."""
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")
    (program,) = re.findall(r"```python\n(.*?)```", INSPECT, re.DOTALL)
    checks = """
assert [log.status for log in logs] == ["success", "success"]
found = [log.results.early_stopping for log in logs]
assert len(task.early_stopping.results) == 2
for each, log in zip(found, logs):
    assert each.metadata in task.early_stopping.results
    assert each.metadata["verdict"] == "clears" and log.eval.model in each.metadata["arm"]
    assert each.metadata["counted"] + len(each.early_stops) <= 120
    assert len(each.early_stops) > 0
assert found[0].metadata["arm"] != found[1].metadata["arm"]
"""
    done = subprocess.run(
        [sys.executable, "-c", program + checks],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("its mean is at least 0.8") == 2
