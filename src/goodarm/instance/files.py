"""Reading one's own instance: a name, a mapping, a JSON file or a CSV file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goodarm.csv_tables import read_all
from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.inputs import read_number
from goodarm.instance.catalogue import instances
from goodarm.instance.instance import ABOVE, Instance

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
        instance = instance.altered(threshold=Instance(threshold, [0.0]).threshold)
    return instance


def from_file(path: Path, threshold: float | None = None) -> Instance:
    """Read a JSON or CSV file, by its ending."""
    text = read_text(path)
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
    table = f"{name}.csv"
    arms: list[dict[str, Any]] = []
    thresholds: dict[str, float] = {}
    for line, cells in read_all(text, table, ("mean",), ("name", "sigma", "kind", "threshold")):
        numbers = {
            column: read_number(f"{table}: line {line}: {column}", cells[column])
            for column in ("mean", "sigma", "threshold")
            if cells.get(column) or column == "mean"
        }
        if "threshold" in numbers:
            thresholds[cells["threshold"]] = numbers.pop("threshold")
        words = {column: cells[column] for column in ("name", "kind") if cells.get(column)}
        arms.append({**numbers, **words})
    if len(thresholds) > 1:
        raise InputError(f"{table}: the threshold column holds several values; give one")
    if threshold is None and not thresholds:
        raise InputError(f"{table} gives no threshold; add a threshold column or give --threshold")
    theta = next(iter(thresholds.values())) if threshold is None else threshold
    return from_mapping({"threshold": theta, "arms": arms}, name)
