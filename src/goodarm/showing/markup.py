"""HTML and SVG in which everything is text, unless it was put together here."""

import html
from collections.abc import Iterable
from typing import TypeAlias

from goodarm.wording import printable

VOID = frozenset({"br", "circle", "line", "meta", "path", "polyline", "rect"})


class Html(str):
    """Markup. Text of any other kind is escaped before it comes to stand beside it."""

    __slots__ = ()

    def __html__(self) -> "Html":
        """The markup itself: so templates know that it is escaped already."""
        return self


Content: TypeAlias = "str | Iterable[Content] | None"


def escaped(text: str) -> Html:
    """The text as it can stand between tags and in quotes; what is invisible is written as a code.

    >>> escaped("<b>" + chr(27))
    '&lt;b&gt;\\\\x1b'
    """
    return Html(html.escape(printable(text)))


def joined(*content: Content) -> Html:
    """Pieces of text and markup, one after another; None is nothing."""
    return Html("".join(_pieces(content)))


def tag(name: str, /, *content: Content, **attributes: object) -> Html:
    """An element. Attributes that are None are left out, `class_` is class, `_` stands for -.

    >>> tag("p", "1 < 2 ", tag("em", "&"), class_="big", aria_label=None)
    '<p class="big">1 &lt; 2 <em>&amp;</em></p>'
    """
    start = name + "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Html(f"<{start}/>")
    return Html(f"<{start}>{joined(*content)}</{name}>")


def bdi(text: str) -> Html:
    """A name that someone has given; whatever is in it, it does not reorder what is around it."""
    return tag("bdi", text)


def _pieces(content: Iterable[Content]) -> Iterable[str]:
    for piece in content:
        if isinstance(piece, Html):
            yield piece
        elif isinstance(piece, str):
            yield escaped(piece)
        elif piece is not None:
            yield from _pieces(piece)


def _attribute(key: str, value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f' {key.rstrip("_").replace("_", "-")}="{escaped(text)}"'
