"""Studies side by side."""

import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import Studies
from goodarm.web.shown.compared import Side, compare


@pytest.fixture
def two(studies: Studies):
    """Two studies of one bar that have an option in common."""
    first = studies.create("first", ["a", "b"], 0.5, "bernoulli", delta=0.1, seed=1)
    first.tell_many([("a", 1.0)] * 20 + [("b", 0.0)] * 3)
    second = studies.create("second/2", ["b", "c"], 0.5, "bernoulli", delta=0.05, seed=2)
    second.tell_many([("b", 1.0)] * 4)
    return first, second


def test_options_that_studies_share_come_first_and_cells_are_theirs(two) -> None:
    made = compare([Side.of(study, study.name) for study in two])
    assert [row.name for row in made.rows] == ["b", "a", "c"]
    for row in made.rows:
        for study, cell in zip(two, row.cells, strict=True):
            own = {arm.arm: arm for arm in study.status().arms}.get(row.name)
            assert (cell is None) == (own is None)
            if cell is not None and own is not None:
                assert (cell.arm.mean, cell.arm.count, cell.arm.share) == (
                    own.mean,
                    own.count,
                    own.share,
                )
    assert made.is_fair
    assert {row.key for row in made.declared if row.differs} == {"confidence"}


def test_the_page_shows_both_and_says_where_they_differ(browser, two, studies: Studies) -> None:
    text = browser.get("/compare?study=first&study=second~2f2&study=first").text
    head = re.findall(r'<th scope="col"><a href="/studies/([^"]+)">', text)
    assert head == ["first", "second~2f2"]
    assert text.count("not the same") == 1
    assert "do not ask the same" not in text
    assert "a is above 0.5" in text
    assert 'href="/compare?study=second~2f2"' in text, "the first can be left out"
    studies.create("third", ["a"], 0.7, "gaussian:1")
    text = browser.get("/compare?study=first&study=third").text
    assert "do not ask the same" in text
    assert 'class="plot"' not in text, "no common scale for what is not comparable"


def test_it_is_reached_from_the_list_and_from_nothing(browser, two) -> None:
    listed = browser.get("/").text
    assert 'action="/compare"' in listed
    assert 'name="study" value="second~2f2"' in listed
    blank = browser.get("/compare")
    assert blank.status_code == 200
    assert "Choose two or more" in blank.text
    assert '<option value="first">' in blank.text


def test_too_many_and_unknown_ones_are_refused(browser, two) -> None:
    many = "&".join(f"study=s{n}" for n in range(7))
    assert browser.get(f"/compare?{many}").status_code == 422
    assert browser.get("/compare?study=first&study=nowhere").status_code == 404
