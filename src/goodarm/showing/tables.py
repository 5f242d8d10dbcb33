"""Tables in HTML: for pages, which have a style sheet, and for notebooks, which have not."""

from collections.abc import Sequence
from dataclasses import dataclass

from goodarm.showing.markup import Content, Html, tag

TABLE = "border-collapse: collapse; color: inherit; font-size: inherit"
CELL = "padding: 2px 8px; text-align: {side}; background: none; vertical-align: middle"
UNBROKEN = "; white-space: nowrap"


@dataclass(frozen=True)
class Heading:
    """A column: its title, whether its numbers stand to the right, its class in a style sheet."""

    title: str
    right: bool = False
    look: str | None = None


def plain_table(columns: Sequence[Heading], rows: Sequence[Sequence[Content]]) -> Html:
    """A table that needs no style sheet; the first column names the row."""
    styles = [CELL.format(side="right" if column.right else "left") for column in columns]
    styles[1:] = [style + UNBROKEN for style in styles[1:]]
    head = None
    if any(column.title for column in columns):
        titles = (
            tag("th", column.title, style=style, scope="col")
            for column, style in zip(columns, styles, strict=True)
        )
        head = tag("thead", tag("tr", *titles))
    body = [
        tag("tr", *(tag("td", cell, style=s) for cell, s in zip(row, styles, strict=True)))
        for row in rows
    ]
    return tag("table", head, tag("tbody", *body), style=TABLE)


def page_table(
    columns: Sequence[Heading], rows: Sequence[Sequence[Content]], caption: str, look: str
) -> Html:
    """A table on a page, which scrolls where it is too wide."""
    looks = ["n" if column.right else column.look for column in columns]
    titles = zip(columns, looks, strict=True)
    head = [tag("th", column.title, scope="col", class_=look) for column, look in titles]
    body = [
        tag("tr", *(tag("td", cell, class_=c) for cell, c in zip(row, looks, strict=True)))
        for row in rows
    ]
    return scrolling(
        tag(
            "table",
            tag("caption", caption, class_="unseen"),
            tag("thead", tag("tr", *head)),
            tag("tbody", *body),
            class_=look,
        ),
        caption,
    )


def scrolling(table: Html, title: str) -> Html:
    """What may be too wide, where one can move it by keyboard, too."""
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=title)


def facts(pairs: Sequence[tuple[str, Content]], look: str = "small") -> Html:
    """Names of things with what they are."""
    return tag(
        "dl",
        *(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs),
        class_=look,
    )
