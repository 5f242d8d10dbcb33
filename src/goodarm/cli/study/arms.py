"""goodarm study arm add|retire, and the lists of arms that `create` takes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, Key, Name, Reason, Storage
from goodarm.cli.study.session import opened_study, say
from goodarm.errors import InputError, unknown_name
from goodarm.files import read_text

Thresholds = Annotated[
    list[float] | None,
    typer.Option(
        "--threshold",
        help="What an arm's mean must clear; give it once for each arm, in their order, where "
        "every arm has a bar of its own.",
    ),
]
COLUMNS = ("arm", "label", "cost", "note", "threshold")
Arm = Annotated[str, typer.Argument(metavar="ARM", help="The arm's name.")]

arm = typer.Typer(help="Arms that come and go in a running study.", no_args_is_help=True)


@arm.command("add")
def add(
    name: Name,
    new: Arm,
    reason: Reason,
    threshold: Annotated[
        float | None, typer.Option(help="Its bar, where every arm has its own.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="A longer name, for readers.")] = None,
    cost: Annotated[float | None, typer.Option(help="What a trial of it costs.")] = None,
    note: Annotated[str | None, typer.Option(help="A remark.")] = None,
    key: Key = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """One more arm; the share of δ that it gets was fixed beforehand, so the guarantee holds."""
    with opened_study(name, storage, by) as study:
        study.add_arm(new, reason, threshold=threshold, label=label, cost=cost, note=note, key=key)
        say(study, {"arms": list(study.settings.arms)}, f"added {new!r} to {name!r}", as_json)


@arm.command("retire")
def retire(
    name: Name,
    old: Arm,
    reason: Reason,
    key: Key = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Take an arm out: it is not tried any more and cannot be named; the others go on."""
    with opened_study(name, storage, by) as study:
        study.retire_arm(old, reason, key)
        say(study, {"retired": old}, f"retired {old!r} in {name!r}", as_json)


class ListedArms:
    """Arms as they are typed, with their costs, and those of a file.

    A file has one arm per line, or is a CSV table with a column arm and others of COLUMNS.
    """

    def __init__(self, path: Path | None, typed: Sequence[str], costs: Sequence[str]) -> None:
        self.names = list(typed)
        self.details: dict[str, dict[str, object]] = {}
        self._path, self._thresholds = path, list[float]()
        if path is not None and path.suffix.lower() == ".csv":
            self._read_table(path)
        elif path is not None:
            lines = read_text(path).splitlines()
            self.names += [line.strip() for line in lines if line.strip()]
        for arm_name, price in _read_costs(costs).items():
            self.details.setdefault(arm_name, {})["cost"] = price

    @property
    def costs(self) -> dict[str, float]:
        """What a trial costs, of the arms of which it is said."""
        costs = {name: said.get("cost") for name, said in self.details.items()}
        return {name: cost for name, cost in costs.items() if isinstance(cost, float)}

    def bars(self, typed: Sequence[float]) -> float | list[float] | None:
        """One for each arm where the file has them, or so many were typed; else the only one."""
        if not self._thresholds:
            return list(typed) if len(typed) > 1 else next(iter(typed), None)
        if typed:
            raise InputError(f"threshold: the arms in {self._path} have their own; leave it out")
        return self._thresholds

    def _read_table(self, path: Path) -> None:
        from goodarm.csv_tables import read_rows
        from goodarm.inputs import read_number

        def check(header: list[str]) -> None:
            for column in header:
                if column not in COLUMNS:
                    raise unknown_name("column", column, COLUMNS)
            if COLUMNS[0] not in header:
                raise InputError(f"{path}: the first line must name the columns, one of them arm")

        header, rows = read_rows(read_text(path), repr(str(path)), check)
        bars: list[str] = []
        for _, cells in rows:
            given = dict(zip(header, cells, strict=True))
            name = given.pop("arm")
            bars.append(given.pop("threshold", ""))
            self.names.append(name)
            said: dict[str, object] = {what: text for what, text in given.items() if text}
            if "cost" in said:
                said["cost"] = read_number("cost", given["cost"])
            if said:
                self.details[name] = said
        if any(bars):
            self._thresholds = [read_number("threshold", bar) for bar in bars]


def _read_costs(given: Sequence[str]) -> dict[str, float]:
    """Costs as they are typed: ARM=COST."""
    from goodarm.inputs import read_number

    costs = {}
    for text in given:
        name, equals, amount = text.rpartition("=")
        if not equals:
            raise InputError(f"cost: {text!r} is not ARM=COST; write, say, --cost red=2.5")
        costs[name] = read_number("cost", amount)
    return costs
