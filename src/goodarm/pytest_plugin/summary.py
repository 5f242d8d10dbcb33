"""The section "goodarm" at the end of pytest's output: each marked test, its rate and its verdict.

It is gathered from the reports, which come from other processes where pytest-xdist runs the tests.
"""

from typing import Any

import pytest

RESEEDING = (
    "warning: pytest-randomly sets the same seed before every trial. Where a test draws random "
    "numbers, trials are not independent; add --randomly-dont-reset-seed"
)


class RatesOfTests:
    """Hears of every report, and writes the section."""

    def __init__(self) -> None:
        self._found: list[tuple[str, dict[str, Any]]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a marked test has shown."""
        found = getattr(report, "goodarm", None)
        if found is not None:
            self._found.append((report.nodeid, found))

    def pytest_terminal_summary(
        self, terminalreporter: "pytest.TerminalReporter", config: pytest.Config
    ) -> None:
        """One line for each test."""
        if not self._found or terminalreporter.verbosity < -1:
            return
        from goodarm.pytest_plugin.outlook import counts, verdict

        terminalreporter.section("goodarm")
        rows = [(verdict(found), counts(found), test) for test, found in self._found]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        for said, rests_on, test in rows:
            terminalreporter.write_line(f"{said:{widths[0]}}  {rests_on:{widths[1]}}  {test}")
        has_plugin = config.pluginmanager.hasplugin("randomly")
        if has_plugin and config.getoption("randomly_reset_seed", default=False):
            terminalreporter.write_line(RESEEDING)
