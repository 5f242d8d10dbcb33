"""Counts of errors of every rule on every instance at every time: to be kept, scored and drawn."""

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
from goodarm.league.suite import Entry

UNDEFINED = -1  # the count where a rule has no answer yet in some run


@dataclass(frozen=True)
class Row:
    """One instance: how often each rule erred at each time, in how many runs."""

    entry: Entry
    runs: NDArray[np.int64]  # [rule]
    errors: NDArray[np.int64]  # [rule, time], or UNDEFINED


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
                    "means": [float(f"{m:.6g}") for m in row.entry.instance.means],
                    "sigmas": [float(f"{s:.6g}") for s in row.entry.instance.sigmas],
                    "kind": row.entry.instance.arms[0].kind,
                    "times": list(row.entry.times),
                    "runs": row.runs.tolist(),
                    "errors": row.errors.tolist(),
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
    return Row(entry, runs, errors)
