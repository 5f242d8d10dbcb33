"""Curves and bars on two scales, drawn as SVG that fits any width, in print and on a dark ground.

Lines are drawn in a stretched square of 100 by 100, in which widths and dashes stay what they are;
what is written stands beside it in its own size. So a chart is legible on a phone as on a desk.
Colours differ in hue, dashes tell curves apart in grey.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goodarm.showing.markup import Html, bdi, joined, tag
from goodarm.showing.scale import Scale

Point = tuple[float, float | None]
"""x and y; where y is None, the curve is interrupted."""

LOOKS = (
    ("#2a8f78", None),
    ("#3f85cc", "8 4"),
    ("#b8692f", "2 3"),
    ("#9468bd", "10 3 2 3"),
    ("#94791a", "5 3"),
    ("#c44a86", "1 2"),
)
FAINT = ("#7a857f", None)  # of curves that are there, but not told apart
SHORT = 6  # characters at a tick
FRAME = "position: relative; margin: 28px 14px 40px 52px; height: {height}px"
WRITTEN = {"fill": "currentColor", "font_size": "12"}


@dataclass(frozen=True)
class Curve:
    """A curve with its name; `look` is a number of LOOKS, or None for one among many."""

    name: str
    points: Sequence[Point]
    look: int | None = 0
    band: Sequence[tuple[float, float, float]] = ()  # x, low, high
    is_thick: bool = False


@dataclass(frozen=True)
class Level:
    """A horizontal line and what it means."""

    y: float
    name: str = ""


@dataclass(frozen=True)
class Chart:
    """What is drawn, on which scales, and what it shows, for those who cannot see it."""

    label: str
    x: Scale
    y: Scale
    x_name: str
    y_name: str
    curves: Sequence[Curve] = ()
    levels: Sequence[Level] = ()
    bars: Sequence[tuple[float, float, float]] = ()  # from x to x, and how high

    def draw(self, height: int = 240, width: int | None = None) -> Html:
        """The chart with its legend, as wide as there is room unless a width is given."""
        named = [curve for curve in self.curves if curve.name and curve.look is not None]
        legend = None
        if len(named) > 1:
            legend = tag("ul", *map(_entry, named), style=LEGEND, class_="legend")
        size = FRAME.format(height=height) + (f"; width: {width}px" if width else "")
        square = {"viewBox": "0 0 100 100", "preserveAspectRatio": "none", "overflow": "visible"}
        drawn = tag(
            "svg",
            *self._grid(height),
            tag("svg", *self._marks(), width="100%", height="100%", **square),
            role="img",
            aria_label=self.label,
            width="100%",
            height=str(height),
            overflow="visible",
            style="display: block",
        )
        return tag("figure", tag("div", drawn, style=size), legend, style="margin: 0")

    def _grid(self, height: int) -> Iterator[Html]:
        for position, text in self.y.marks:
            y = f"{100.0 - position:.6g}%"
            line = {"stroke": "currentColor", "stroke_opacity": "0.18"}
            yield tag("line", x1="0", x2="100%", y1=y, y2=y, **line)
            yield tag("text", text, x="-6", y=y, dy="4", text_anchor="end", **WRITTEN)
        for position, text in self.x.marks:
            place = {"x": f"{position:.6g}%", "y": str(height + 16)}
            yield tag("text", text, text_anchor=_anchor(position, text), **place, **WRITTEN)
        foot = {"x": "100%", "y": str(height + 32), "text_anchor": "end"}
        yield tag("text", self.x_name, **foot, **WRITTEN)
        yield tag("text", self.y_name, x="-44", y="-10", **WRITTEN)
        for level in self.levels:
            y = f"{100.0 - self.y.position(level.y):.6g}%"
            dashes = {"stroke": "currentColor", "stroke_width": "1.5", "stroke_dasharray": "5 4"}
            yield tag("line", x1="0", x2="100%", y1=y, y2=y, **dashes)
            place = {"x": "4", "y": y, "dy": "-4"}
            yield tag("text", level.name, **place, **WRITTEN) if level.name else Html()

    def _marks(self) -> Iterator[Html]:
        for left, right, top in self.bars:
            x, width = self.x.position(left), self.x.position(right) - self.x.position(left)
            y = self.y.position(top)
            size = {"x": x, "y": 100.0 - y, "width": max(width - 0.4, 0.2), "height": y}
            yield tag("rect", fill=LOOKS[0][0], **size)
        for curve in sorted(self.curves, key=lambda curve: curve.look is not None):
            yield from self._curve(curve)

    def _curve(self, curve: Curve) -> Iterator[Html]:
        colour, dashes = FAINT if curve.look is None else LOOKS[curve.look % len(LOOKS)]
        if curve.band:
            there = [(x, low) for x, low, _ in curve.band]
            back = [(x, high) for x, _, high in reversed(curve.band)]
            edge = " ".join(self._at(x, y) for x, y in there + back)
            yield tag("path", d=f"M{edge}Z", fill=colour, fill_opacity="0.2")
        for piece in _pieces(curve.points):
            path = " ".join(self._at(x, y) for x, y in piece)
            is_dot = len(piece) == 1
            width = 5.0 if is_dot else 3.0 if curve.is_thick else 1.0 if curve.look is None else 1.8
            yield tag(
                "path",
                d=f"M{path}h0" if is_dot else f"M{path}",
                fill="none",
                stroke=colour,
                stroke_width=width,
                stroke_dasharray=None if is_dot else dashes,
                stroke_opacity="0.45" if curve.look is None else None,
                stroke_linecap="round" if is_dot else None,
                stroke_linejoin="round",
                vector_effect="non-scaling-stroke",
            )

    def _at(self, x: float, y: float) -> str:
        return f"{self.x.position(x):.6g},{100.0 - self.y.position(y):.6g}"


LEGEND = "list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0; padding: 0"


def _entry(curve: Curve) -> Html:
    """A name in the legend, with a piece of its line."""
    colour, dashes = LOOKS[(curve.look or 0) % len(LOOKS)]
    line = {"stroke": colour, "stroke_width": "3" if curve.is_thick else "2"}
    place = {"x1": "0", "x2": "30", "y1": "6", "y2": "6"}
    drawn = tag("line", stroke_dasharray=dashes, **place, **line)
    sample = tag("svg", drawn, width="30", height="12", aria_hidden="true")
    return tag("li", joined(sample, " ", bdi(curve.name)))


def _anchor(position: float, text: str) -> str:
    """What is long does not run out of the picture at its ends."""
    if len(text) <= SHORT or 0.0 < position < 100.0:
        return "middle"
    return "end" if position else "start"


def _pieces(points: Sequence[Point]) -> Iterator[list[tuple[float, float]]]:
    """The parts of a curve between its interruptions."""
    piece: list[tuple[float, float]] = []
    for x, y in points:
        if y is not None:
            piece.append((x, y))
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece
