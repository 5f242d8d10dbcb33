"""Reading one's own instance: a name, a mapping, a JSON file or a CSV file."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goodarm.errors import InputError
from goodarm.instance.catalogue import instances
from goodarm.instance.instance import ABOVE, Instance

CSV_COLUMNS = ("name", "mean", "sigma", "kind", "threshold")
JSON_FIELDS = ("name", "threshold", "goal", "means", "kind", "sigma", "names", "arms")
ARM_FIELDS = ("name", "mean", "sigma", "kind")


def load_instance(
    source: str | Path | Mapping[str, Any] | Instance, threshold: float | None = None
) -> Instance:
    """The instance that `source` names: an Instance, a mapping, a catalogue name or a file.

    `threshold` replaces the instance's own; a CSV file without a threshold column needs it.
    """
    if isinstance(source, Instance):
        instance = source
    elif isinstance(source, Mapping):
        instance = from_mapping(source, threshold=threshold)
    elif Path(source).suffix.lower() in (".json", ".csv"):
        instance = from_file(Path(source), threshold)
    else:
        instance = instances[str(source)]
    if threshold is not None and threshold != instance.threshold:
        checked = Instance(threshold, [0.0]).threshold
        instance = instance.altered(threshold=checked)
    return instance


def from_file(path: Path, threshold: float | None = None) -> Instance:
    """Read a JSON or CSV file, by its ending."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read the instance file {str(path)!r}: {reason}") from None
    if path.suffix.lower() == ".csv":
        return from_csv(text, path.stem, threshold)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path.name} is not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise InputError(f"{path.name}: the JSON must be an object with threshold and means")
    return from_mapping(data, path.stem, threshold)


def from_mapping(
    data: Mapping[str, Any], name: str = "custom", threshold: float | None = None
) -> Instance:
    """Build an instance from ``{"threshold", "means", …}`` or ``{"threshold", "arms": […]}``."""
    unknown = [key for key in data if key not in JSON_FIELDS]
    if unknown:
        raise InputError(f"unknown field {unknown[0]!r}; known: {', '.join(JSON_FIELDS)}")
    if threshold is None and "threshold" not in data:
        raise InputError('threshold is missing; add it, as in "threshold": 0.5')
    theta = data["threshold"] if threshold is None else threshold
    label = data.get("name", name)
    if ("arms" in data) == ("means" in data):
        raise InputError('give either "means" or "arms", one of the two')
    if "means" in data:
        if not isinstance(data["means"], list | tuple):
            raise InputError(f"means: {data['means']!r} is not a list of numbers")
        return Instance(
            theta,
            data["means"],
            kind=data.get("kind", "gaussian"),
            sigma=data.get("sigma"),
            names=data.get("names"),
            name=str(label),
            goal=data.get("goal", ABOVE),
        )
    arms = data["arms"]
    if not isinstance(arms, list | tuple) or not all(isinstance(arm, Mapping) for arm in arms):
        raise InputError("arms: give a list of objects with name, mean, sigma, kind")
    for number, arm in enumerate(arms, 1):
        extra = [key for key in arm if key not in ARM_FIELDS]
        if extra:
            raise InputError(f"arm {number}: unknown field {extra[0]!r}; known: {ARM_FIELDS}")
        if "mean" not in arm:
            raise InputError(f"arm {number}: its mean is missing")
    return Instance(
        theta,
        [arm["mean"] for arm in arms],
        kind=[arm.get("kind", data.get("kind", "gaussian")) for arm in arms],
        sigma=[arm.get("sigma", data.get("sigma")) for arm in arms],
        names=[arm.get("name", f"arm {number}") for number, arm in enumerate(arms, 1)],
        name=str(label),
        goal=data.get("goal", ABOVE),
    )


def from_csv(text: str, name: str = "custom", threshold: float | None = None) -> Instance:
    """Build an instance from CSV with a header: name, mean and, where wanted, sigma, kind."""
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    columns = [column.strip() for column in rows.fieldnames or []]
    rows.fieldnames = columns
    unknown = [column for column in columns if column not in CSV_COLUMNS]
    if "mean" not in columns or unknown:
        what = f"unknown column {unknown[0]!r}" if unknown else "no column named mean"
        raise InputError(f"{name}.csv: {what}; the header may have: {', '.join(CSV_COLUMNS)}")
    arms: list[dict[str, Any]] = []
    thresholds: set[str] = set()
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise InputError(f"{name}.csv line {line}: {len(columns)} columns are needed")
        cells = {column: row[column].strip() for column in columns}
        arm: dict[str, Any] = {"mean": _cell(name, line, "mean", cells["mean"])}
        if cells.get("name"):
            arm["name"] = cells["name"]
        if cells.get("kind"):
            arm["kind"] = cells["kind"].lower()
        if cells.get("sigma"):
            arm["sigma"] = _cell(name, line, "sigma", cells["sigma"])
        if cells.get("threshold"):
            thresholds.add(cells["threshold"])
        arms.append(arm)
    if len(thresholds) > 1:
        raise InputError(f"{name}.csv: the threshold column holds several values; give one")
    theta = threshold
    if theta is None:
        if not thresholds:
            raise InputError(
                f"{name}.csv gives no threshold; add a threshold column or give --threshold"
            )
        theta = _cell(name, 2, "threshold", thresholds.pop())
    if not arms:
        raise InputError(f"{name}.csv has no arms; an instance needs at least one")
    return from_mapping({"threshold": theta, "arms": arms}, name)


def _cell(name: str, line: int, column: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name}.csv line {line}: {column} {text!r} is not a number") from None
