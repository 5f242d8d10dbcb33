"""A page that is a file: everything in it, nothing from elsewhere, no scripts."""

from functools import cache
from pathlib import Path

from goodarm import __version__
from goodarm.errors import InputError
from goodarm.showing.markup import Content, Html, joined, tag

STATIC = Path(__file__).parent / "static"
STYLES = ("sheet.css", "report.css")
ENDINGS = (".html", ".htm")
# Should anything ever slip through: a browser runs and loads nothing here.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_text(title: str, *body: Content) -> str:
    """The text of a whole file."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"goodarm {__version__}"),
        tag("title", title),
        Html(f"<style>{_style()}</style>"),
    )
    said = f"Written by goodarm {__version__}. Nothing in this file is loaded from elsewhere."
    page = tag("html", head, tag("body", tag("main", *body), tag("footer", said)), lang="en")
    return f"<!doctype html>\n{page}\n"


def section(title: str, *content: Content) -> Html:
    """A part of the page under a heading."""
    return tag("section", tag("h2", title), *content, class_="card")


def note(text: Content) -> Html:
    """A remark in small letters."""
    return tag("p", text, class_="hint")


def code(text: str) -> Html:
    """What is to be typed or copied."""
    return tag("code", text)


def path_of_page(what: str, path: str | Path) -> Path:
    """The path of a file to be written, which may replace a page but nothing else."""
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(f"{what}: {str(path)!r} does not end in .html; a report is an HTML page")
    return target


@cache
def _style() -> str:
    return "".join((STATIC / name).read_text("utf-8") for name in STYLES)


def question(text: str) -> Html:
    """What was asked."""
    return tag("p", _unbroken(text), class_="question")


def message(text: str) -> Html:
    """The answer, in large letters."""
    return tag("p", _unbroken(text), class_="big")


def head(title: Content, state: str, look: str) -> Html:
    """The title of the page, and in a word how it stands."""
    pill = tag("p", tag("span", state, class_=f"state {look}"))
    return tag("div", tag("h1", title), pill, class_="head")


def cautions(said: list[tuple[str, str]]) -> Html:
    """Warnings and notes, each with its level."""
    names = {"warning": "Warning: "}
    return joined(
        tag("p", tag("strong", names.get(level, "Note: ")), text, class_=f"caution {level}")
        for level, text in said
    )


def _unbroken(text: str) -> str:
    """A number stays with its sign of per cent."""
    return text.replace(" %", "\u00a0%")
