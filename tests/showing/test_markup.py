"""Whatever is put into markup comes out as text."""

from collections.abc import Callable
from xml.etree.ElementTree import Element

from hypothesis import given
from hypothesis import strategies as st

from goodarm.showing.markup import bdi, escaped, joined, tag
from goodarm.wording import printable

HOSTILE = st.one_of(
    st.text(st.characters(), max_size=30),
    st.sampled_from(
        [
            "</title><script>alert(1)</script>",
            "'\"><img src=x onerror=alert(1)>",
            "a\u202eb",
            "&lt;",
        ]
    ),
)
Reader = Callable[[str], Element]


@given(HOSTILE, HOSTILE)
def test_text_and_attributes_stay_what_they_are(harmless: Reader, one: str, other: str) -> None:
    read = harmless(tag("p", one, bdi(other), aria_label=one + other, title=None))
    assert "".join(read.itertext()) == printable(one) + printable(other)
    assert read.attrib == {"aria-label": printable(one + other)}


@given(st.lists(HOSTILE, max_size=4))
def test_only_our_own_markup_is_markup(harmless: Reader, pieces: list[str]) -> None:
    whole = joined(None, [tag("td", piece) for piece in pieces], "<td>")
    read = harmless(tag("tr", whole))
    assert [cell.text or "" for cell in read] == [printable(piece) for piece in pieces]
    assert "".join(read.itertext()).endswith("<td>")


def test_markup_is_not_escaped_twice() -> None:
    assert tag("b", escaped("&")) == "<b>&amp;</b>"
    assert tag("b", str(escaped("&"))) == "<b>&amp;amp;</b>", "plain text, whatever it was"
    assert tag("b", "&" + escaped("&")) == "<b>&amp;&amp;amp;</b>", "a sum is text again"
    assert tag("line", x1=1.0, class_="a b") == '<line x1="1" class="a b"/>'


def test_templates_take_it_for_markup() -> None:
    assert tag("b").__html__() == "<b></b>"
