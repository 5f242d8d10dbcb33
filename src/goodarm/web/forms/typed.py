"""Reading what people type: numbers, lists of names, guesses; errors say what to write."""

import csv
import io
import re
from collections.abc import Awaitable, Callable, Mapping

from fastapi import Request, UploadFile

from goodarm.errors import InputError
from goodarm.inputs import read_number

FIELDS = {
    "value": "The outcome",
    "size": "The size",
    "n": "How many",
    "arm": "The option",
    "trial": "The trial",
    "reason": "The reason",
    "note": "The note",
    "name": "The name",
    "threshold": "The bar",
    "delta": "How sure",
    "confidence": "How sure",
    "trials": "More trials",
}
IN_PLAIN_WORDS = {  # patterns, and what the page says in their place
    "a study of shares needs bounded:0:1": "a share is another kind of outcome",
    "unknown arm": "there is no option",
    "; load it, or give": "; give",
    r"\barm(s?)\b(?!,)": r"option\1",
    r"\bthreshold\b": "bar",
}
LEAST_PERCENT = 50  # 0.95 is a slip, and would end a study at once
ARM_COLUMNS = ("arm", "arms", "name", "option")


def read_whole(what: str, text: str) -> int:
    """A whole number as a person types it."""
    plain = text.strip()
    if not plain.isascii() or not plain.isdigit() or len(plain) > 18:
        raise InputError(f"{what}: {plain[:40]!r} is not a whole number; write one such as 20")
    return int(plain)


def optional_number(what: str, text: str) -> float | None:
    """A number, or None where nothing was typed."""
    return read_number(what, text) if text.strip() else None


def optional_whole(what: str, text: str) -> int | None:
    """A whole number, or None where nothing was typed."""
    return read_whole(what, text) if text.strip() else None


def optional_text(text: str) -> str | None:
    """The text with the line ends of this system's choice, or None where nothing was typed."""
    plain = text.replace("\r\n", "\n").strip()
    return plain or None


def read_percent(what: str, text: str) -> float | None:
    """δ from a wanted confidence in per cent; None where nothing was typed."""
    wanted = optional_number(what, text.replace("%", ""))
    if wanted is None:
        return None
    if not LEAST_PERCENT <= wanted < 100.0:
        raise InputError(
            f"{what}: {wanted:g} is not a percentage from {LEAST_PERCENT} to below 100; 95 is usual"
        )
    return round(1.0 - wanted / 100.0, 12)


def read_arms(text: str, file: bytes = b"") -> list[str]:
    """Names of arms: one per line (or CSV lines under a header), and those of a CSV file."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = [cell.strip().lower() for cell in lines[0].split(",")] if lines else []
    if len(first) > 1 and set(first) & set(ARM_COLUMNS):
        lines = _arms_of_file(text.encode("utf-8", "replace"))
    return lines + (_arms_of_file(file) if file else [])


def read_guesses(text: str) -> tuple[list[str] | None, list[str]]:
    """Names, if any are given, and guesses: "0.3 0.4..0.6", or one line "name: guess" for each."""
    names: list[str] = []
    guesses: list[str] = []
    for line in text.replace("−", "-").splitlines():
        name, colon, rest = line.rpartition(":")
        parts = [part for part in re.split(r"[\s,;]+", rest) if part]
        if colon and len(parts) != 1:
            raise InputError(
                f"means: after {name.strip()[:40]!r} write one guess, such as 0.3..0.6"
            )
        guesses += parts
        names += [name.strip()] if colon else []
    if names and len(names) != len(guesses):
        raise InputError("means: some guesses have a name; write one for each, or for none")
    return names or None, guesses


def explain(error: InputError, labels: Mapping[str, str]) -> tuple[str, str]:
    """The message in the words of the form, and the name of the field that it is about.

    Messages begin with a field's name; people know the field by its label.
    """
    field, _, rest = str(error).partition(": ")
    name = field.split(" ")[0]
    return (f"{labels[name]}: {rest}", name) if name in labels else (str(error), "")


def plainly(message: str) -> str:
    """The message without the words of the command line and of Python.

    >>> plainly("value: 3 is no share; correct it (study.correct, `goodarm study correct`)")
    'The outcome: 3 is no share; correct it'
    """
    field, colon, rest = re.sub(r" \(study\.[^)]*\)", "", message).partition(": ")
    label = FIELDS.get(field, field) if colon else field
    return in_plain_words(f"{label}{colon}{rest}")


def in_plain_words(message: str) -> str:
    """The message in the words of the page; what people have typed stays as it is.

    >>> in_plain_words("there is a study 'my arm' already; give every arm a name")
    "there is a study 'my arm' already; give every option a name"
    """
    pieces = re.split(
        r"('[^']*')", message.replace("'' is empty; write", "nothing was entered; write")
    )
    for i in range(0, len(pieces), 2):
        for words, plain in IN_PLAIN_WORDS.items():
            pieces[i] = re.sub(words, plain, pieces[i])
    return "".join(pieces)


def upload(file: UploadFile | None) -> bytes:
    """What is in a file that was chosen; nothing where none was."""
    return b"" if file is None else file.file.read()


def _arms_of_file(content: bytes) -> list[str]:
    try:
        text = content.decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True))
    except (UnicodeDecodeError, csv.Error):
        raise InputError("arms: the file is not CSV text in UTF-8; export it anew") from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        return []
    header = [cell.strip().lower() for cell in rows[0]]
    column = next((header.index(name) for name in ARM_COLUMNS if name in header), None)
    body = rows if column is None else rows[1:]
    names = [row[column or 0].strip() for row in body if len(row) > (column or 0)]
    return [name for name in names if name]


def inputs_named(pattern: re.Pattern[str]) -> Callable[[Request], Awaitable[dict[str, str]]]:
    """For routes whose forms differ: what was typed into the inputs with such names."""

    async def typed(request: Request) -> dict[str, str]:
        form = await request.form()
        return {
            name: text
            for name, text in form.items()
            if isinstance(text, str) and pattern.fullmatch(name)
        }

    return typed
