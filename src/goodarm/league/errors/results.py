"""Errors of every algorithm on every instance at every time: to be kept, scored and drawn."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.files import write
from goodarm.instance import Instance
from goodarm.league.errors.suites import LeagueEntry
from goodarm.simulation.splitting import RareErrors

GONE = 1e-7  # an error that is smaller was found: it counts as this, now and later
NO_ANSWER = -1  # in place of the count where an algorithm has no answer yet in some run


@dataclass(frozen=True)
class PooledRareErrors:
    """Errors too rare to be counted, as splitting found them: [algorithm, time]."""

    islands: NDArray[np.int64]  # how many populations were looked at
    rates: NDArray[np.float64]  # the mean of their error rates; 0 without one
    standard_errors: NDArray[np.float64]  # of that mean

    def pooled(self, algorithm: int, more: RareErrors) -> "PooledRareErrors":
        """With what more islands found for an algorithm, at the first of its times."""
        pooled = PooledRareErrors(
            self.islands.copy(), self.rates.copy(), self.standard_errors.copy()
        )
        here = np.flatnonzero(~np.isnan(more.error_rates))
        n, before = self.islands[algorithm, here], self.rates[algorithm, here]
        m, mean = len(more.estimates), more.error_rates[here]
        both = (n * before + m * mean) / (n + m)
        spread = self.standard_errors[algorithm, here]
        squares = n * (n - 1) * spread**2 + n * (before - both) ** 2
        squares += m * (m - 1) * more.standard_errors[here] ** 2 + m * (mean - both) ** 2
        pooled.islands[algorithm, here] = n + m
        pooled.rates[algorithm, here] = both
        pooled.standard_errors[algorithm, here] = np.sqrt(squares / ((n + m) * (n + m - 1)))
        return pooled


def no_rare_errors(shape: tuple[int, ...]) -> PooledRareErrors:
    """Nothing found yet."""
    return PooledRareErrors(np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape))


@dataclass(frozen=True)
class LeagueRow:
    """One instance: how often each algorithm erred at each time, in how many runs."""

    entry: LeagueEntry
    runs: NDArray[np.int64]  # [algorithm]
    errors: NDArray[np.int64]  # [algorithm, time], or NO_ANSWER
    rare: PooledRareErrors | None = None

    def estimates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[algorithm, time]: error rates and their relative standard errors; NaN without answers.

        From counts, or from splitting where that is more precise. Splitting does not look further
        once an algorithm hardly errs any more: from there on its error is taken to be no larger.
        """
        counts = np.where(self.errors == NO_ANSWER, np.nan, self.errors)
        rates = counts / self.runs[:, None]
        noise = 1.0 / np.sqrt(np.maximum(counts, 1.0))
        if self.rare is not None:
            rare_rates = np.where(self.rare.rates > 0.0, self.rare.rates, np.nan)
            rare_noise = self.rare.standard_errors / rare_rates
            finer = rare_noise < noise  # never where one of them is undefined
            noise = np.where(finer, rare_noise, noise)
            rates = np.where(finer, rare_rates, rates)
            tiny = (self.rare.rates > 0.0) & (self.rare.rates < GONE)
            gone = np.maximum.accumulate(tiny, axis=1) & (self.rare.rates < GONE)
            noise = np.where(gone & ~np.isnan(counts), 0.0, noise)
            rates = np.where(gone & ~np.isnan(counts), GONE, rates)
        return rates, noise


