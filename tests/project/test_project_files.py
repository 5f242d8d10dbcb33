"""What surrounds the package agrees with it: workflows, recipe, image, citation, versions."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml

import goodarm
from goodarm.extras import EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SCHEMAS = {
    "vendor.github-workflows": ".github/workflows/*.yml",
    "custom.github-workflows-require-timeout": ".github/workflows/*.yml",
    "vendor.github-actions": "action.yml",
    "vendor.dependabot": ".github/dependabot.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.compose-spec": "compose.yaml",
    "vendor.citation-file-format": "CITATION.cff",
}
CONDA_NAMES = {"matplotlib-base": "matplotlib"}


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_have_the_form_that_their_readers_expect(schema: str) -> None:
    files = [str(path) for path in sorted(ROOT.glob(SCHEMAS[schema]))]
    assert files
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_versions_agree() -> None:
    recipe = read_yaml("conda/recipe/recipe.yaml")["context"]["version"]
    citation = str(read_yaml("CITATION.cff")["version"])
    assert {goodarm.__version__, recipe, citation} == {PROJECT["version"]}


def test_every_python_that_is_promised_is_tested() -> None:
    promised = [
        text.rpartition(" ")[2]
        for text in PROJECT["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", text)
    ]
    matrix = read_yaml(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"
    assert read_yaml("conda/recipe/recipe.yaml")["context"]["python_min"] == promised[0]


def test_the_workflow_runs_what_people_run() -> None:
    jobs = read_yaml(".github/workflows/ci.yml")["jobs"]
    commands = {step.get("run") for job in jobs.values() for step in job["steps"]}
    assert {"make lint", "make types", "make test", "make test-oldest"} <= commands
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"lint", "types", "test", "test-oldest"} <= set(targets)
    assert set(jobs["passed"]["needs"]) == set(jobs) - {"passed"}


def test_workflows_may_do_no_more_than_they_need() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text())
        assert workflow["permissions"] == {}, path.name
        for name, job in workflow["jobs"].items():
            writes = {what for what, right in job["permissions"].items() if right == "write"}
            assert writes <= ({"id-token", "attestations"} if name == "publish" else set())


def test_the_recipe_asks_for_what_the_package_asks_for() -> None:
    run = read_yaml("conda/recipe/recipe.yaml")["requirements"]["run"]
    asked = dict(line.split(" ", 1) for line in run if not line.startswith("python "))
    lines = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["lab"]]
    wanted = dict(re.fullmatch(r"([a-z-]+)(.*)", line).groups() for line in lines)
    assert {CONDA_NAMES.get(name, name): bound for name, bound in asked.items()} == wanted


@pytest.mark.parametrize("extra", sorted(set(PROJECT["optional-dependencies"]) - {"all"}))
def test_an_extra_is_known_by_what_it_installs(extra: str) -> None:
    named = list(PROJECT["optional-dependencies"][extra])
    for line in named:  # it grows: an extra may ask for others
        if line.startswith("goodarm["):
            inner = re.findall(r"\w+", line.partition("[")[2])
            named += [each for name in inner for each in PROJECT["optional-dependencies"][name]]
    wanted = {normal(re.match(r"[\w-]+", line)[0]) for line in named} - {"goodarm"}
    installers = packages_distributions()
    known = {normal(name) for module in EXTRAS[extra] for name in installers.get(module, [module])}
    assert known == wanted


def test_all_is_every_extra_but_that_for_a_gpu() -> None:
    extras = PROJECT["optional-dependencies"]
    everything = set(re.findall(r"\w+", extras["all"][0].partition("[")[2]))
    assert everything == set(extras) - {"all", "cuda"}


def test_the_image_is_not_run_by_root_and_says_whether_it_is_well() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    last_stage = lines[max(i for i, line in enumerate(lines) if line.startswith("FROM ")) :]
    words = [line.split(maxsplit=1) for line in last_stage if line]
    instructions = {word[0]: word[-1] for word in words}
    assert instructions["USER"].split(":")[0] not in ("root", "0")
    assert "HEALTHCHECK" in instructions
    for copied in re.findall(r"^COPY (?!--)(.*) \S+$", "\n".join(lines), re.MULTILINE):
        for name in copied.split():
            assert (ROOT / name).exists(), name
            assert f"!{name}" in (ROOT / ".dockerignore").read_text().splitlines(), name


def test_the_page_is_published_to_this_machine_only() -> None:
    services = read_yaml("compose.yaml")["services"]
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8765:8765"]
    assert all(service["cap_drop"] == ["ALL"] for service in services.values())
    assert services["page"]["depends_on"]["database"]["condition"] == "service_healthy"


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_no_source_is_ignored() -> None:
    """What .gitignore names is missing from commits, and from the packages that are built."""
    done = subprocess.run(
        ["git", "ls-files", "--others", "--ignored", "--exclude-standard", "src", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not [name for name in done.stdout.split() if name.endswith(".py")]


def test_the_development_container_can_be_read() -> None:
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert settings["postCreateCommand"].startswith("make .venv/.ready")


def test_the_paper_cites_what_its_bibliography_has() -> None:
    text = (ROOT / "joss" / "paper.md").read_text()
    entries = re.findall(r"@\w+\{(\w+),", (ROOT / "joss" / "paper.bib").read_text())
    assert set(re.findall(r"(?<=[\[\s;])@(\w+)", text)) == set(entries)
    for picture in re.findall(r"\]\((\S+\.png)\)", text):
        assert (ROOT / "joss" / picture).is_file()


def test_every_benchmark_is_on_the_page_for_developers() -> None:
    page = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    tables = "\n".join(line for line in page.splitlines() if line.startswith("| `"))
    named = set(re.findall(r"`(\w+\.(?:py|sh))`", tables))
    assert named == {path.name for path in (ROOT / "bench").iterdir() if path.is_file()}
