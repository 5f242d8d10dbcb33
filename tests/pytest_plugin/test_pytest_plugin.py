"""The pytest plugin, in sessions of pytest inside this one.

The tests in there count, so what happens is known beforehand: how many trials it takes is compared
with `goodarm.gate` on the same sequence.
"""

from collections.abc import Callable
from itertools import count
from xml.etree import ElementTree

import pytest

import goodarm
import goodarm.pytest_plugin.trials  # sessions in this process share what is loaded here

pytest_plugins = ("pytester",)

Session = Callable[..., pytest.RunResult]


def trials_of_a_gate(passes, bar: float, **settings: object) -> goodarm.GateResult:
    numbers = count(1)
    return goodarm.gate(lambda: passes(next(numbers)), bar, **settings)


ANSWERS = """
@pytest.mark.goodarm(bar=0.9)
def test_good():
    assert next(trials) != 3

@pytest.mark.goodarm(0.8, delta=0.01)
@pytest.mark.parametrize("every", [2, 1000])
def test_mixed(every, numbers=count(1)):
    print("a trial")
    assert next(numbers) % every, "too often"

@pytest.mark.goodarm(bar=0.5, budget=40)
def test_undecided(numbers=count(1)):
    assert next(numbers) % 2

@pytest.mark.goodarm(bar=0.5, budget=5)
def test_of_the_session(goodarm_trial):
    log.append(goodarm_trial)
    assert goodarm_trial.trial != 5

def test_seeds():
    assert [trial.trial for trial in log] == list(range(1, len(log) + 1))
    assert len({trial.seed for trial in log}) == len(log)
"""


def test_answers(session: Session, pytester: pytest.Pytester) -> None:
    done = session(ANSWERS, "--junit-xml=j.xml")
    done.assert_outcomes(passed=3, failed=3)
    good = trials_of_a_gate(lambda trial: trial != 3, 0.9)
    bad = trials_of_a_gate(lambda trial: trial % 2, 0.8, delta=0.01)
    passed = round(bad.arms[0].mean * bad.trials)
    said = f"certainly below 0.8: {passed} of {bad.trials} passed, rate between 0."
    done.stdout.fnmatch_lines(
        [
            "E  * AssertionError: too often",
            "That was the last trial that went wrong. In all:",
            f"{said}*",
            "*= goodarm =*",
            f"certainly at least 0.9 *{good.trials - 1} of {good.trials} passed, rate *::test_good",
            f"certainly below 0.8 * {passed} of {bad.trials} passed, *::test_mixed?2?",
            "undecided after 40 trials *20 of 40 passed, *::test_undecided",
            f"FAILED test_it.py::test_mixed?2? - {said[:20]}*",
        ]
    )
    assert "\n".join(done.outlines).count("a trial\n") == 1  # of the last one that failed
    cases = ElementTree.parse(pytester.path / "j.xml").getroot().iter("testcase")
    found = {
        case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in cases
    }
    assert found["test_good"]["goodarm_trials"] == str(good.trials)
    assert found["test_good"]["goodarm_verdict"] == "clears"
    assert float(found["test_mixed[2]"]["goodarm_high"]) <= 0.8
    assert found["test_seeds"] == {}

    skipped = session(ANSWERS, "--goodarm-undecided=skip", "-rs")
    skipped.assert_outcomes(passed=3, failed=1, skipped=2)
    skipped.stdout.fnmatch_lines(["SKIPPED*undecided after 40 trials, bar 0.5: 20 of 40*"])
    quick = session(ANSWERS, "--goodarm-budget=4", "--goodarm-delta=0.2", "-k", "good")
    quick.stdout.fnmatch_lines(["*undecided after 4 trials, bar 0.9: 3 of 4 passed*"])
    once = session(ANSWERS, "--goodarm-off", "-x", "--maxfail=1")
    once.assert_outcomes(passed=6)
    assert "= goodarm =" not in once.stdout.str()


FIXTURES = """
@pytest.fixture(scope="module")
def wide():
    log.append("module up")
    yield "wide"
    log.append("module down")

@pytest.fixture
def fresh(wide, tmp_path, record_property):
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    record_property("number", 1)
    log.append("up")
    yield []
    log.append("down")

@pytest.mark.goodarm(bar=0.5)
class TestOfAClass:
    def test_fresh(self, fresh, request):
        assert not fresh and not hasattr(self, "seen")
        fresh.append(1)
        self.seen = True
        assert len(request.node.user_properties) == 1

def test_wide_fixtures_live_on(wide):
    ups = log.count("up")
    assert ups > 3
    assert log == ["module up"] + ["up", "down"] * ups

import unittest

@pytest.mark.goodarm(bar=0.5)
class TestOfUnittest(unittest.TestCase):
    def setUp(self):
        self.number = next(trials)

    def test_number(self):
        assert not hasattr(self, "seen")
        self.seen = True
        self.assertNotEqual(self.number, 2)

    def test_skip(self):
        self.skipTest("not today")
"""

AND_THEN = """
from test_it import log

def test_all_was_torn_down():
    assert log[0] == "module up" and log[-1] == "module down" and log.count("module down") == 1
"""


