"""What to say when an algorithm from a user's own file cannot be compiled."""

import re
from itertools import islice
from pathlib import Path

from goodarm.algorithms.own_file import fault_in_file
from goodarm.errors import InputError
from goodarm.simulation.job import Job
from goodarm.simulation.loops.replay import trace

STEPS_TRIED = 100  # in plain Python, where errors are easier to read
LONGEST_REASON = 200


def blame_algorithm(job: Job, error: Exception) -> None:
    """Raise an InputError if numba's error is about an algorithm from a user's own file."""
    if not job.algorithm.source or type(error).__module__.split(".")[0] != "numba":
        return
    file = Path(job.algorithm.source.rpartition(":")[0])
    try:
        list(islice(trace(job, 0), STEPS_TRIED))
    except Exception as plain_error:
        raise InputError(fault_in_file(file, plain_error)) from plain_error
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    line = re.search(rf"{re.escape(str(file))} \((\d+)\)", text)
    where = f", line {line.group(1)}" if line else ""
    reasons = re.findall(r"\(step: [^)]*\)\s*(\S[^\n]*)", text)
    reason = reasons[-1][:LONGEST_REASON] if reasons else type(error).__name__
    raise InputError(
        f"algorithm file {str(file)!r}{where}: it works in plain Python but cannot be compiled "
        f"({reason}); use loops, math and numbers only, see docs/adding-an-algorithm.md"
    ) from error
