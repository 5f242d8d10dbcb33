"""The words of the page: each is explained, in words that the page itself uses."""

import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

import goodarm.web
from goodarm.web.shown.words import WORDS

TEMPLATES = Path(goodarm.web.__file__).parent / "templates"


def test_every_term_of_a_template_is_explained() -> None:
    texts = [path.read_text("utf-8") for path in TEMPLATES.glob("*.html")]
    used = {key for text in texts for key in re.findall(r'\bterm\("([\w-]+)"', text)}
    assert len(used) > 12
    assert used <= set(WORDS)


@pytest.mark.parametrize("key", WORDS)
def test_an_explanation_needs_no_other_vocabulary(key: str) -> None:
    said = WORDS[key].meaning
    assert not re.search(r"\b(arms?|thresholds?|pulls?|rewards?|δ)\b", said)
    assert said.endswith(".")
    assert len(said) < 300, "it is read in a small box"


@pytest.mark.parametrize("path", ["/new", "/plan"])
def test_algorithms_are_described_in_the_words_of_the_page(browser, path: str) -> None:
    guides = re.findall(r"<strong>[\w-]+</strong>(.*?)</span>", browser.get(path).text)
    assert len(guides) > 8
    said = " ".join(guides)
    assert not re.search(r"\b(arms?|thresholds?|pulls?|rewards?|δ|θ)\b", said, re.IGNORECASE)


def test_all_words_are_on_one_page(browser) -> None:
    text = browser.get("/words").text
    assert [
        key for key in WORDS if f'<div id="{key}"><dt>{WORDS[key].title}</dt>' not in text
    ] == []
