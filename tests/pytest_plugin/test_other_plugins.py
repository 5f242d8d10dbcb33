"""The pytest plugin beside other plugins, and what it costs those who do not use it."""

import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

import goodarm
import goodarm.pytest_plugin.trials  # sessions in this process share what is loaded here

pytest_plugins = ("pytester",)

Session = Callable[..., pytest.RunResult]

PLUGIN = "goodarm.pytest_plugin"


@pytest.mark.parametrize("how", ["pytest.exit('enough')", "raise KeyboardInterrupt"])
def test_a_session_may_end_in_the_middle_of_a_trial(
    how: str, session: Session, pytester: pytest.Pytester
) -> None:
    text = f"""
@pytest.fixture(scope="session")
def wide():
    yield
    open("down", "w").close()

@pytest.mark.goodarm(0.5, on_error="fail")
def test(wide):
    if next(trials) == 2:
        {how}
"""
    done = session(text)
    assert done.ret == pytest.ExitCode.INTERRUPTED
    assert (pytester.path / "down").exists()
    assert "INTERNAL" not in done.stderr.str() + done.stdout.str()


def test_seeds_that_are_set_again_are_noticed(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        "def pytest_configure(config):\n"
        "    config.pluginmanager.register(object(), 'randomly')\n"
        "    config.option.randomly_reset_seed = True\n"
    )
    done = session("@pytest.mark.goodarm(0.5)\ndef test(): pass\n")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["warning: pytest-randomly sets the same seed*"])


ASYNC = """
import asyncio
ups = []

{fixture}
async def fresh():
    ups.append(asyncio.get_running_loop())
    await asyncio.sleep(0)
    yield []
    ups.append("down")

@pytest.mark.goodarm(bar=0.5)
@pytest.mark.{mark}
class TestOfAClass:
    async def test_fresh(self, fresh, numbers=count(1)):
        await asyncio.sleep(0)
        assert not fresh and asyncio.get_running_loop() is ups[-1]
        assert not hasattr(self, "seen")
        fresh.append(1)
        self.seen = True
        assert next(numbers) != 2

def test_every_trial_had_its_own():
    assert len(ups) > 8 and ups[1::2] == ["down"] * (len(ups) // 2)
"""


ANYIO = "@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n\n@pytest.fixture"
ASYNCIO = "import pytest_asyncio\n\n@pytest_asyncio.fixture"


@pytest.mark.parametrize(
    ("package", "plugin", "mark", "fixture", "ini"),
    [
        pytest.param("anyio", "anyio", "anyio", ANYIO, "", id="anyio"),
        pytest.param(
            "pytest_asyncio",
            "pytest_asyncio.plugin",
            "asyncio",
            ASYNCIO,
            "asyncio_default_fixture_loop_scope = function\n",
            id="pytest-asyncio",
        ),
    ],
)
def test_coroutines(
    package: str, plugin: str, mark: str, fixture: str, ini: str, session: Session
) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    text = ASYNC.format(mark=mark, fixture=fixture)
    done = session(text, "-p", plugin, ini=ini)
    done.assert_outcomes(passed=2)
    numbers = count(1)
    expected = goodarm.gate(lambda: next(numbers) != 2, 0.5)
    done.stdout.fnmatch_lines([f"certainly at least 0.5 *{expected.trials} passed*"])


def test_it_is_found_by_itself_where_it_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"goodarm": PLUGIN}


def test_a_session_without_the_marker_loads_next_to_nothing() -> None:
    program = (
        "import sys, pytest, goodarm.pytest_plugin\n"
        "print(*[name for name in sys.modules if name.split('.')[0] in ('goodarm', 'numpy')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert set(done.stdout.split()) == {"goodarm", PLUGIN, f"{PLUGIN}.summary"}
