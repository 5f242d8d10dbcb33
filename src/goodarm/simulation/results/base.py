"""What the results of all modes have in common: settings, pulls, exports, Wilson's interval."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.extras import LAB, PANDAS, need
from goodarm.files import write
from goodarm.instance import Instance
from goodarm.numerics import normal_quantile
from goodarm.showing.snippet import Shown
from goodarm.simulation.job import Job

if TYPE_CHECKING:
    import pandas
    import polars


def wilson(
    errors: ArrayLike, runs: ArrayLike, level: float = 0.95
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


@dataclass(repr=False)
class Result(Shown):
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
        """The summary as plain data; what the command line shows with --json."""
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
            write(Path(path), text + "\n")
        return text

    def to_polars(self) -> "polars.DataFrame":
        """The data behind the summary: one row per run, or one row per time."""
        need(LAB, "to_polars")
        import polars

        return polars.DataFrame(self._columns())

    def to_pandas(self) -> "pandas.DataFrame":
        """As `to_polars`, for pandas (the extra goodarm[pandas])."""
        need(PANDAS, "to_pandas")
        import pandas

        return pandas.DataFrame(self._columns())

    def to_parquet(self, path: str | Path) -> None:
        """Write the data behind the summary to a Parquet file."""
        buffer = BytesIO()
        self.to_polars().write_parquet(buffer)
        write(Path(path), buffer.getvalue())

    def _summary(self) -> dict[str, Any]:
        raise NotImplementedError

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        raise NotImplementedError

    def _joined(self, parts: Sequence[Any]) -> dict[str, NDArray[Any]]:
        """The arrays of neighbouring parts, put together."""
        raise NotImplementedError
