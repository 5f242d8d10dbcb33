"""A plan becomes a study: the form is filled in as the plan assumes, and makes what it says."""

import html
import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.planning import PlanRequest
from goodarm.study import Studies
from goodarm.web.forms.planned import LONGEST_ADDRESS, address_of_form

ASKED = {
    "means": [0.2, "0.8..0.9"],
    "names": ["old, plain", 'new "better" & 50 %'],
    "threshold": 0.1 + 0.2,
    "outcome": "bounded:-1:3",
    "delta": 0.07,
    "budget": 321,
    "goal": "below",
}


def typed_into(text: str) -> dict[str, str]:
    """What a browser would send of a form that nobody has touched."""
    areas = dict(re.findall(r'<textarea id="(\w+)"[^>]*>\n(.*?)</textarea>', text, re.DOTALL))
    fields = re.findall(r"<input ([^>]*)>", text)
    for field in fields:
        found = dict(re.findall(r'([\w-]+)="([^"]*)"', field))
        is_choice = found.get("type") in ("radio", "checkbox")
        if "name" in found and (not is_choice or field.endswith(" checked")):
            areas[found["name"]] = found.get("value", "")
    return {name: html.unescape(value) for name, value in areas.items() if name != "arms_file"}


def test_the_study_is_the_one_that_was_planned(browser, studies: Studies) -> None:
    asked = PlanRequest(**ASKED).checked()
    filled = browser.get(address_of_form(asked, "APGAI-FE"))
    assert "Filled in from the plan" in filled.text
    form = typed_into(filled.text)
    assert browser.post("/new", data={**form, "name": "planned"}).url.path == "/studies/planned"
    settings = studies.open("planned").settings
    assert settings.arms == tuple(asked.arms.names)
    assert (settings.threshold, settings.goal) == (asked.threshold, asked.arms.goal)
    assert settings.outcome == asked.arms.outcome
    assert (settings.delta, settings.budget) == (asked.delta, asked.budget)
    assert settings.algorithm == "APGAI-FE"


def test_names_too_long_for_an_address_are_left_out(browser) -> None:
    names = [f"{n} " + "x" * 150 for n in range(100)]
    asked = PlanRequest(**{**ASKED, "means": [0.5] * 100, "names": names}).checked()
    address = address_of_form(asked, "APGAI-FE")
    assert len(address) < LONGEST_ADDRESS
    assert typed_into(browser.get(address).text)["arms"] == ""
