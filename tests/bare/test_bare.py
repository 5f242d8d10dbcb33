"""What `pip install goodarm` gives: the wheel and what it requires, in an environment of its own.

Nothing is downloaded: what is required is lent by the environment that the tests run in.
"""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
USES = Path(__file__).with_name("uses.py")
LAB = ("matplotlib", "numba", "pandas", "polars", "scipy")
PATIENCE = 300  # seconds


class Bare(NamedTuple):
    """The environment: its programs and its packages, and a folder to work in."""

    programs: Path
    packages: Path
    folder: Path

    def run(self, *words: object, **variables: str) -> "subprocess.CompletedProcess[str]":
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "GOODARM"))}
        return subprocess.run(
            [self.programs / str(words[0]), *map(str, words[1:])],
            env={**kept, "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1", **variables},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def goodarm(self, *words: object) -> str:
        done = self.run("goodarm", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Bare:
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    pytest.importorskip("pip", reason="pip, which installs the wheel, is not installed")
    folder = tmp_path_factory.mktemp("bare")
    build = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    check([sys.executable, *build], cwd=ROOT)
    [wheel] = folder.glob("*.whl")
    venv.EnvBuilder(symlinks=True).create(folder / "env")
    paths = sysconfig.get_paths("venv", {"base": str(folder / "env")})
    made = Bare(Path(paths["scripts"]), Path(paths["purelib"]), folder)
    python = str(made.programs / "python")
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    check([sys.executable, "-m", "pip", "--python", python, *install, str(wheel)])
    [about] = made.packages.glob("goodarm-*.dist-info")
    lend(required(PathDistribution(about)), made.packages)
    return made


def check(command: list[str], **settings: Any) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **settings)
    assert done.returncode == 0, done.stdout + done.stderr


def required(package: Distribution, extra: str = "") -> dict[str, Distribution]:
    """Everything that must be installed beside a package, as it says itself."""
    found: dict[str, Distribution] = {}
    waiting = list(requirements(package, extra))
    while waiting:
        name, extras = waiting.pop()
        if name not in found:
            found[name] = distribution(name)
            waiting += [each for one in ("", *extras) for each in requirements(found[name], one)]
    return found


def requirements(package: Distribution, extra: str) -> Iterator[tuple[str, set[str]]]:
    from packaging.requirements import Requirement

    for text in package.requires or ():
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            yield one.name, one.extras


def lend(packages: dict[str, Distribution], where: Path) -> None:
    """Links to what the packages have installed, here for them there."""
    for package in packages.values():
        tops = {file.parts[0] for file in package.files or () if file.parts[0] != ".."}
        for top in tops - {"__pycache__"}:
            if not (where / top).exists():
                (where / top).symlink_to(Path(str(package.locate_file(top))).resolve())


@pytest.fixture(scope="session")
def used(bare: Bare) -> dict[str, Any]:
    """What came of all that uses.py does there."""
    done = bare.run("python", USES, ROOT / "tests" / "study" / "golden")
    assert done.returncode == 0, done.stdout + done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_the_laboratory_is_not_there(used: dict[str, Any]) -> None:
    assert not set(LAB) & set(used["importable"])
    assert "sqlalchemy" in used["importable"]


def test_a_gate(bare: Bare) -> None:
    gate = ("gate", "--bar", "0.5", "--", sys.executable, "-S", "-c", "")
    done = bare.run("python", "-X", "importtime", bare.programs / "goodarm", *gate)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("command clears the bar")
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "goodarm.gating" in loaded
    slow = {"sqlalchemy", "rich.table", "goodarm.study", "ssl", "numpy.ma", "pydantic"}
    assert not slow & loaded  # it starts at once
    refuted = bare.run("goodarm", "gate", "--bar", "0.5", "--", sys.executable, "-S", "-c", "1/0")
    assert refuted.returncode == 1


def test_a_study(bare: Bare) -> None:
    arms = ("--arm", "red", "--arm", "green")
    bare.goodarm("study", "create", "s", *arms, "--threshold", 0.5, "--outcome", "bernoulli")
    trial, arm = bare.goodarm("study", "ask", "s").split()
    assert arm in ("red", "green")
    bare.goodarm("study", "tell", "s", trial, 1)
    assert "sound" in bare.goodarm("study", "verify", "s")


def test_every_module_of_the_core_can_be_imported(used: dict[str, Any]) -> None:
    """Those that cannot belong to the page, to agents, to pytest, or to a GPU."""
    others = ("goodarm.web", "goodarm.mcp_server", "goodarm.remote", "goodarm.pytest_plugin")
    strange = [
        name for name in used["not importable"] if not (name.startswith(others) or "gpu" in name)
    ]
    assert strange == []


def test_what_it_can_do(used: dict[str, Any]) -> None:
    assert set(used["golden logs"].values()) == {True}, used["golden logs"]
    assert len(used["limits"]) >= 6
    assert all(low < high for low, high in used["limits"].values()), used["limits"]
    assert used["general boundary"]
    assert used["runs of a forecast"] == 20
    assert "light-dark(" in used["report"], "its style sheet came with the wheel"
    assert all("life" in text for text in used["shown"])


@pytest.mark.parametrize(
    ("words", "what", "extra"),
    [
        ("simulate NoA1 --budget 20", "simulate", "lab"),
        ("plan --means 0.2,0.9 --threshold 0.5 --outcome bernoulli --delta 0.1", "plan", "lab"),
        ("paper", "paper", "lab"),
        ("league --quick", "league", "lab"),
        ("bench", "bench", "lab"),
        ("theory NoA1 --plot bounds.png", "theory --plot", "lab"),
        ("study export life log.parquet", "format: Parquet", "lab"),
        ("study list --storage postgresql://nobody@localhost/x", "storage: PostgreSQL", "postgres"),
        ("serve", "serve", "web"),
    ],
)
def test_a_command_that_needs_an_extra_says_so(
    used: dict[str, Any], words: str, what: str, extra: str
) -> None:
    code, out, err = used["commands"][words]
    assert (code, out) == (2, "")
    assert err == f'error: {what} needs goodarm[{extra}]: pip install "goodarm[{extra}]"\n'


def test_advice_does_without_its_price(used: dict[str, Any]) -> None:
    code, out, err = used["commands"]["outcomes --kind yes-no --steady"]
    assert (code, err) == (0, "")
    assert "--outcome bernoulli" in out
    assert 'needs goodarm[lab]: pip install "goodarm[lab]"' in out
    code, out, err = used["commands"]["outcomes --kind yes-no --steady --json"]
    assert (code, json.loads(out)["prices"]) == (0, None)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "name",
    ["simulate", "plan", "plot", "plot_study", "history", "new_panels", "check_outcome"],
)
def test_a_function_that_needs_an_extra_says_so(used: dict[str, Any], name: str) -> None:
    assert used["functions"][name].endswith('needs goodarm[lab]: pip install "goodarm[lab]"')


def test_the_page_works_without_the_laboratory(bare: Bare) -> None:
    pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")
    [about] = bare.packages.glob("goodarm-*.dist-info")
    more = bare.folder / "web"
    more.mkdir()
    lend(required(PathDistribution(about), "web"), more)
    make = (
        "import sys; from goodarm.study import Studies; from goodarm.web.app import create_app; "
        "create_app(Studies('page.db', create=True), 'token'); print(sorted(sys.modules))"
    )
    done = bare.run("python", "-c", make, PYTHONPATH=str(more))
    assert done.returncode == 0, done.stderr
    assert "goodarm.web.pages.plans" in done.stdout
    assert not [name for name in LAB if f"'{name}'" in done.stdout]
