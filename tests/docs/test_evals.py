"""The pages about evaluations, tests and CI: what they show is what happens."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EVALS, PYTEST, CI, GATE = (
    (ROOT / "docs" / name).read_text("utf-8")
    for name in ("evals.md", "pytest.md", "ci.md", "gate.md")
)
MY_BOT = """
import random

chance = random.Random(2)


def answer(question):
    return "INV-4711 is." if chance.random() < 0.75 else "I could not find any invoice."
"""


def module(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded  # its dataclasses look themselves up there
    spec.loader.exec_module(loaded)
    return loaded


TRANSCRIPT = module("transcript", Path(__file__).with_name("transcript.py"))
COUNTS = module("example_fixed_counts", ROOT / "examples" / "fixed_counts.py")
DATA = json.loads((ROOT / "docs" / "data" / "fixed_counts.json").read_text("utf-8"))


def blocks(page: str, kind: str) -> list[str]:
    every = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [text for found, text in every if found == kind]


def test_the_page_about_evaluations_says_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    marked = blocks(EVALS, "python")[-1]  # is for a session of pytest, below
    steps = TRANSCRIPT.outputs(EVALS.replace(f"```python\n{marked}```", ""))
    next(steps)
    assert [repr(sys.modules["documentation_page"].result) + "\n"] == blocks(EVALS, "text")
    for _, written, printed in steps:
        assert printed == written


def test_the_tables_are_those_of_the_example() -> None:
    """And the figures in the file are exact: those of the example, and a binomial by hand."""
    assert COUNTS.answers_table(DATA, 0.8) in EVALS
    assert COUNTS.answers_table(DATA, 0.66) in EVALS
    assert COUNTS.budgets_table(DATA) in GATE
    assert DATA["gates"][0]["outlook"]["0.9"] == pytest.approx(
        COUNTS.asdict(COUNTS.gate_outlook(0.8, 0.9)), rel=1e-9, abs=1e-12
    )
    four_of_five = 5 * 0.9**4 * 0.1 + 0.9**5
    assert DATA["fixed"][0]["passes"]["0.9"] == pytest.approx(four_of_five)


def test_a_gate_is_what_the_example_computes() -> None:
    """Against gates that are run: five standard errors off would be no accident."""
    from random import Random

    from goodarm import gate

    rate, many, chance = 0.9, 150, Random(4)
    results = [gate(lambda: chance.random() < rate, 0.75, budget=60) for _ in range(many)]
    expected = COUNTS.gate_outlook(0.75, rate, budget=60)
    passed = sum(result.passed for result in results) / many
    calls = [result.trials for result in results]
    spread = (expected.passes * (1.0 - expected.passes) / many) ** 0.5
    assert abs(passed - expected.passes) < 5.0 * spread
    assert abs(sum(calls) / many - expected.calls) < 5.0 * 60 / 2 / many**0.5


def test_the_marked_tests_on_the_pages_run(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(MY_BOT)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    bot, case = blocks(PYTEST, "python")
    (tmp_path / "test_bot.py").write_text(bot)
    (tmp_path / "test_case.py").write_text(case)
    first, *_, marked = blocks(EVALS, "python")
    (tmp_path / "test_adding.py").write_text(first + marked)
    words = ["-p", "goodarm.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    (shown,) = blocks(PYTEST, "")
    said = [line.split() for line in done.stdout.splitlines()]
    for line in shown.splitlines():
        assert line.startswith("=") or line.split() in said, line


def test_the_recipes_for_ci_can_be_read(tmp_path: Path) -> None:
    github, plain, gitlab = blocks(CI, "yaml")
    kinds = {"github": "vendor.github-workflows", "gitlab": "vendor.gitlab-ci"}
    for number, (kind, text) in enumerate(
        [("github", github), ("github", plain), ("gitlab", gitlab)]
    ):
        (tmp_path / f"{kind}{number}.yml").write_text(text)
    for kind, schema in kinds.items():
        files = sorted(map(str, tmp_path.glob(f"{kind}*.yml")))
        done = subprocess.run(
            [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    for text in blocks(CI, "sh"):
        assert subprocess.run(["sh", "-n", "-c", text]).returncode == 0
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    for name in (*action["inputs"], *action["outputs"]):
        assert f"`{name}`" in CI, name
    used = next(
        s
        for s in yaml.safe_load(github)["jobs"]["gate"]["steps"]
        if "with" in s and "bar" in s["with"]
    )
    assert set(used["with"]) <= set(action["inputs"])
