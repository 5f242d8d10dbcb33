"""A marked test is run as trials: setup, call and teardown, with fresh fixtures of the function.

Its fixtures of a wider scope live on from trial to trial, as they do from test to test: each trial
is torn down as if the same test came next. What is due after the last one is torn down then.

A trial passes, or its call raises something and it fails. What else may happen (a fixture raises
something, or the test is skipped after it was tried) is no outcome, and treated as `on_error` says.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from copy import copy
from functools import partial
from typing import Any, Literal, NamedTuple

import pytest

from goodarm.gating.playing import RunningGate, TrialError
from goodarm.gating.question import FAIL, Call
from goodarm.gating.result import NONE_CLEARS, ONE_CLEARS, STOPPED, GateResult
from goodarm.gating.workers import OneByOne
from goodarm.pytest_plugin import marker, outlook

When = Literal["setup", "call", "teardown"]


class NoOutcomeError(Exception):
    """A trial that has neither passed nor failed."""


class SkippedWholeError(BaseException):
    """The test has asked to be skipped before anything was learnt of it; nothing may count this."""


class SessionOverError(BaseException):
    """Someone has ended the session in the middle of a trial; its cause is pytest's exception."""


class Phase(NamedTuple):
    """Setup, call or teardown of one trial: what pytest knows of it, and what it would report."""

    call: pytest.CallInfo[Any]
    report: pytest.TestReport


