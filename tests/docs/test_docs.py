"""Nothing public is undocumented, the pages run, and the site builds without a warning."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import goodarm

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


REFERENCE = module(Path(__file__).with_name("command_reference.py"))
TRANSCRIPT = module(Path(__file__).with_name("transcript.py"))
API = (DOCS / "python-api.md").read_text(encoding="utf-8")
COMMANDS = dict(REFERENCE.commands())
COMMAND_LINE = (DOCS / "command-line.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", goodarm.__all__)
def test_a_public_name_is_on_the_api_page(name: str) -> None:
    assert re.search(rf"^::: [\w.]+\.{name}$", API, re.MULTILINE) or f"{name}`" in API


def test_what_is_on_the_api_page_can_be_imported_as_it_says() -> None:
    names = re.findall(r"^::: (.+)$", API, re.MULTILINE)
    assert len(names) == len(set(names)) > 40
    for name in names:
        package, _, attribute = name.partition(".")
        assert (package, hasattr(goodarm, attribute)) == ("goodarm", True), name


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_and_its_options_are_documented(words: str) -> None:
    remedy = "run python tests/docs/command_reference.py"
    start = COMMAND_LINE.find(f"## `{words}`\n")
    assert start >= 0, f"{words} is not in docs/command-line.md; {remedy}"
    text = COMMAND_LINE[start:].split("\n## ")[0]
    for parameter in COMMANDS[words].params:
        for option in parameter.opts if parameter.param_type_name == "option" else ():
            hidden = getattr(parameter, "hidden", False)
            assert hidden or f"`{option}`" in text or option == "--help", f"{option}; {remedy}"


def test_every_variable_is_documented() -> None:
    sources = "".join(p.read_text("utf-8") for p in (ROOT / "src" / "goodarm").rglob("*.py"))
    for variable in set(re.findall(r"\bGOODARM_[A-Z]+\b", sources)):
        assert f"`{variable}`" in COMMAND_LINE, variable


def test_the_first_study_says_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("GOODARM_STORAGE", "GOODARM_BY"):
        monkeypatch.delenv(variable, raising=False)
    for _, written, printed in TRANSCRIPT.outputs((DOCS / "first-study.md").read_text("utf-8")):
        assert printed == written


def test_the_page_about_outcomes_says_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "outcomes.md").read_text("utf-8")
    for _, written, printed in TRANSCRIPT.outputs(page):
        assert printed == written
    for form in (model.form() for model in goodarm.outcomes.outcomes.values()):
        assert f"| `{form.split('[')[0]}" in page, f"{form} is not in the table of models"


def test_the_page_about_gates_says_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for _, written, printed in TRANSCRIPT.outputs((DOCS / "gate.md").read_text("utf-8")):
        assert printed == written


def test_the_page_about_questions_says_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _, written, printed in TRANSCRIPT.outputs((DOCS / "questions.md").read_text("utf-8")):
        assert printed == written


def test_the_programs_on_the_page_about_algorithms_run() -> None:
    list(TRANSCRIPT.outputs((DOCS / "adding-an-algorithm.md").read_text("utf-8")))


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    pages = "".join(p.read_text("utf-8") for p in (tmp_path / "site").glob("*.html"))
    addresses = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?://[^"]+)"', pages)
    assert not addresses, "the site must work offline"
