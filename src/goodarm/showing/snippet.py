"""What is shown of a thing where it ends a cell or a line: short text, or a table and a picture."""

from collections.abc import Iterable, Iterator, Sequence

from goodarm.showing.markup import Content, Html, tag

MOST_IN_SHORT = 7  # arms, or algorithms, in a text of a few lines
WIDTH = 78  # characters in a line that is read easily
FRAME = "max-width: 46em; line-height: 1.4"


class Shown:
    """Something that says what it is: in a few lines of text, and in a notebook with a picture.

    A dataclass that inherits this must be declared with ``repr=False``.
    """

    def _in_short(self) -> Iterable[str]:
        """The lines of text."""
        raise NotImplementedError

    def _in_html(self) -> Html:
        """The table and the picture."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(self._in_short())

    def _repr_html_(self) -> str:
        return str(self._in_html())


def snippet(headline: str, *parts: Content, note: str | None = None) -> Html:
    """A headline, what is below it, and a word in the end."""
    return tag(
        "div",
        tag("p", tag("strong", headline), style="margin: 4px 0"),
        *parts,
        tag("p", note, style="margin: 4px 0; opacity: 0.8") if note else None,
        class_="goodarm",
        style=FRAME,
    )


def first_few(lines: Sequence[str], most: int = MOST_IN_SHORT) -> Iterator[str]:
    """The first few lines, and how many more there would be."""
    yield from lines[:most]
    if len(lines) > most:
        yield f"  … and {len(lines) - most:,} more"
