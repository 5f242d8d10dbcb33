"""Pytest's hooks: `@pytest.mark.goodarm(bar=0.9)` repeats a test until the answer is certain.

Loaded by pytest in every session, so nothing here imports more than pytest has already; what a
marked test needs is imported when there is one. `marker` reads what was asked, `trials` runs the
test, `outlook` says what came out, for people and for other plugins, and `summary` gathers it.
PYTEST_DONT_REWRITE: there is nothing to rewrite, and the package may have been imported before.
"""

from typing import TYPE_CHECKING

import pytest

from goodarm.pytest_plugin.summary import RatesOfTests

if TYPE_CHECKING:
    from goodarm.gating.question import Call

MARKER = "goodarm"
FAIL, SKIP = "fail", "skip"
HELP = (
    "goodarm(bar, delta=0.05, budget=1000, on_error='stop'): repeat the test until it is certain "
    "whether it passes at least that often; see docs/pytest.md of goodarm."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("goodarm", "tests that must pass at a rate (goodarm)")
    group.addoption(
        "--goodarm-undecided",
        choices=(FAIL, SKIP),
        help="What a test is whose budget is used up before the answer is certain (default: fail).",
    )
    group.addoption(
        "--goodarm-budget",
        type=int,
        metavar="N",
        help="Trials of a marked test at most, whatever its marker says.",
    )
    group.addoption(
        "--goodarm-delta",
        type=float,
        metavar="D",
        help="How often an answer may be wrong, whatever the marker says.",
    )
    group.addoption(
        "--goodarm-off", action="store_true", help="Run marked tests once, like any other."
    )
    parser.addini("goodarm_undecided", f"As --goodarm-undecided: {FAIL} or {SKIP}.", default=FAIL)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and what gathers the results."""
    config.addinivalue_line("markers", HELP)
    if config.getini("goodarm_undecided") not in (FAIL, SKIP):
        raise pytest.UsageError(
            f"goodarm_undecided: {config.getini('goodarm_undecided')!r} is neither {FAIL} nor "
            f"{SKIP}; write one of them"
        )
    config.pluginmanager.register(RatesOfTests(), "goodarm-summary")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Refuses markers that ask for what cannot be asked, as errors of collection."""
    marked = [item for item in items if item.get_closest_marker(MARKER) is not None]
    if not marked or config.getoption("goodarm_off"):
        return
    from goodarm.pytest_plugin import marker

    for item in marked:
        problem = marker.problem(item)
        if problem is not None:
            items.remove(item)
            report = pytest.CollectReport(item.nodeid, "failed", problem, None)
            item.ihook.pytest_collectreport(report=report)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Runs a marked test, as often as it takes; one without the marker is none of our business."""
    options = item.config.option
    alone = options.goodarm_off or getattr(options, "setuponly", False)
    if item.get_closest_marker(MARKER) is None or alone:
        return None
    from goodarm.pytest_plugin.trials import run

    place = {"nodeid": item.nodeid, "location": item.location}
    item.ihook.pytest_runtest_logstart(**place)
    for report in run(item, nextitem):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(**place)
    return True


@pytest.fixture
def goodarm_trial(request: pytest.FixtureRequest) -> "Call":
    """The trial that is being made: its number from 1 (`trial`) and a seed of its own (`seed`)."""
    from goodarm.pytest_plugin.marker import the_trial

    return the_trial(request.node)
