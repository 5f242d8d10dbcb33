"""The error at every time: anytime mode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.showing.markup import Html
from goodarm.simulation.results.base import Result, wilson
from goodarm.simulation.results.in_short import time_html, time_line


@dataclass(repr=False)
class AnytimeResult(Result):
    """Anytime: in how many runs the answer at each time was wrong.

    Where `defined` is false the algorithm has no answer yet; its error there means nothing.
    """

    times: NDArray[np.int64]
    error_counts: NDArray[np.int64]
    undefined_counts: NDArray[np.int64]

    @property
    def defined(self) -> NDArray[np.bool_]:
        """At which times the algorithm had an answer in every run."""
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
        columns = {"error_rate": self.error_rate, "low": low, "high": high}
        return {
            "times": self.times.tolist(),
            **{name: self._where_defined(values) for name, values in columns.items()},
        }

    def _in_short(self) -> list[str]:
        return [time_line(self)]

    def _in_html(self) -> Html:
        return time_html(self)

    def _where_defined(self, values: NDArray[np.float64]) -> list[float | None]:
        return [float(v) if d else None for v, d in zip(values, self.defined, strict=True)]

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
