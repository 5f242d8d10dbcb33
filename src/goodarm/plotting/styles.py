"""One look for each algorithm: colours of different lightness, and a marker and dashes each."""

import zlib
from typing import Any, NamedTuple

Dashes = Any  # what matplotlib takes as a line style

SOLID: Dashes = "-"
LONG: Dashes = (0, (6, 2))
LONGER: Dashes = (0, (9, 3))
DOTS: Dashes = (0, (1, 1))
DASH_DOT: Dashes = (0, (4, 1.5, 1, 1.5))
DASH_DOTS: Dashes = (0, (4, 1, 1, 1, 1, 1))
SHORT_DASHES: Dashes = (0, (2.5, 1.5))
SPARSE_DOTS: Dashes = (0, (1, 3))
THICK, THIN = 2.0, 1.4  # lines of the algorithm that a picture is about, and of the others


class Style(NamedTuple):
    """How an algorithm is drawn."""

    colour: str
    marker: str
    dashes: Dashes
    label: str

    def line(self) -> dict[str, Any]:
        """What `Axes.plot` needs for its line."""
        return {"color": self.colour, "linestyle": self.dashes, "label": self.label}

    def band(self, alpha: float) -> dict[str, Any]:
        """What `Axes.fill_between` needs for a band around its line."""
        return {"color": self.colour, "alpha": alpha, "linewidth": 0.0}

    def markers(self, size: float) -> dict[str, Any]:
        """What `Axes.plot` needs for its markers."""
        return {"marker": self.marker, "markersize": size, "markerfacecolor": "white"}


_LOOKS: dict[str, tuple[str, str, Dashes]] = {
    "APGAI": ("#000000", "o", SOLID),
    "APGAI-FE": ("#7a3b00", "8", LONG),
    "Scout": ("#c1121f", "o", SOLID),
    "UCB-G": ("#6a994e", "v", DOTS),
    "Unif": ("#d55e00", "s", LONG),
    "SR-G": ("#0072b2", "^", DOTS),
    "SH-G": ("#56b4e9", "v", DASH_DOT),
    "SH-G-WR": ("#2f6f8f", "<", SHORT_DASHES),
    "DSR-G": ("#005b4b", "D", DASH_DOTS),
    "DSH-G": ("#cc79a7", "P", LONGER),
    "DSH-G-WR": ("#56b4e9", "v", DASH_DOT),
    "PKGAI": ("#8a8a8a", "X", SPARSE_DOTS),
    "PKGAI(APT_P)": ("#8c1d5b", "P", SOLID),
    "PKGAI(UCB)": ("#009e73", "X", DASH_DOTS),
    "PKGAI(Unif)": ("#e69f00", "*", SHORT_DASHES),
    "PKGAI(LCB-G)": ("#e3a3c8", "d", DOTS),
    "MS": ("#009e73", "X", DASH_DOTS),
    "HDoC": ("#0072b2", "^", DASH_DOT),
    "LUCB-G": ("#cc79a7", "P", DOTS),
    "APT-G": ("#5d4a8a", "h", SHORT_DASHES),
    "lil-HDoC": ("#4f7fb5", ">", LONG),
    "TaS": ("#e69f00", "D", SHORT_DASHES),
    "S-TaS": ("#56b4e9", "v", LONG),
    "SEE": ("#3d6b1f", "*", DASH_DOT),
    "BAEC(APT_P)": ("#8c1d5b", "p", SOLID),
    "BAEC(UCB)": ("#4a4a4a", "H", DASH_DOTS),
    "BAEC(LUCB)": ("#b08a2e", "<", SHORT_DASHES),
}
_SPARE = ("#4a4a4a", "#7f3c8d", "#11a579", "#3969ac", "#b5651d", "#a5aa99", "#80ba5a", "#e73f74")
MARKERS = "osv^DPX*<>hpd8"
PATTERNS = (SOLID, LONG, DOTS, DASH_DOT, DASH_DOTS, SHORT_DASHES)  # looks of strangers stay


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
        MARKERS[number // 8 % len(MARKERS)],
        PATTERNS[number // 112 % len(PATTERNS)],
        label,
    )
