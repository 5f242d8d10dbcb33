"""The result of every run: fixed confidence or fixed budget."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.run import NONE
from goodarm.showing.markup import Html
from goodarm.simulation.results.base import Result, wilson
from goodarm.simulation.results.in_short import run_html, run_line


@dataclass(repr=False)
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
        some = self.answers != NONE
        hit = some & good[np.where(some, self.answers, 0)]
        wrong = ~hit if good.any() else some
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

    def _in_short(self) -> list[str]:
        return [run_line(self)]

    def _in_html(self) -> Html:
        return run_html(self, self._answer_shares())

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
