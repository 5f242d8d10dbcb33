"""Finished chunks on disk, so that an interrupted simulation goes on where it stopped.

A chunk lies under the hash of everything that its numbers depend on: the stamp of the algorithm's
code, its constants, the instance, the mode with its limit and times, the boundary and the seed.
An edited algorithm has another stamp, so its old chunks are never found again. A file that cannot
be read, or does not hold what it should, counts as missing.
"""

import hashlib
import json
import logging
import os
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np

from goodarm.algorithms.contract import ANYTIME
from goodarm.errors import InputError
from goodarm.files import write
from goodarm.simulation.chunk import Chunk
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import parts_of, source_stamp
from goodarm.simulation.loops.kernel import is_error, make_kernel

STORE_FORMAT = 1  # of the files; a change makes all older ones unreadable
ARRAYS = {
    "stopping_times": np.int64,
    "answers": np.int32,
    "stopped": np.bool_,
    "error_counts": np.int64,
    "undefined_counts": np.int64,
    "pulls": np.int64,
}
UNREADABLE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error)

logger = logging.getLogger(__name__)


def cache_directory() -> Path:
    """Where finished work is kept: $GOODARM_CACHE, else goodarm in the user's cache folder."""
    own = os.environ.get("GOODARM_CACHE")
    if own:
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "goodarm"


class ChunkStore:
    """Chunks in a folder; with `fresh`, those already there are not read, only replaced."""

    def __init__(self, folder: str | Path | None = None, *, fresh: bool = False) -> None:
        self.folder = Path(folder) if folder is not None else cache_directory() / "chunks"
        self.fresh = fresh
        self.loaded = 0  # runs that did not have to be played
        self._digests: dict[int, tuple[Job, str]] = {}

    def load(self, job: Job, first: int, last: int) -> Chunk | None:
        """Runs first..last−1 of the job, if they were finished before."""
        path = self.path(job, first, last)
        if self.fresh or not path.is_file():
            return None
        try:
            with np.load(path, allow_pickle=False) as data:
                if str(data["specification"]) != self._digest(job):
                    return None
                arrays = {name: data[name] for name in ARRAYS}
                seconds = float(data["seconds"])
        except UNREADABLE as error:
            logger.warning("%s cannot be read (%s): its runs are played again", path, error)
            return None
        chunk = Chunk(first=first, last=last, seconds=seconds, **arrays)
        if not _fits(job, chunk):
            return None
        self.loaded += last - first
        return chunk

    def save(self, job: Job, chunk: Chunk) -> None:
        """Keep the chunk. Where that cannot be done, the simulation goes on all the same."""
        content = BytesIO()
        np.savez(
            content,
            specification=np.array(self._digest(job)),
            seconds=np.array(chunk.seconds),
            **{name: getattr(chunk, name) for name in ARRAYS},
        )
        try:
            write(self.path(job, chunk.first, chunk.last), content.getvalue())
        except InputError as error:
            logger.warning("nothing is kept: %s", error)

    def path(self, job: Job, first: int, last: int) -> Path:
        """The file of one chunk."""
        name = self._digest(job)[:32]
        return self.folder / name[:2] / name / f"{first}-{last}.npz"

    def _digest(self, job: Job) -> str:
        """The hash of the specification, worked out once per job, which has many chunks."""
        if id(job) not in self._digests:
            digest = hashlib.sha256(specification(job).encode()).hexdigest()
            self._digests[id(job)] = (job, digest)  # with the job, so that its id stays its own
        return self._digests[id(job)][1]


def specification(job: Job) -> str:
    """All that the runs of a job depend on, as text; two jobs with the same text are the same."""
    instance, algorithm = job.instance, job.algorithm
    parts = {
        "format": STORE_FORMAT,
        "algorithm": algorithm.label,
        "stamp": source_stamp(parts_of(job), make_kernel, (is_error,)),
        "outcome": job.outcome.text(),
        "model": [number.hex() for number in job.model_numbers],
        "constants": [number.hex() for number in algorithm.numbers(job.setting)],
        "memory": algorithm.memory(instance.K),
        "instance": {
            "threshold": instance.threshold.hex(),
            "means": [float(mean).hex() for mean in instance.means],
            "sigmas": [float(sigma).hex() for sigma in instance.sigmas],
            "kinds": instance.kinds,
            "goal": instance.goal,
            "outcomes": [hashlib.sha256(v.tobytes()).hexdigest() for v in instance.outcomes],
        },
        "mode": job.mode,
        "limit": job.limit,
        "times": hashlib.sha256(job.times.astype("<i8").tobytes()).hexdigest(),
        "boundary": [number.hex() for number in job.boundary.numbers],
        "seed": job.seed,
    }
    return json.dumps(parts, sort_keys=True, ensure_ascii=False)


def _fits(job: Job, chunk: Chunk) -> bool:
    """Whether the arrays have the kinds and lengths that such a chunk has."""
    runs = 0 if job.mode == ANYTIME else chunk.last - chunk.first
    marks = len(job.times) if job.mode == ANYTIME else 0
    lengths = {"pulls": job.instance.K, "error_counts": marks, "undefined_counts": marks}
    return all(
        getattr(chunk, name).dtype == kind
        and getattr(chunk, name).shape == (lengths.get(name, runs),)
        for name, kind in ARRAYS.items()
    )
