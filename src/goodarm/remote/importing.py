"""Past outcomes that are pasted or uploaded: looked at line by line, then entered, all or none."""

import hashlib
from dataclasses import dataclass
from io import StringIO

from goodarm.csv_tables import Fault, read_rows, read_table
from goodarm.errors import InputError
from goodarm.outcomes.contract import Past
from goodarm.study import ArmReport, Study, Trial
from goodarm.study.log.importing import Imported, check_source
from goodarm.study.log.tables import line_reader
from goodarm.study.report.status import known
from goodarm.study.settings import Settings
from goodarm.study.telling import ToldMeasure, check_told

MOST_BYTES = 512 * 1024  # well below what a form may hold: a preview sends them once more
MOST_LINES = 10_000
MOST_LOOKED_UP = 500  # trials that are not pending; what is wrong with others is seen on entering


@dataclass(frozen=True)
class PreviewLine:
    """A line that can be read: what it would tell, of which arm, of which trial if it says so."""

    number: int
    trial: int | None
    arm: str | None  # None: the trial's, whichever that is
    told: tuple[ToldMeasure, ...]


@dataclass(frozen=True)
class Preview:
    """A table before it is entered: its lines, what is wrong with any, and what is unlikely."""

    text: str
    source: str
    lines: list[PreviewLine]
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
    settings = study.settings
    header, _ = read_rows(text, "data", lambda cells: None)
    read = line_reader(header, "data", settings)
    table, faults = read_table(text, "data", header)
    count = len(table) + len(faults)
    if count > MOST_LINES:
        raise InputError(f"data: {count:,} lines; at most {MOST_LINES:,} are taken at once")
    check = _Check(study, settings)
    lines = []
    for line in table:
        try:
            row = read(list(line.cells.values()))
            told = tuple(check_told(settings, row.value, row.size))
            arm = check.arm(row.trial, row.arm)
            lines.append(PreviewLine(line.number, row.trial, arm, told))
        except InputError as error:
            faults.append(Fault(line.number, str(error)))
    unlikely = [] if faults else _unlikely(settings, study.evidence, lines)
    return Preview(text, check_source(source or _own_name(text)), lines, sorted(faults), unlikely)


def enter(study: Study, preview: Preview, sure: bool = False) -> Imported:
    """Enter a table without faults; lines of this source that are there already stay alone."""
    if preview.faults:
        raise InputError(_first_few(preview.faults))
    # A minus as people typeset it is one here, too, as in every form.
    table = StringIO(preview.text.replace("−", "-"), newline="")
    return study.import_csv(table, preview.source, sure)


class _Check:
    """Whether the study has the arms and trials that lines speak of."""

    def __init__(self, study: Study, settings: Settings) -> None:
        self._study = study
        self._arms = frozenset(settings.arms)
        self._pending = {trial.number: trial for trial in study.pending}
        self._left = MOST_LOOKED_UP

    def arm(self, number: int | None, arm: str | None) -> str | None:
        """The arm that a line is about, if it can be told here."""
        if arm is not None and arm not in self._arms:
            raise InputError(f"there is no option {arm[:80]!r}")
        if number is None:
            return arm
        trial = self._trial(number)
        if trial is not None and arm not in (None, trial.arm):
            raise InputError(f"trial {number} is of {trial.arm!r}, not of {arm!r}")
        return arm if trial is None else trial.arm

    def _trial(self, number: int) -> Trial | None:
        if number in self._pending:
            return self._pending[number]
        self._left -= 1
        return self._study.trial(number) if self._left >= 0 else None


def _first_few(faults: list[Fault], most: int = 5) -> str:
    """The first few faults in one sentence."""
    messages = "; ".join(f"line {fault.line}: {fault.message}" for fault in faults[:most])
    more = f"; and {len(faults) - most} more" if len(faults) > most else ""
    return f"data: {messages}{more}; nothing was imported"


def _unlikely(
    settings: Settings, arms: tuple[ArmReport, ...], lines: list[PreviewLine]
) -> list[Fault]:
    """The lines that a person should look at twice, and why."""
    indices = {arm.arm: index for index, arm in enumerate(arms)}
    doubts, criteria = [], settings.every_criterion
    for line in lines:
        if line.arm is None:
            continue
        index = indices[line.arm]
        for one in line.told:
            so_far, criterion = known(arms[index], one.measure), criteria[one.measure]
            bar = criterion.reference
            past = Past(index, so_far.count, bar if so_far.mean is None else so_far.mean)
            why = criterion.outcome.unlikely(one.reading, past, bar)
            if why is not None:
                doubts.append(Fault(line.number, why if one.name is None else f"{one.name}: {why}"))
    return doubts


def _own_name(text: str) -> str:
    """A source for lines that come without a name: the same lines count once."""
    return "pasted " + hashlib.sha256(text.encode()).hexdigest()[:12]
