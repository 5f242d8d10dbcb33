"""Past outcomes that are pasted or uploaded: looked at line by line, then entered, all or none."""

import hashlib
from dataclasses import dataclass
from io import StringIO

from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, moment, read_number
from goodarm.inputs import text as checked_text
from goodarm.study import ArmReport, Study
from goodarm.study.log.importing import Imported, check_source
from goodarm.study.settings import Settings
from goodarm.web.tables import Fault, Row, read_rows

MOST_LINES = 10_000
COLUMNS = ("at", "note")  # that a table may have besides arm and value


@dataclass(frozen=True)
class Preview:
    """A table before it is entered: its lines, what is wrong with any, and what is unlikely."""

    text: str
    source: str
    rows: list[Row]
    faults: list[Fault]
    unlikely: list[Fault]


def look_at(study: Study, text: str, source: str | None) -> Preview:
    """Check every line of a table against the study; nothing is entered."""
    rows, faults = read_rows(text, COLUMNS)
    if len(rows) + len(faults) > MOST_LINES:
        raise InputError(
            f"data: {len(rows) + len(faults):,} lines; at most {MOST_LINES:,} are taken at once"
        )
    settings = study.settings
    faults += [Fault(row.line, fault) for row in rows if (fault := _fault(settings, row))]
    unlikely = [] if faults else _unlikely(settings, study.evidence, rows)
    return Preview(text, check_source(source or _own_name(text)), rows, sorted(faults), unlikely)


def enter(study: Study, preview: Preview, sure: bool = False) -> Imported:
    """Enter a table without faults; lines of this source that are there already stay alone."""
    if preview.faults:
        raise InputError(said(preview.faults))
    # A minus as people typeset it is one here, too, as in every form.
    table = StringIO(preview.text.replace("−", "-"), newline="")
    return study.import_csv(table, preview.source, sure)


def said(faults: list[Fault], most: int = 5) -> str:
    """The first few faults in one sentence."""
    shown = "; ".join(f"line {fault.line}: {fault.message}" for fault in faults[:most])
    more = f"; and {len(faults) - most} more" if len(faults) > most else ""
    return f"data: {shown}{more}; nothing was imported"


def _fault(settings: Settings, row: Row) -> str | None:
    cells = row.cells
    if cells["arm"] not in settings.arms:
        return f"there is no option {cells['arm'][:80]!r}" if cells["arm"] else "the arm is missing"
    try:
        settings.outcome.check(read_number("value", cells["value"]), settings.threshold)
        if cells.get("at"):
            moment("at", cells["at"])
        if cells.get("note"):
            checked_text("note", cells["note"], LONGEST_NOTE)
    except InputError as error:
        return str(error)
    return None


def _unlikely(settings: Settings, arms: tuple[ArmReport, ...], rows: list[Row]) -> list[Fault]:
    """The lines that a person should look at twice, and why."""
    numbers = {arm.arm: number for number, arm in enumerate(arms)}
    found = []
    for row in rows:
        number = numbers[row.cells["arm"]]
        count, mean = arms[number].count, arms[number].mean
        value, bar = read_number("value", row.cells["value"]), settings.threshold
        why = settings.outcome.unlikely(value, number, count, bar if mean is None else mean, bar)
        if why is not None:
            found.append(Fault(row.line, why))
    return found


def _own_name(text: str) -> str:
    """A source for lines that come without a name: the same lines count once."""
    return "pasted " + hashlib.sha256(text.encode()).hexdigest()[:12]
