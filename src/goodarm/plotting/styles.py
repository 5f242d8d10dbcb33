"""One look for each algorithm: colours of different lightness, and a marker and dashes each."""

import zlib
from typing import Any, NamedTuple

Dashes = Any  # what matplotlib takes as a line style

SOLID: Dashes = "-"
LONG: Dashes = (0, (6, 2))
DOTS: Dashes = (0, (1, 1))
DASH_DOT: Dashes = (0, (4, 1.5, 1, 1.5))
DASH_DOTS: Dashes = (0, (4, 1, 1, 1, 1, 1))
SHORT: Dashes = (0, (2.5, 1.5))


class Style(NamedTuple):
    """How an algorithm is drawn."""

    colour: str
    marker: str
    dashes: Dashes
    label: str


_LOOKS: dict[str, tuple[str, str, Dashes]] = {
    "APGAI": ("#000000", "o", SOLID),
    "APGAI-FE": ("#7a3b00", "8", LONG),
    "Scout": ("#c1121f", "o", SOLID),
    "UCB-G": ("#6a994e", "v", DOTS),
    "Unif": ("#d55e00", "s", LONG),
    "SR-G": ("#0072b2", "^", DOTS),
    "SH-G": ("#56b4e9", "v", DASH_DOT),
    "SH-G-WR": ("#2f6f8f", "<", SHORT),
    "DSR-G": ("#005b4b", "D", DASH_DOTS),
    "DSH-G": ("#cc79a7", "P", DOTS),
    "DSH-G-WR": ("#56b4e9", "v", DASH_DOT),
    "PKGAI(APT_P)": ("#8c1d5b", "P", SOLID),
    "PKGAI(UCB)": ("#009e73", "X", DASH_DOTS),
    "PKGAI(Unif)": ("#e69f00", "*", SHORT),
    "PKGAI(LCB-G)": ("#e3a3c8", "d", DOTS),
    "MS": ("#009e73", "X", DASH_DOTS),
    "HDoC": ("#0072b2", "^", DASH_DOT),
    "LUCB-G": ("#cc79a7", "P", DOTS),
    "APT-G": ("#5d4a8a", "h", SHORT),
    "lil-HDoC": ("#4f7fb5", ">", LONG),
    "TaS": ("#e69f00", "D", SHORT),
    "S-TaS": ("#56b4e9", "v", LONG),
    "SEE": ("#3d6b1f", "*", DASH_DOT),
    "BAEC(APT_P)": ("#8c1d5b", "p", SOLID),
    "BAEC(UCB)": ("#4a4a4a", "H", DASH_DOTS),
    "BAEC(LUCB)": ("#b08a2e", "<", SHORT),
}
_SPARE = ("#4a4a4a", "#7f3c8d", "#11a579", "#3969ac", "#b5651d", "#a5aa99", "#80ba5a", "#e73f74")
_MARKERS = "osv^DPX*<>hpd8"
_DASHES = (SOLID, LONG, DOTS, DASH_DOT, DASH_DOTS, SHORT)


def style(algorithm: str) -> Style:
    """The look of an algorithm, by its name; options do not change it.

    A name that is not in the table (someone's own algorithm) gets a look made from its letters,
    so that it, too, is the same in every picture.

    >>> style("S-TaS[order=desc]").marker
    'v'
    """
    name, bracket, options = algorithm.partition("[")
    label = name.replace("APT_P", "APT$_P$") + bracket + options
    if name in _LOOKS:
        return Style(*_LOOKS[name], label)
    number = zlib.crc32(name.encode())
    return Style(
        _SPARE[number % len(_SPARE)],
        _MARKERS[number // 8 % len(_MARKERS)],
        _DASHES[number // 112 % len(_DASHES)],
        label,
    )
