"""Past outcomes that are pasted or uploaded: looked at line by line, then entered, all or none."""

import hashlib
from dataclasses import dataclass
from io import StringIO

from goodarm.csv_tables import Fault, Line, read_table
from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, moment, read_number
from goodarm.inputs import text as checked_text
from goodarm.study import ArmReport, Study
from goodarm.study.log.importing import Imported, check_source
from goodarm.study.settings import Settings

MOST_BYTES = 512 * 1024  # well below what a form may hold: a preview sends them once more
MOST_LINES = 10_000
NEEDED_COLUMNS = ("arm", "value")
OTHER_COLUMNS = ("at", "note")


@dataclass(frozen=True)
class Preview:
    """A table before it is entered: its lines, what is wrong with any, and what is unlikely."""

    text: str
    source: str
    lines: list[Line]
    faults: list[Fault]
    unlikely: list[Fault]


def pasted_text(text: str, file: bytes = b"") -> str:
    """What was pasted or uploaded, but not both; without empty lines around it."""
    if text.strip() and file:
        raise InputError("data: paste the lines or choose a file, not both")
    try:
        content = file.decode("utf-8-sig") if file else text
    except UnicodeDecodeError:
        raise InputError("data: the file is not text in UTF-8; export it anew as CSV") from None
    try:
        size = len(content.encode())
    except UnicodeEncodeError:
        raise InputError("data: it has characters that are no text; export it anew") from None
    if size > MOST_BYTES:
        raise InputError(f"data: {size:,} bytes; at most {MOST_BYTES:,} are taken at once")
    # Browsers send pasted lines with \r\n, programs with \n: the same lines are the same text.
    return content.replace("\r\n", "\n").strip()


def look_at(study: Study, text: str, source: str | None) -> Preview:
    """Check every line of a table against the study; nothing is entered."""
    lines, faults = read_table(text, "data", NEEDED_COLUMNS, OTHER_COLUMNS)
    count = len(lines) + len(faults)
    if count > MOST_LINES:
        raise InputError(f"data: {count:,} lines; at most {MOST_LINES:,} are taken at once")
    settings = study.settings
    faults += [Fault(line.number, fault) for line in lines if (fault := _fault(settings, line))]
    unlikely = [] if faults else _unlikely(settings, study.evidence, lines)
    return Preview(text, check_source(source or _own_name(text)), lines, sorted(faults), unlikely)


def enter(study: Study, preview: Preview, sure: bool = False) -> Imported:
    """Enter a table without faults; lines of this source that are there already stay alone."""
    if preview.faults:
        raise InputError(_first_few(preview.faults))
    # A minus as people typeset it is one here, too, as in every form.
    table = StringIO(preview.text.replace("−", "-"), newline="")
    return study.import_csv(table, preview.source, sure)


def _first_few(faults: list[Fault], most: int = 5) -> str:
    """The first few faults in one sentence."""
    messages = "; ".join(f"line {fault.line}: {fault.message}" for fault in faults[:most])
    more = f"; and {len(faults) - most} more" if len(faults) > most else ""
    return f"data: {messages}{more}; nothing was imported"


def _fault(settings: Settings, line: Line) -> str | None:
    cells = line.cells
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


def _unlikely(settings: Settings, arms: tuple[ArmReport, ...], lines: list[Line]) -> list[Fault]:
    """The lines that a person should look at twice, and why."""
    indices = {arm.arm: index for index, arm in enumerate(arms)}
    doubts = []
    for line in lines:
        index = indices[line.cells["arm"]]
        count, mean = arms[index].count, arms[index].mean
        value, bar = read_number("value", line.cells["value"]), settings.threshold
        why = settings.outcome.unlikely(value, index, count, bar if mean is None else mean, bar)
        if why is not None:
            doubts.append(Fault(line.number, why))
    return doubts


def _own_name(text: str) -> str:
    """A source for lines that come without a name: the same lines count once."""
    return "pasted " + hashlib.sha256(text.encode()).hexdigest()[:12]
