"""Results from chunks, and one result from many.

Parts of one simulation merge exactly: per-run arrays are put side by side, counts are added.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from goodarm.algorithms.contract import ANYTIME
from goodarm.errors import InputError
from goodarm.simulation.chunk import Chunk
from goodarm.simulation.job import Job
from goodarm.simulation.results.base import Result
from goodarm.simulation.results.by_run import RunResult
from goodarm.simulation.results.by_time import AnytimeResult


def from_chunk(job: Job, chunk: Chunk) -> RunResult | AnytimeResult:
    """The result of one chunk."""
    common = (job, chunk.first, chunk.last - chunk.first, chunk.pulls, chunk.seconds)
    if job.mode == ANYTIME:
        return AnytimeResult(*common, job.times, chunk.error_counts, chunk.undefined_counts)
    return RunResult(*common, chunk.stopping_times, chunk.answers, chunk.stopped)


R = TypeVar("R", bound=Result)


def merge(parts: Sequence[R]) -> R:
    """Put parts of one simulation together; the order in which they come does not matter."""
    ordered = sorted(parts, key=lambda part: part.first)
    head = ordered[0]
    for before, after in pairwise(ordered):
        if after.first != before.first + before.runs:
            raise InputError(
                f"runs {before.first + before.runs} to {after.first} overlap or are missing; "
                "only neighbouring parts of one simulation can be merged"
            )
        if after.job.describe() != head.job.describe() or after.instance != head.instance:
            raise InputError("only parts of one simulation (same settings and seed) can be merged")
    whole: dict[str, Any] = {
        "runs": sum(part.runs for part in ordered),
        "pulls": np.sum([part.pulls for part in ordered], axis=0, dtype=np.int64),
        "seconds": sum(part.seconds for part in ordered),
        **head._joined(ordered),
    }
    return replace(head, **whole)
