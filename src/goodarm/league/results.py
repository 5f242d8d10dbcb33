"""Errors of every rule on every instance at every time: to be kept, scored and drawn."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.files import write
from goodarm.instance import Instance
from goodarm.league.suites import Entry
from goodarm.simulation.splitting import RareErrors

GONE = 1e-7  # an error that is smaller was found: it counts as this, now and later
UNDEFINED = -1  # the count where a rule has no answer yet in some run


@dataclass(frozen=True)
class Rare:
    """Errors too rare to be counted, as splitting found them: [rule, time]."""

    islands: NDArray[np.int64]  # how many populations were looked at
    rates: NDArray[np.float64]  # the mean of their errors; 0 without one
    errors: NDArray[np.float64]  # its standard error

    def pooled(self, rule: int, found: RareErrors) -> "Rare":
        """With what more islands found for a rule, at the first of its times."""
        pooled = Rare(self.islands.copy(), self.rates.copy(), self.errors.copy())
        here = np.flatnonzero(~np.isnan(found.error_rates))
        n, before = self.islands[rule, here], self.rates[rule, here]
        m, mean = len(found.estimates), found.error_rates[here]
        both = (n * before + m * mean) / (n + m)
        squares = n * (n - 1) * self.errors[rule, here] ** 2 + n * (before - both) ** 2
        squares += m * (m - 1) * found.standard_errors[here] ** 2 + m * (mean - both) ** 2
        pooled.islands[rule, here] = n + m
        pooled.rates[rule, here] = both
        pooled.errors[rule, here] = np.sqrt(squares / ((n + m) * (n + m - 1)))
        return pooled


def no_rare(shape: tuple[int, ...]) -> Rare:
    """Nothing found yet."""
    return Rare(np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape))


@dataclass(frozen=True)
class Row:
    """One instance: how often each rule erred at each time, in how many runs."""

    entry: Entry
    runs: NDArray[np.int64]  # [rule]
    errors: NDArray[np.int64]  # [rule, time], or UNDEFINED
    rare: Rare | None = None

    def estimates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[rule, time]: the errors, and their relative standard errors; NaN where undefined.

        From counts, or from splitting where that is more precise. Splitting does not look further
        once a rule hardly errs any more: from there on its error is taken to be no larger.
        """
        counts = np.where(self.errors == UNDEFINED, np.nan, self.errors)
        rates = counts / self.runs[:, None]
        noise = 1.0 / np.sqrt(np.maximum(counts, 1.0))
        if self.rare is not None:
            seen = np.where(self.rare.rates > 0.0, self.rare.rates, np.nan)
            finer = self.rare.errors / seen < noise  # never where one of them is undefined
            noise = np.where(finer, self.rare.errors / seen, noise)
            rates = np.where(finer, seen, rates)
            tiny = (self.rare.rates > 0.0) & (self.rare.rates < GONE)
            gone = np.maximum.accumulate(tiny, axis=1) & (self.rare.rates < GONE)
            noise = np.where(gone & ~np.isnan(counts), 0.0, noise)
            rates = np.where(gone & ~np.isnan(counts), GONE, rates)
        return rates, noise


@dataclass(frozen=True)
class League:
    """All rows, and the rules in the order of their errors."""

    rules: tuple[str, ...]
    rows: tuple[Row, ...]
    seed: int
    pulls: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "rules": list(self.rules),
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
        """As JSON, one line an instance."""
        data = self.to_dict()
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in data.pop("instances"))
        head = json.dumps(data, ensure_ascii=False)[:-1]
        write(path, f'{head}, "instances": [\n{lines}\n]}}\n')

    def only(self, groups: Sequence[str]) -> "League":
        """The rows of these groups."""
        rows = tuple(row for row in self.rows if row.entry.group in groups)
        return League(self.rules, rows, self.seed, self.pulls, self.seconds)


def load_league(path: Path) -> League:
    """What `League.save` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = tuple(_row(item) for item in data["instances"])
        if not rows:
            raise ValueError("no instance")
        if any(row.errors.shape != (len(data["rules"]), len(row.entry.times)) for row in rows):
            raise ValueError("the counts do not fit the rules and times")
        return League(tuple(data["rules"]), rows, data["seed"], data["pulls"], data["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"load: {str(path)!r} holds no league ({error}); give a file that goodarm league wrote"
        ) from None


def _row(item: dict[str, Any]) -> Row:
    instance = Instance(
        item["threshold"], item["means"], kind=item["kind"], sigma=item["sigmas"],
        name=item["name"],
    )  # fmt: skip
    entry = Entry(item["group"], instance, tuple(item["times"]))
    runs, errors = (np.array(item[name], dtype=np.int64) for name in ("runs", "errors"))
    if runs.shape != errors.shape[:1]:
        raise ValueError(f"{len(errors)} rules, but {runs.size} numbers of runs")
    return Row(entry, runs, errors, _rare_from_dict(item, errors.shape))


def _rare_to_dict(rare: Rare | None) -> dict[str, Any]:
    if rare is None:
        return {}
    return {
        "islands": rare.islands.tolist(),
        "rare_rates": [_rounded(rates, 5) for rates in rare.rates],
        "rare_errors": [_rounded(errors, 3) for errors in rare.errors],
    }


def _rare_from_dict(item: dict[str, Any], shape: tuple[int, ...]) -> Rare | None:
    if "islands" not in item:
        return None
    islands = np.array(item["islands"], dtype=np.int64)
    rates, errors = (np.array(item[name], dtype=float) for name in ("rare_rates", "rare_errors"))
    if not islands.shape == rates.shape == errors.shape == shape:
        raise ValueError("what splitting found does not fit the counts")
    return Rare(islands, rates, errors)


def _rounded(numbers: NDArray[np.float64], digits: int) -> list[float]:
    return [float(f"{number:.{digits}g}") for number in numbers]
