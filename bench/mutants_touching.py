"""A pytest plugin for bench/mutants.py: which functions of the package does each test run?

    MUTANTS_MAP=map.json PYTHONPATH=bench python -m pytest -p mutants_touching tests/study

Only what runs as plain Python in this process is seen: not what numba has compiled, nor what other
processes do.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

HERE = Path.cwd()
PACKAGE = str(HERE / "src") + os.sep

touched: set[CodeType] = set()  # by the test that is running, first by importing all of them
imported: set[CodeType] | None = None
found: dict[str, dict[str, Any]] = {}
failed: set[str] = set()
PAUSE = 5.0  # seconds between two times that it is written down
written = time.perf_counter()


def pytest_configure() -> None:
    watch(look)


def watch(with_what: Any) -> None:
    threading.settrace(with_what)
    sys.settrace(with_what)


def look(frame: FrameType, *_: object) -> None:
    touched.add(frame.f_code)  # and nothing is returned, so that its lines are not traced


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    global imported
    if imported is None:
        imported = touched.copy()
    touched.clear()
    began = time.perf_counter()
    watch(look)
    yield
    watch(None)
    functions = {
        f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname.partition('.<')[0]}"
        for code in touched | imported
        if code.co_filename.startswith(PACKAGE)
    }
    found[item.nodeid] = {
        "seconds": round(time.perf_counter() - began, 3),
        "functions": sorted(functions),
    }
    if time.perf_counter() > written + PAUSE:
        write()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.passed:
        failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    write()


def write() -> None:
    """Now and then, for should it take too long, what is known by then is of use."""
    global written
    written = time.perf_counter()
    passed = {test: what for test, what in found.items() if test not in failed}
    Path(os.environ["MUTANTS_MAP"]).write_text(json.dumps(passed))
