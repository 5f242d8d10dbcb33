"""What to say when an algorithm from a user's own file goes wrong, compiled or not."""

import re
from collections import deque
from dataclasses import replace
from itertools import islice
from pathlib import Path

from goodarm.algorithms.own_file import fault_in_file
from goodarm.errors import InputError
from goodarm.run import Run
from goodarm.simulation.job import Job
from goodarm.simulation.loops.replay import trace

STEPS_TRIED = 200  # in plain Python, where errors are caught and easier to read
LONGEST_REASON = 200


def rehearse(job: Job) -> None:
    """Raise an InputError if an algorithm from a user's own file fails in a short plain run.

    Compiled code does not look whether an arm exists: one that does not would be read from and
    written to somewhere else in memory.
    """
    if not job.algorithm.source:
        return
    file, K = Path(job.algorithm.source.rpartition(":")[0]), job.instance.K
    choose = job.algorithm.choose

    def choose_existing(run: Run, t: int) -> int:
        arm = choose(run, t)
        if arm >= K:
            raise IndexError(f"choose gave arm {arm}, but arms are numbered 0 to {K - 1}")
        return arm

    watched = replace(job, algorithm=replace(job.algorithm, choose=choose_existing))
    try:
        deque(islice(trace(watched, 0), STEPS_TRIED), maxlen=0)
    except Exception as error:
        raise InputError(fault_in_file(file, error)) from error


def blame_algorithm(job: Job, error: Exception) -> None:
    """Raise an InputError if numba's error is about an algorithm from a user's own file."""
    if not job.algorithm.source or type(error).__module__.split(".")[0] != "numba":
        return
    file = Path(job.algorithm.source.rpartition(":")[0])
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    line = re.search(rf"{re.escape(str(file))} \((\d+)\)", text)
    where = f", line {line.group(1)}" if line else ""
    reasons = re.findall(r"\(step: [^)]*\)\s*(\S[^\n]*)", text)
    reason = reasons[-1][:LONGEST_REASON] if reasons else type(error).__name__
    raise InputError(
        f"algorithm file {str(file)!r}{where}: it works in plain Python but cannot be compiled "
        f"({reason}); use loops, math and numbers only, see docs/adding-an-algorithm.md"
    ) from error
