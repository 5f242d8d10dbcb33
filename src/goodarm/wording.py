"""Numbers, times and names as people read them, in one way everywhere: terminal, page, files."""

import math
import re
import textwrap
import unicodedata
from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

NOTHING = "–"
MINUS = "−"
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # categories of characters


def figure(value: float | None, digits: int = 4) -> str:
    """A number to about four digits, as a person would write it.

    >>> figure(12301.4), figure(3.14159), figure(0.000012), figure(7), figure(None)
    ('12,301', '3.142', '1.20e-05', '7', '–')
    >>> figure(3.14159, digits=3)
    '3.14'
    """
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0.0 else "−∞"
    size = abs(value)
    if isinstance(value, int) and size < 1e15:
        text = f"{value:,}"
    elif size >= 1e9 or 0.0 < size < 1e-4:
        text = f"{value:.2e}"
    elif size >= 1000.0:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{digits}g}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def limits_text(low: float | None, high: float | None) -> str:
    """Limits, of which there may be one or none, in words.

    Two are written to three digits of their distance, and rounded away from each other, so that
    they never say more than is known.

    >>> limits_text(0.0003968, 0.9688), limits_text(0.49991, 0.50212), limits_text(None, 3)
    ('0 to 0.969', '0.49991 to 0.50212', 'at most 3')
    """
    if low is None or high is None:
        if low is not None:
            return f"at least {figure(low)}"
        return NOTHING if high is None else f"at most {figure(high)}"
    distance = high - low
    if not 0.0 < distance < math.inf or max(abs(low), abs(high)) >= 1e9 or distance < 1e-4:
        return f"{figure(low)} to {figure(high)}"
    step = Decimal(1).scaleb(math.floor(math.log10(distance)) - 2)
    return f"{_in_steps(low, step, ROUND_FLOOR)} to {_in_steps(high, step, ROUND_CEILING)}"


def _in_steps(value: float, step: Decimal, rounding: str) -> str:
    rounded = Decimal(str(value)).quantize(step, rounding)
    text = f"{abs(rounded):,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return MINUS + text if rounded < 0 else text


def share(value: float) -> str:
    """A share as a percentage to one decimal, never rounded to all or nothing.

    >>> share(0.9523), share(0.99999), share(0.0001), share(1.0)
    ('95.2 %', '> 99.9 %', '< 0.1 %', '100.0 %')
    """
    percentage = 100.0 * value
    if 0.0 < percentage < 0.05:
        return "< 0.1 %"
    if 99.95 <= percentage < 100.0:
        return "> 99.9 %"
    return f"{percentage:.1f} %"


def confidence(value: float) -> str:
    """A confidence in per cent, rounded down: one that was not reached is not shown.

    What is missing to certainty matters, so there are enough digits to see it.

    >>> confidence(0.05), confidence(0.94999), confidence(0.99994), confidence(0.0004)
    ('5 %', '94.9 %', '99.994 %', '0.04 %')
    """
    if value >= 1.0:
        return "> 99.9999 %"  # closer to certainty than a double can tell
    exact = 100 * Decimal(repr(value))
    rest = 100 - exact
    for digits in range(1, 15):
        text = exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_FLOOR)
        if (text != 0 or exact == 0) and rest * 10**digits >= 1:
            break
    return f"{text.normalize():f} %"


def sure_at(missed: float) -> str:
    """The confidence of what fails with this probability, rounded down.

    >>> sure_at(0.05), sure_at(0.0125), sure_at(0.0001)
    ('95 %', '98.7 %', '99.99 %')
    """
    if missed < 1e-8:
        return "> 99.9999 %"
    exact = 100 * Decimal(f"{missed:.12g}")
    failing = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 1), rounding=ROUND_CEILING)
    return f"{(100 - failing).normalize():f} %"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "arm"), counted(2000, "trial"), counted(0, "study", "studies")
    ('1 arm', '2,000 trials', '0 studies')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def way(share: float | None, count: int, standing: str = "") -> str:
    """How far an option has come, in words, unless its standing says it all.

    >>> way(1.01, 9), way(0.628, 9), way(-0.4, 9), way(-3.0, 9), way(0.0, 0)
    ('good', '62 % towards good', '40 % towards ruled out', 'ruled out', '–')
    >>> way(-1.0, 9, "not good"), way(0.0, 0, "retired"), way(0.5, 9, "undecided")
    ('not good', 'retired', '50 % towards good')
    """
    if standing not in ("", "undecided"):
        return standing
    if share is None or not count:
        return NOTHING
    if abs(share) >= 1.0:
        return "good" if share > 0.0 else "ruled out"
    whole = int(100.0 * abs(share))
    return f"{whole} % towards {'good' if share >= 0.0 else 'ruled out'}" if whole else "even"


def to_the_minute(text: str | None) -> str:
    """A UTC time to the minute.

    >>> to_the_minute("2026-01-31T12:00:59.000000Z"), to_the_minute(None)
    ('2026-01-31 12:00', '–')
    """
    return NOTHING if not text else f"{text[:10]} {text[11:16]}"


def printable(text: str) -> str:
    """The text with everything escaped that a terminal or a page might act upon or hide.

    >>> printable("A" + chr(27)), printable("naïve")
    ('A\\\\x1b', 'naïve')
    """
    if text.isascii() and text.isprintable():  # most are, and a page has hundreds
        return text
    return "".join(
        c.encode("unicode_escape").decode() if unicodedata.category(c) in HIDDEN else c
        for c in text
    )


def wrapped(
    text: str, width: int, first: str = "", rest: str | None = None, cut: bool = False
) -> Iterator[str]:
    """Lines that fit, after a beginning of their own; a number stays with its sign of per cent.

    A word that is longer than a line stays whole unless it is to be `cut`.
    """
    lines = textwrap.TextWrapper(width, first, " " * len(first) if rest is None else rest)
    lines.break_on_hyphens, lines.break_long_words = False, cut
    for line in lines.wrap(text.replace(" %", "\u00a0%")):
        yield line.replace("\u00a0%", " %")


def shown(text: str) -> str:
    """What a program has said, without what a terminal might act upon."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def slug(name: str) -> str:
    """The name with every byte but letters, digits, ``-`` and ``_`` written as ``~xx``.

    >>> slug("Cell culture 1/2")
    'Cell~20culture~201~2f2'
    """
    encoded = name.encode("utf-8", "surrogatepass")
    return "".join(
        chr(byte) if re.match(rb"[A-Za-z0-9_-]", bytes([byte])) else f"~{byte:02x}"
        for byte in encoded
    )