def test_fixtures_of_the_function_are_fresh_and_wider_ones_live_on(
    session: Session,
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(test_then=AND_THEN)
    done = session(FIXTURES, ini="pythonpath = .\n")
    done.assert_outcomes(passed=4, skipped=1)


ERRORS = """
@pytest.fixture
def breaks(numbers=count(1)):
    number = next(numbers)
    assert number != 3, "no network"
    yield
    if number == 5:
        raise OSError("left open")

@pytest.mark.goodarm(bar=0.5)
def test_stop(breaks):
    assert next(trials) != 2

@pytest.mark.goodarm(bar=0.5)
def test_teardown_stops(breaks):
    pass

@pytest.fixture
def never():
    raise OSError("gone")

@pytest.mark.goodarm(bar=0.5, on_error="fail")
def test_failures(never):
    pass

@pytest.mark.goodarm(bar=0.5, on_error="retry:2")
def test_retry(numbers=count(1)):
    if next(numbers) in (2, 4):
        pytest.skip("a moment")

@pytest.mark.goodarm(bar=0.5)
def test_skipped():
    pytest.skip("not here")

@pytest.mark.goodarm(bar=0.5)
def test_skipped_too_late(numbers=count(1)):
    if next(numbers) == 2:
        pytest.skip("too late")

@pytest.mark.xfail
@pytest.mark.goodarm(bar=0.5)
def test_expected():
    assert False

@pytest.mark.xfail(run=False)
@pytest.mark.goodarm(bar=0.5)
def test_not_run():
    log.append(1)

@pytest.fixture(scope="module")
def wide():
    yield
    raise OSError("module down")

@pytest.mark.goodarm(bar=0.5)
def test_last(wide):
    assert not log
"""


def test_what_is_no_outcome(session: Session) -> None:
    done = session(ERRORS, "-rsxE")
    done.assert_outcomes(passed=2, failed=2, errors=3, skipped=1, xfailed=2)
    done.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_stop*",
            "E  *no network",
            "trial 3 gave no outcome: its setup raised AssertionError: no network; before, 1 *",
            "*ERROR at teardown of test_teardown_stops*",
            "E  *left open",
            "trial 2 gave no outcome: its teardown raised OSError: left open; before, 1 of 1 *",
            "*ERROR at teardown of test_last*",
            "E  *OSError: module down",
            "E  *OSError: gone",
            "certainly below 0.5: 0 of * passed, * errors counted as failures)",
            "trial 2 gave no outcome: it was skipped: too late; before, 1 of 1 passed*",
            "stopped after 2 trials * test_it.py::test_stop",
            "certainly at least 0.5 * test_it.py::test_last",
        ]
    )


def test_the_first_failure_may_end_the_session(session: Session) -> None:
    first = session(ANSWERS, "-x", has_cache=True)
    first.assert_outcomes(passed=1, failed=1)
    session(ANSWERS, "--lf", has_cache=True).assert_outcomes(failed=1)


WRONG = {
    "": "bar: how often must the test pass",
    "bar=1.5": "bar: 1.5 is not between 0 and 1",
    "bar='x'": "bar: 'x' is not a number",
    "0.5, 0.1": "2 arguments without a name",
    "0.5, bar=0.5": "bar: given twice",
    "bar=0.9, threshold=1": "threshold: no such argument",
    "bar=0.9, budget=28": "budget: 28 trials cannot prove a rate of 0.9*give at least 29",
    "bar=0.9, budget=2.5": "budget: 2.5 is not a whole number",
    "bar=0.9, delta=0": "delta: 0 is not strictly between 0 and 1",
    "bar=0.9, on_error='ignore'": "on_error: 'ignore' is none of fail, retry:N and stop",
    "bar=0.9, on_error=3": "on_error: 3 is no text",
}


def test_wrong_markers_are_errors_of_collection(session: Session) -> None:
    tests = "".join(
        f"@pytest.mark.goodarm({arguments})\ndef test_{number}(): log.append(1)\n"
        for number, arguments in enumerate(WRONG)
    )
    subtests = "@pytest.mark.goodarm(0.5)\ndef test_parts(subtests): pass\n"
    fixture = "@pytest.fixture\ndef subtests(): pass\n"  # pytest has had its own since version 9
    done = session(tests + fixture + subtests)
    done.assert_outcomes(errors=len(WRONG) + 1)
    assert done.ret == pytest.ExitCode.INTERRUPTED
    lines = [f"*goodarm of test_{number}: {said}*" for number, said in enumerate(WRONG.values())]
    done.stdout.fnmatch_lines([*lines, "*of test_parts: subtests: a trial passes or fails as a *"])
    unknown = session("", ini="goodarm_undecided = perhaps\n")
    unknown.stderr.fnmatch_lines(["ERROR: goodarm_undecided: 'perhaps' is neither fail nor skip*"])


def test_with_several_processes(session: Session) -> None:
    """What the workers found is told in the summary, and the traceback with it."""
    pytest.importorskip("xdist")
    done = session(ANSWERS, "-p", "xdist", "-n1")
    done.assert_outcomes(passed=3, failed=3)
    done.stdout.fnmatch_lines(
        [
            "E  * AssertionError: too often",
            "certainly below 0.8: *",
            "certainly at least 0.9 * passed, rate *::test_good",
        ]
    )
