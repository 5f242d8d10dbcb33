"""Past outcomes that are pasted or uploaded: looked at line by line, then entered, all or none."""

import hashlib
from dataclasses import dataclass
from io import StringIO

from goodarm.errors import InputError
from goodarm.study import Study
from goodarm.study.importing import Imported, check_source
from goodarm.study.inputs import LONGEST_NOTE, moment
from goodarm.study.inputs import text as checked_text
from goodarm.study.settings import Settings
from goodarm.web.forms import read_number
from goodarm.web.tables import Fault, Row, read_rows

MOST_LINES = 10_000
COLUMNS = ("at", "note")  # that a table may have besides arm and value


@dataclass(frozen=True)
class Preview:
    """A table before it is entered: its lines, and what is wrong with any of them."""

    text: str
    source: str
    rows: list[Row]
    faults: list[Fault]


def look_at(study: Study, text: str, source: str | None) -> Preview:
    """Check every line of a table against the study; nothing is entered."""
    rows, faults = read_rows(text, COLUMNS)
    if len(rows) + len(faults) > MOST_LINES:
        raise InputError(
            f"data: {len(rows) + len(faults):,} lines; at most {MOST_LINES:,} are taken at once"
        )
    faults += [Fault(row.line, fault) for row in rows if (fault := _fault(study.settings, row))]
    return Preview(text, check_source(source or _own_name(text)), rows, sorted(faults))


def enter(study: Study, preview: Preview) -> Imported:
    """Enter a table without faults; lines of this source that are there already stay alone."""
    if preview.faults:
        raise InputError(said(preview.faults))
    # A minus as people typeset it is one here, too, as in every form.
    return study.import_csv(StringIO(preview.text.replace("−", "-"), newline=""), preview.source)


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


def _own_name(text: str) -> str:
    """A source for lines that come without a name: the same lines count once."""
    return "pasted " + hashlib.sha256(text.encode()).hexdigest()[:12]
