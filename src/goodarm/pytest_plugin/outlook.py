"""What came out of a test's trials: in words, as data, and in pytest's reports."""

from copy import copy
from typing import Any

import pytest
from _pytest._code.code import (
    ExceptionChainRepr,
    ExceptionRepr,
    ReprEntryNative,
    ReprFileLocation,
    ReprTraceback,
)

from goodarm.gating.result import NONE_CLEARS, ONE_CLEARS, STOPPED, GateResult
from goodarm.wording import counted, figure

PREFIX = "goodarm_"  # of properties in JUnit's XML
SAY_WHAT = "on_error='fail' counts such a trial as failed, 'retry:3' makes it again"


def data(result: GateResult) -> dict[str, Any]:
    """The result as plain data, which can be sent from worker to worker."""
    (tally,) = result.arms
    return {
        "verdict": result.verdict,
        "bar": result.bar,
        "delta": result.delta,
        "trials": result.trials,
        "passed": round((tally.mean or 0.0) * tally.count),
        "low": float(tally.low or 0.0),
        "high": 1.0 if tally.high is None else float(tally.high),
        "confidence": float(result.confidence),
    }


def properties(data: dict[str, Any]) -> list[tuple[str, object]]:
    """The data as properties of a test in JUnit's XML."""
    return [(PREFIX + name, value) for name, value in data.items()]


def verdict(data: dict[str, Any]) -> str:
    """The answer in a few words."""
    bar = f"{data['bar']:g}"
    if data["verdict"] == ONE_CLEARS:
        return f"certainly at least {bar}"
    if data["verdict"] == NONE_CLEARS:
        return f"certainly below {bar}"
    what = "stopped" if data["verdict"] == STOPPED else "undecided"
    return f"{what} after {counted(data['trials'], 'trial')}"


def counts(data: dict[str, Any]) -> str:
    """What it rests on."""
    limits = f"between {figure(data['low'], 3)} and {figure(data['high'], 3)}"
    return f"{data['passed']:,} of {data['trials']:,} passed, rate {limits}"


def passed(report: pytest.TestReport) -> pytest.TestReport:
    """The same phase without a fault; what a single trial's fault counts as is shown elsewhere."""
    report = copy(report)
    report.outcome, report.longrepr = "passed", None
    return report


def failed(item: pytest.Item, report: pytest.TestReport, result: GateResult) -> None:
    """The test passes too rarely; an expected failure stays one."""
    if hasattr(report, "wasxfail"):
        return
    found = data(result)
    text = f"{verdict(found)}: {counts(found)}"
    if result.failed:
        text += f" ({counted(result.failed, 'error')} counted as failures)"
    _explain(item, report, text)


def undecided(item: pytest.Item, report: pytest.TestReport, result: GateResult) -> None:
    """The budget is used up: a failure, or skipped where someone has said so."""
    if hasattr(report, "wasxfail"):
        return
    found = data(result)
    text = f"{verdict(found)}, bar {result.bar:g}: {counts(found)}"
    option = item.config.getoption("goodarm_undecided")
    if (option or item.config.getini("goodarm_undecided")) == "skip":
        path, line = _where(item)
        report.outcome, report.longrepr = "skipped", (path, line, f"Skipped: {text}")
    else:
        _explain(item, report, text)


def stopped(item: pytest.Item, report: pytest.TestReport, result: GateResult) -> None:
    """A trial gave no outcome."""
    found = data(result)
    before = f"; before, {counts(found)}" if found["trials"] else ""
    _explain(item, report, f"{result.error}{before} ({SAY_WHAT})")


def _explain(item: pytest.Item, report: pytest.TestReport, text: str) -> None:
    """A failure that ends with the text, below the traceback of the trial that is shown."""
    shown = report.longrepr
    path, line = _where(item)
    crash = ReprFileLocation(path, line, text)
    chain: list[Any] = []
    if isinstance(shown, ExceptionChainRepr):
        chain = list(shown.chain)
    elif isinstance(shown, ExceptionRepr):
        chain = [(shown.reprtraceback, shown.reprcrash, None)]
    elif report.failed and shown is not None:
        chain = [(_plain(str(shown)), None, None)]
    if chain:
        traceback, crashed, _ = chain[-1]
        crash = crash if crashed is None else ReprFileLocation(crashed.path, crashed.lineno, text)
        chain[-1] = (traceback, crashed, "That was the last trial that went wrong. In all:")
    explained = ExceptionChainRepr([*chain, (_plain(text), crash, None)])
    if isinstance(shown, ExceptionRepr):
        for name, content, separator in shown.sections:
            explained.addsection(name, content, separator)
    report.outcome, report.longrepr = "failed", explained


def _plain(text: str) -> ReprTraceback:
    return ReprTraceback([ReprEntryNative([f"{text}\n"])], None, style="native")


def _where(item: pytest.Item) -> tuple[str, int]:
    """The file and line of the test."""
    path, line, _ = item.reportinfo()
    return str(path), (line or 0) + 1
