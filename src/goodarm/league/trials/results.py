"""Pulls to certainty of every algorithm on every instance at every δ: to be kept and scored."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.files import write
from goodarm.instance import Instance
from goodarm.league.trials.suites import TrialsEntry


@dataclass(frozen=True)
class StoppingSummary:
    """The stopping times of an algorithm; a run at the cap counts as the cap."""

    runs: int
    mean: float
    se: float  # of the mean
    median: float
    q95: float
    q999: float
    capped: int  # runs that were not done at the cap
    wrong: int  # runs that stopped with a wrong answer

    @property
    def noise(self) -> float:
        """The standard error over the mean."""
        return self.se / self.mean

    @property
    def unfinished(self) -> float:
        """The share of runs that were not done at the cap."""
        return self.capped / self.runs

    @property
    def tail(self) -> float:
        """The 99.9 % quantile over the median."""
        return self.q999 / self.median


def summary_of(times: NDArray[np.int32], capped: int, wrong: int) -> StoppingSummary:
    """Stopping times, two at the least, in numbers."""
    median, q95, q999 = (float(q) for q in np.quantile(times, (0.5, 0.95, 0.999)))
    se = float(times.std(ddof=1) / np.sqrt(len(times)))
    return StoppingSummary(len(times), float(times.mean()), se, median, q95, q999, capped, wrong)


@dataclass(frozen=True)
class TrialsCell:
    """One instance at one δ: what the oracle and every algorithm needed."""

    entry: TrialsEntry
    delta: float
    cap: int
    oracle: StoppingSummary
    algorithms: tuple[StoppingSummary, ...]

    @property
    def yardstick(self) -> float:
        """The oracle's mean, and one look at each of the other arms."""
        return self.oracle.mean + self.entry.instance.K - 1

    @property
    def means(self) -> NDArray[np.float64]:
        """[algorithm]."""
        return np.array([summary.mean for summary in self.algorithms])

    @property
    def noise(self) -> NDArray[np.float64]:
        """[algorithm]: standard errors over means."""
        return np.array([summary.noise for summary in self.algorithms])

    @property
    def done(self) -> NDArray[np.bool_]:
        """[algorithm]: whether every run was."""
        return np.array([summary.capped == 0 for summary in self.algorithms])


@dataclass(frozen=True)
class TrialsLeague:
    """All cells, and the algorithms in the order of their summaries."""

    algorithms: tuple[str, ...]
    cells: tuple[TrialsCell, ...]
    seed: int
    pulls: int
    seconds: float

    def only(
        self,
        groups: Sequence[str] | None = None,
        deltas: Sequence[float] | None = None,
        some_good: bool | None = None,
    ) -> "TrialsLeague":
        """The cells of these groups and levels, and with a good arm or without one."""
        cells = tuple(
            cell
            for cell in self.cells
            if (groups is None or cell.entry.group in groups)
            and (deltas is None or cell.delta in deltas)
            and (some_good is None or cell.entry.instance.good.any() == some_good)
        )
        return replace(self, cells=cells)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        together = groupby(self.cells, key=lambda cell: cell.entry)
        return {
            "algorithms": list(self.algorithms),
            "seed": self.seed,
            "pulls": self.pulls,
            "seconds": round(self.seconds, 1),
            "numbers": list(StoppingSummary.__dataclass_fields__),
            "instances": [_instance_to_dict(entry, list(cells)) for entry, cells in together],
        }

    def save(self, path: Path) -> None:
        """As JSON, one line per instance."""
        data = self.to_dict()
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in data.pop("instances"))
        head = json.dumps(data, ensure_ascii=False)[:-1]
        write(path, f'{head}, "instances": [\n{lines}\n]}}\n')


def _instance_to_dict(entry: TrialsEntry, cells: Sequence[TrialsCell]) -> dict[str, Any]:
    instance = entry.instance
    return {
        "group": entry.group,
        "family": entry.family,
        "name": instance.name,
        "threshold": instance.threshold,
        "means": _rounded(instance.means.tolist()),
        "sigmas": _rounded(instance.sigmas.tolist()),
        "kind": instance.kinds[0],
        "cells": [
            {
                "delta": cell.delta,
                "cap": cell.cap,
                "oracle": _rounded(astuple(cell.oracle)),
                "algorithms": [_rounded(astuple(summary)) for summary in cell.algorithms],
            }
            for cell in cells
        ],
    }


def _rounded(numbers: Sequence[float]) -> list[float]:
    """Floats to six digits."""
    return [x if isinstance(x, int) else float(f"{x:.6g}") for x in numbers]


def load_trials(path: Path) -> TrialsLeague:
    """What `TrialsLeague.save` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        cells = tuple(cell for item in data["instances"] for cell in _cells(item))
        if not cells:
            raise ValueError("no instance")
        if any(len(cell.algorithms) != len(data["algorithms"]) for cell in cells):
            raise ValueError("the numbers do not fit the algorithms")
        names = tuple(data["algorithms"])
        return TrialsLeague(names, cells, data["seed"], data["pulls"], data["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"load: {str(path)!r} holds no league of trials ({error}); give a file that "
            "goodarm league --trials wrote"
        ) from None


def join_trials(leagues: Sequence[TrialsLeague]) -> TrialsLeague:
    """Leagues that were played apart as one: other groups, or other algorithms on the same cells.

    Where two have the same algorithm in the same cell, the later one counts; algorithms that did
    not play in every cell are left out.
    """
    entries: dict[tuple[str, float], TrialsCell] = {}
    summaries: dict[tuple[str, float], dict[str, StoppingSummary]] = {}
    for league in leagues:
        for cell in league.cells:
            key = (cell.entry.instance.name, cell.delta)
            before = entries.setdefault(key, cell)
            if (before.entry, before.cap) != (cell.entry, cell.cap) or league.seed != leagues[
                0
            ].seed:
                raise InputError(
                    f"load: {key[0]} at δ = {key[1]:g} was played in two ways (another seed, cap "
                    "or instance); give files of one version and one seed"
                )
            both = zip(league.algorithms, cell.algorithms, strict=True)
            summaries.setdefault(key, {}).update(both)
    names = dict.fromkeys(name for league in leagues for name in league.algorithms)
    everywhere = tuple(name for name in names if all(name in cell for cell in summaries.values()))
    cells = tuple(
        replace(cell, algorithms=tuple(summaries[key][name] for name in everywhere))
        for key, cell in entries.items()
    )
    pulls, seconds = (sum(getattr(a, name) for a in leagues) for name in ("pulls", "seconds"))
    return TrialsLeague(everywhere, cells, leagues[0].seed, pulls, seconds)


def _cells(item: dict[str, Any]) -> list[TrialsCell]:
    arms = {"means": item["means"], "kind": item["kind"], "sigma": item["sigmas"]}
    instance = Instance(item["threshold"], name=item["name"], **arms)
    entry = TrialsEntry(item["group"], item["family"], instance)
    return [
        TrialsCell(
            entry,
            cell["delta"],
            cell["cap"],
            StoppingSummary(*cell["oracle"]),
            tuple(StoppingSummary(*numbers) for numbers in cell["algorithms"]),
        )
        for cell in item["cells"]
    ]