@dataclass(frozen=True)
class League:
    """All rows, and the algorithms in the order of their errors."""

    algorithms: tuple[str, ...]
    rows: tuple[LeagueRow, ...]
    seed: int
    pulls: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "rules": list(self.algorithms),
            "seed": self.seed,
            "pulls": self.pulls,
            "seconds": self.seconds,
            "instances": [
                {
                    "group": row.entry.group,
                    "name": row.entry.instance.name,
                    "threshold": row.entry.instance.threshold,
                    "means": _rounded(row.entry.instance.means, 6),
                    "sigmas": _rounded(row.entry.instance.sigmas, 6),
                    "kind": row.entry.instance.arms[0].kind,
                    "times": list(row.entry.times),
                    "runs": row.runs.tolist(),
                    "errors": row.errors.tolist(),
                    **_rare_to_dict(row.rare),
                }
                for row in self.rows
            ],
        }

    def save(self, path: Path) -> None:
        """As JSON, one line per instance."""
        data = self.to_dict()
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in data.pop("instances"))
        head = json.dumps(data, ensure_ascii=False)[:-1]
        write(path, f'{head}, "instances": [\n{lines}\n]}}\n')

    def only(self, groups: Sequence[str]) -> "League":
        """The rows of these groups."""
        rows = tuple(row for row in self.rows if row.entry.group in groups)
        return replace(self, rows=rows)

    def joined_by(self, other: "League") -> "League":
        """With the algorithms of another league of the same instances that this one has not."""
        new = [a for a, name in enumerate(other.algorithms) if name not in self.algorithms]
        rows = []
        for mine, more in zip(self.rows, other.rows, strict=True):
            if (mine.entry.instance.name, mine.entry.times) != (
                more.entry.instance.name,
                more.entry.times,
            ):
                raise InputError(
                    f"load: {mine.entry.instance.name} was played here and "
                    f"{more.entry.instance.name} there, or at other times; play the same suite"
                )
            runs = np.concatenate([mine.runs, more.runs[new]])
            errors = np.concatenate([mine.errors, more.errors[new]])
            rare = _joined_rare(mine, more, new)
            rows.append(LeagueRow(mine.entry, runs, errors, rare))
        return replace(
            self,
            algorithms=(*self.algorithms, *(other.algorithms[a] for a in new)),
            rows=tuple(rows),
            pulls=self.pulls + other.pulls,
            seconds=self.seconds + other.seconds,
        )


def _joined_rare(mine: LeagueRow, more: LeagueRow, new: list[int]) -> PooledRareErrors | None:
    if mine.rare is None and more.rare is None:
        return None
    first = mine.rare or no_rare_errors(mine.errors.shape)
    second = more.rare or no_rare_errors(more.errors.shape)
    return PooledRareErrors(
        np.concatenate([first.islands, second.islands[new]]),
        np.concatenate([first.rates, second.rates[new]]),
        np.concatenate([first.standard_errors, second.standard_errors[new]]),
    )


def load_league(path: Path) -> League:
    """What `League.save` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = tuple(_row(item) for item in data["instances"])
        if not rows:
            raise ValueError("no instance")
        if any(row.errors.shape != (len(data["rules"]), len(row.entry.times)) for row in rows):
            raise ValueError("the counts do not fit the algorithms and times")
        return League(tuple(data["rules"]), rows, data["seed"], data["pulls"], data["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"load: {str(path)!r} holds no league ({error}); give a file that goodarm league wrote"
        ) from None


def _row(item: dict[str, Any]) -> LeagueRow:
    arms = {"means": item["means"], "kind": item["kind"], "sigma": item["sigmas"]}
    instance = Instance(item["threshold"], name=item["name"], **arms)
    entry = LeagueEntry(item["group"], instance, tuple(item["times"]))
    runs, errors = (np.array(item[name], dtype=np.int64) for name in ("runs", "errors"))
    if runs.shape != errors.shape[:1]:
        raise ValueError(f"{len(errors)} algorithms, but {runs.size} numbers of runs")
    return LeagueRow(entry, runs, errors, _rare_from_dict(item, errors.shape))


def _rare_to_dict(rare: PooledRareErrors | None) -> dict[str, Any]:
    if rare is None:
        return {}
    return {
        "islands": rare.islands.tolist(),
        "rare_rates": [_rounded(rates, 5) for rates in rare.rates],
        "rare_errors": [_rounded(noise, 3) for noise in rare.standard_errors],
    }


def _rare_from_dict(item: dict[str, Any], shape: tuple[int, ...]) -> PooledRareErrors | None:
    if "islands" not in item:
        return None
    islands = np.array(item["islands"], dtype=np.int64)
    rates, noise = (np.array(item[name], dtype=float) for name in ("rare_rates", "rare_errors"))
    if not islands.shape == rates.shape == noise.shape == shape:
        raise ValueError("what splitting found does not fit the counts")
    return PooledRareErrors(islands, rates, noise)


def _rounded(numbers: NDArray[np.float64], digits: int) -> list[float]:
    return [float(f"{number:.{digits}g}") for number in numbers]
