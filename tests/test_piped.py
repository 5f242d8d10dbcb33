"""A process that answers calls."""

import math
import os
import threading
import time
from collections.abc import Iterator

import pytest

from goodarm.piped import EndedError, PipedProcess


@pytest.fixture
def process() -> Iterator[PipedProcess]:
    one = PipedProcess()
    yield one
    one.end()


def test_calls_are_answered_elsewhere_one_after_the_other(process) -> None:
    elsewhere = process.call(os.getpid)
    assert elsewhere != os.getpid()
    assert [process.call(math.gcd, 12, n) for n in (8, 9)] == [4, 3]
    assert process.call(os.getpid) == elsewhere


def test_what_a_call_raises_is_raised_here_and_the_process_goes_on(process) -> None:
    with pytest.raises(ValueError, match="math domain error"):
        process.call(math.sqrt, -1.0)
    assert process.call(math.sqrt, 4.0) == 2.0


def test_what_a_call_prints_is_no_answer(capfd) -> None:
    process = PipedProcess()  # now that its standard error is captured
    assert process.call(os.write, 1, b"a line\n") == 7
    process.end()
    assert capfd.readouterr().err == "a line\n"


def test_a_process_that_ends_in_the_middle_is_known_to_have_ended(process) -> None:
    threading.Timer(0.2, process.kill).start()
    with pytest.raises(EndedError):
        process.call(time.sleep, 60)
    process.end()
    assert process.has_ended
    with pytest.raises(EndedError):
        process.call(os.getpid)