def run(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[pytest.TestReport]:
    """Trials until the answer is certain; then one report each for setup, call and teardown."""
    asked = marker.question(item)
    gate = RunningGate(asked)
    trials = Trials(item, gate)
    result: GateResult | None = None
    try:
        result = gate.play(OneByOne(trials.make))
    except SkippedWholeError:
        pass
    except SessionOverError as over:
        raise over.args[0] from None
    except TrialError as stop:
        result = gate.result(error=str(stop))
    setup, call, teardown = trials.reports(result)
    for report in (setup, call):
        if report is not None:
            yield trials.complete(report, result)
    # Whoever has heard of the failure may want the session to end here.
    if item.session.shouldfail or item.session.shouldstop:
        nextitem = None
    yield trials.complete(trials.tear_down_what_is_left(nextitem) or teardown, result)


class Trials:
    """The trials of one test; of the reports, the last ones are kept."""

    def __init__(self, item: pytest.Item, gate: RunningGate) -> None:
        self._item, self._gate = item, gate
        self._another = copy(item)  # stands for the same test, as one that comes next
        self._properties = list(item.user_properties)
        self._function = vars(item).get("_obj")
        instance = vars(item).get("_instance")
        owner = getattr(self._function, "__self__", None)
        self._is_method = instance is not None and owner is instance
        self._seconds: dict[str, float] = dict.fromkeys(("setup", "call", "teardown"), 0.0)
        self._last: dict[str, pytest.TestReport] = {}
        self._failed: pytest.TestReport | None = None  # the last failure, to be shown
        self._is_told = False

    def make(self, trial: Call) -> bool:
        """One trial: True if it passes."""
        try:
            return self._make(trial)
        except pytest.exit.Exception as over:  # an Exception, which a gate would take for an error
            raise SessionOverError(over) from None

    def _make(self, trial: Call) -> bool:
        item = self._item
        marker.begin_trial(item, trial)
        self._renew()
        try:
            setup, call = self._phase("setup"), None
            if setup.call.excinfo is None:
                call = self._phase("call")
            teardown = self._phase("teardown", nextitem=self._another)
        finally:
            if hasattr(item, "_request"):
                item._request, item.funcargs = False, None  # type: ignore[attr-defined]
        phases = [setup, *([] if call is None else [call]), teardown]
        self._last = {str(phase.report.when): phase.report for phase in phases}
        for phase in phases:
            self._check(phase)
        if call is None or call.call.excinfo is None:
            return True
        self._failed = call.report
        return False

    def _check(self, phase: Phase) -> None:
        """Raise an error if the phase leaves the trial without an outcome."""
        report = phase.report
        is_expected = hasattr(report, "wasxfail")
        if phase.call.excinfo is None or (report.when == "call" and (report.failed or is_expected)):
            return
        if report.skipped and self._gate.entered == 0:
            raise SkippedWholeError
        if self._gate.question.error_policy.kind == FAIL:
            self._failed = report
        raised = phase.call.excinfo
        if report.skipped:
            raise NoOutcomeError(f"it was skipped: {raised.value}")
        raise NoOutcomeError(f"its {report.when} raised {raised.exconly().splitlines()[0]}")

    def reports(
        self, result: GateResult | None
    ) -> tuple[pytest.TestReport, pytest.TestReport | None, pytest.TestReport]:
        """What to report of setup, call and teardown."""
        setup, call, teardown = (self._last.get(when) for when in ("setup", "call", "teardown"))
        assert setup is not None
        assert teardown is not None
        if result is None:
            return setup, call, teardown
        if result.verdict == STOPPED:
            culprit = next(one for one in (setup, call, teardown) if one and not one.passed)
            outlook.stopped(self._item, culprit, result)
            return setup, call if call is culprit else None, teardown
        if result.verdict != ONE_CLEARS:
            call = self._failed or call
        call = copy(call or setup)
        call.when = "call"
        if result.verdict == NONE_CLEARS:
            outlook.failed(self._item, call, result)
        elif result.verdict != ONE_CLEARS:
            outlook.undecided(self._item, call, result)
        return outlook.passed(setup), call, outlook.passed(teardown)

    def complete(self, report: pytest.TestReport, result: GateResult | None) -> pytest.TestReport:
        """The report, with what all trials have taken, and what they have shown."""
        report.duration = self._seconds[str(report.when)]
        if result is not None:
            data = outlook.data(result)
            report.user_properties = [*self._item.user_properties, *outlook.properties(data)]
            if not self._is_told and (report.when == "call" or report.failed):
                self._is_told = True
                report.goodarm = data  # type: ignore[attr-defined]
        return report

    def tear_down_what_is_left(self, nextitem: pytest.Item | None) -> pytest.TestReport | None:
        """End the wider fixtures that no later test needs; a report if that goes wrong."""
        item = self._item
        setup_state = item.session._setupstate
        capture: Any = item.config.pluginmanager.getplugin("capturemanager")
        with nullcontext() if capture is None else capture.item_capture("teardown", item):
            call = self._call("teardown", partial(setup_state.teardown_exact, nextitem))
        if call.excinfo is None:
            return None
        report: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=call)
        return report

    def _phase(self, when: When, **more: Any) -> Phase:
        item = self._item
        hook = getattr(item.ihook, f"pytest_runtest_{when}")
        call = self._call(when, partial(hook, item=item, **more))
        report = item.ihook.pytest_runtest_makereport(item=item, call=call)
        if call.excinfo is not None and report.failed:  # for --pdb
            item.ihook.pytest_exception_interact(node=item, call=call, report=report)
        return Phase(call, report)

    def _call(self, when: When, what: "partial[Any]") -> "pytest.CallInfo[Any]":
        ends: tuple[type[BaseException], ...] = (pytest.exit.Exception,)
        if not self._item.config.getoption("usepdb", False):
            ends = (*ends, KeyboardInterrupt)
        call = pytest.CallInfo.from_call(what, when, reraise=ends)
        self._seconds[when] += call.duration
        return call

    def _renew(self) -> None:
        """Forget what the last trial has left on the test itself."""
        item: Any = self._item
        if hasattr(item, "_request") and not item._request:
            item._initrequest()
        own = vars(item)
        if self._is_method or own.get("_obj") is None:  # every trial has an instance of its own
            own.pop("_instance", None)
            own.pop("_obj", None)
        else:
            own["_obj"] = self._function  # some plugins replace it while it runs
        item._report_sections.clear()
        item.user_properties[:] = self._properties
