"""What a simulation gave: per-run arrays or counts by time, with their statistics and exports.

Parts of one simulation merge exactly: per-run arrays are put side by side, counts are added.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.instance import Instance
from goodarm.numerics import normal_quantile
from goodarm.run import NONE
from goodarm.simulation.chunk import Chunk
from goodarm.simulation.job import Job

if TYPE_CHECKING:
    import pandas
    import polars


def wilson(
    errors: int | NDArray[np.int64], runs: int | NDArray[np.int64], level: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wilson's interval for a proportion: the lower and the upper limit (Wilson, 1927)."""
    z = normal_quantile(0.5 + 0.5 * level)
    count = np.maximum(np.asarray(runs, dtype=np.float64), 1.0)
    rate = np.asarray(errors, dtype=np.float64) / count
    centre = rate + z * z / (2.0 * count)
    spread = z * np.sqrt(rate * (1.0 - rate) / count + z * z / (4.0 * count * count))
    scale = 1.0 + z * z / count
    low = np.where(rate == 0.0, 0.0, np.clip((centre - spread) / scale, 0.0, 1.0))
    high = np.where(rate == 1.0, 1.0, np.clip((centre + spread) / scale, 0.0, 1.0))
    return low, high


@dataclass
class Result:
    """What is common to all modes."""

    job: Job
    first: int  # the number of the first run
    runs: int
    pulls: NDArray[np.int64]  # of each arm, over all runs
    seconds: float  # of computing, added over threads

    @property
    def instance(self) -> Instance:
        """The instance that was simulated."""
        return self.job.instance

    @property
    def algorithm(self) -> str:
        """The algorithm's name with its options."""
        return self.job.algorithm.label

    @property
    def mode(self) -> str:
        """fixed-confidence, fixed-budget or anytime."""
        return self.job.mode

    @property
    def pulls_per_arm(self) -> NDArray[np.float64]:
        """The mean number of pulls of each arm in a run."""
        return self.pulls / self.runs

    @property
    def pulls_per_second(self) -> float:
        """Simulated pulls per second of one thread, compilation left out."""
        return float(self.pulls.sum() / self.seconds) if self.seconds > 0.0 else math.inf

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data; the command line's --json prints these."""
        return {
            "algorithm": self.algorithm,
            **self._summary(),
            "pulls_per_arm": dict(
                zip(self.instance.names, self.pulls_per_arm.tolist(), strict=True)
            ),
            "pulls_per_second": self.pulls_per_second,
            "settings": self.job.describe(),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """The summary as JSON text, also written to a file if a path is given."""
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    def to_polars(self) -> "polars.DataFrame":
        """The data behind the summary: one row a run, or one row a time."""
        import polars

        return polars.DataFrame(self._columns())

    def to_pandas(self) -> "pandas.DataFrame":
        """As `to_polars`, for pandas (the extra goodarm[pandas])."""
        try:
            import pandas
        except ImportError:
            raise InputError("to_pandas needs pandas; install goodarm[pandas]") from None
        return pandas.DataFrame(self._columns())

    def to_parquet(self, path: str | Path) -> None:
        """Write the data behind the summary to a Parquet file."""
        self.to_polars().write_parquet(Path(path))

    def _summary(self) -> dict[str, Any]:
        raise NotImplementedError

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        raise NotImplementedError

    def _joined(self, parts: Sequence[Any]) -> dict[str, NDArray[Any]]:
        """The arrays of neighbouring parts, put together."""
        raise NotImplementedError


@dataclass
class RunResult(Result):
    """Fixed confidence or fixed budget: the stopping time and the answer of every run.

    `answers` holds arm numbers from 0, or −1 for "none is good". `stopped` says which runs ended
    by themselves; a capped run has stopping time `cap` and its recommendation as its answer.
    `errors` are wrong answers; with fixed confidence only a run that stopped can err.
    """

    stopping_times: NDArray[np.int64]
    answers: NDArray[np.int32]
    stopped: NDArray[np.bool_]

    @property
    def errors(self) -> NDArray[np.bool_]:
        """Which runs gave a wrong answer."""
        good = self.instance.good
        answered = self.answers != NONE
        hit = answered & good[np.where(answered, self.answers, 0)]
        wrong = ~hit if good.any() else answered
        return np.asarray(wrong & self.stopped if self.mode == FIXED_CONFIDENCE else wrong)

    @property
    def error_rate(self) -> float:
        """The share of runs with a wrong answer."""
        return float(self.errors.mean())

    def error_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Wilson's interval for the probability of error."""
        low, high = wilson(int(self.errors.sum()), self.runs, level)
        return float(low), float(high)

    @property
    def mean(self) -> float:
        """The mean stopping time; a capped run counts as the cap."""
        return float(self.stopping_times.mean())

    @property
    def std(self) -> float:
        """The standard deviation of the stopping time."""
        return float(self.stopping_times.std(ddof=1)) if self.runs > 1 else 0.0

    @property
    def se(self) -> float:
        """The standard error of the mean stopping time."""
        return self.std / math.sqrt(self.runs)

    def quantile(self, q: float) -> float:
        """A quantile of the stopping time."""
        return float(np.quantile(self.stopping_times, q))

    def _summary(self) -> dict[str, Any]:
        low, high = self.error_interval()
        return {
            "error": {"rate": self.error_rate, "low": low, "high": high},
            "stopping_time": {
                "mean": self.mean,
                "std": self.std,
                "se": self.se,
                "median": self.quantile(0.5),
                "q05": self.quantile(0.05),
                "q95": self.quantile(0.95),
                "max": int(self.stopping_times.max()),
            },
            "stopped": float(self.stopped.mean()),
            "answers": self._answer_shares(),
        }

    def _answer_shares(self) -> dict[str, float]:
        """How often each answer was given, those never given left out."""
        values, counts = np.unique(self.answers, return_counts=True)
        return {
            "none" if value == NONE else self.instance.names[value]: float(count / self.runs)
            for value, count in zip(values, counts, strict=True)
        }

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        return {
            "run": np.arange(self.first, self.first + self.runs),
            "stopping_time": self.stopping_times,
            "answer": self.answers,
            "stopped": self.stopped,
            "error": self.errors,
        }

    def _joined(self, parts: Sequence["RunResult"]) -> dict[str, NDArray[Any]]:
        return {
            "stopping_times": np.concatenate([part.stopping_times for part in parts]),
            "answers": np.concatenate([part.answers for part in parts]),
            "stopped": np.concatenate([part.stopped for part in parts]),
        }


@dataclass
class AnytimeResult(Result):
    """Anytime: in how many runs the answer at each time was wrong.

    Where `defined` is false the rule has no answer yet; its error there means nothing.
    """

    times: NDArray[np.int64]
    error_counts: NDArray[np.int64]
    undefined_counts: NDArray[np.int64]

    @property
    def defined(self) -> NDArray[np.bool_]:
        """At which times the rule had an answer in every run."""
        return np.asarray(self.undefined_counts == 0)

    @property
    def error_rate(self) -> NDArray[np.float64]:
        """The share of wrong answers at each time."""
        return self.error_counts / self.runs

    def error_interval(
        self, level: float = 0.95
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Wilson's intervals for the probability of error at each time."""
        return wilson(self.error_counts, self.runs, level)

    def _summary(self) -> dict[str, Any]:
        low, high = self.error_interval()
        shown = self.defined

        def listed(values: NDArray[np.float64]) -> list[float | None]:
            return [float(v) if s else None for v, s in zip(values, shown, strict=True)]

        return {
            "times": self.times.tolist(),
            "error_rate": listed(self.error_rate),
            "low": listed(low),
            "high": listed(high),
        }

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        low, high = self.error_interval()
        return {
            "time": self.times,
            "errors": self.error_counts,
            "error_rate": self.error_rate,
            "low": low,
            "high": high,
            "defined": self.defined,
        }

    def _joined(self, parts: Sequence["AnytimeResult"]) -> dict[str, NDArray[Any]]:
        return {
            "error_counts": np.sum([part.error_counts for part in parts], axis=0),
            "undefined_counts": np.sum([part.undefined_counts for part in parts], axis=0),
        }


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
    joined: dict[str, Any] = {
        "runs": sum(part.runs for part in ordered),
        "pulls": np.sum([part.pulls for part in ordered], axis=0, dtype=np.int64),
        "seconds": sum(part.seconds for part in ordered),
        **head._joined(ordered),
    }
    return replace(head, **joined)
