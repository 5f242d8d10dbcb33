"""What other programs are told of a gate."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from goodarm.errors import InputError
from goodarm.gating.page import gate_page
from goodarm.gating.report import annotation, junit, markdown
from goodarm.gating.result import ArmTally, GateResult

TALLY = ArmTally(arm="a|b <i>", count=31, mean=1.0, low=0.8525, high=None)
CLEARS = GateResult(
    verdict="clears",
    arm="a|b <i>",
    bar=0.85,
    goal="above",
    delta=0.05,
    outcome="bernoulli",
    confidence=0.9533,
    trials=31,
    budget=1000,
    unused=2,
    failed=1,
    retried=3,
    seed=0,
    seconds=0.5,
    error=None,
    arms=(TALLY,),
)
NONE = replace(CLEARS, verdict="none", arm=None)
UNDECIDED = replace(NONE, verdict="undecided", budget=None)
STOPPED = replace(NONE, verdict="stopped", error="exit code 3. It said:\n50 % \x1b[0m ```")


def test_annotations() -> None:
    assert annotation(CLEARS).startswith("::notice title=goodarm gate::a|b <i> clears the bar")
    assert "(confidence 95.3 %25)" in annotation(CLEARS)
    assert annotation(NONE).startswith("::error ")
    assert annotation(UNDECIDED).startswith("::warning ")
    assert "\n" not in annotation(STOPPED)
    assert "%0A50 %25" in annotation(STOPPED)


def test_markdown() -> None:
    text = markdown(CLEARS)
    assert "### ✅ goodarm gate" in text
    assert r"| a\|b &lt;i> | 31 | 1 | 0.853 to ∞ |" in text
    assert "1 error counted as failures; 3 errors tried again; 2 more were running" in text
    assert "of at most 1,000" in text
    assert "of at most 1,000" not in markdown(UNDECIDED)
    stopped = markdown(STOPPED)
    assert stopped.count("\n``````\n") == 2  # longer than any fence in what was said
    assert "### ❌" in stopped


@pytest.mark.parametrize(
    ("result", "kind", "counts"),
    [
        (CLEARS, None, ("0", "0")),
        (NONE, "failure", ("1", "0")),
        (UNDECIDED, "failure", ("1", "0")),
        (STOPPED, "error", ("0", "1")),
    ],
)
def test_junit(result: GateResult, kind: str | None, counts: tuple[str, str]) -> None:
    suite = ElementTree.fromstring(junit(result))
    case = suite.find("testcase")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", *counts)
    assert case.get("name") == "mean ≥ 0.85"
    assert case.findtext("system-out") == repr(result).replace("\x1b", "\ufffd")
    found = [child for child in case if child.tag in ("failure", "error")]
    assert [child.tag for child in found] == ([] if kind is None else [kind])
    for child in found:
        assert child.get("type") == result.verdict


def test_lines_fit_and_say_what_happened() -> None:
    for result in (CLEARS, NONE, UNDECIDED, STOPPED, replace(NONE, arms=(TALLY, TALLY))):
        assert all(len(line) <= 40 for line in result.lines(40))
    assert "does not clear the bar" in NONE.headline
    assert replace(NONE, arms=(TALLY, TALLY)).headline.startswith("No arm clears the bar")
    assert "at most 0.85" in replace(CLEARS, goal="below").headline
    assert "interrupted" in replace(UNDECIDED, verdict="interrupted").headline


@pytest.mark.parametrize("result", [CLEARS, NONE, UNDECIDED, STOPPED])
def test_a_page_says_all_of_it(
    harmless: Callable[[str], ElementTree.Element], result: GateResult
) -> None:
    text = " ".join(" ".join(harmless(gate_page(result, "sh -c '<b>'")).itertext()).split())
    for said in (result.headline.splitlines()[0], result.facts, "sh -c '<b>'", "0.8525", "95 %"):
        assert said in text, said
    if result.error:
        assert r"50 % \x1b[0m ```" in text
    assert "What was run" not in gate_page(result)


def test_a_page_of_several_options_names_the_one(
    harmless: Callable[[str], ElementTree.Element],
) -> None:
    arms = (TALLY, replace(TALLY, arm="b"))
    for result, title in (
        (replace(CLEARS, arms=arms), f"{TALLY.arm}: clears the bar · goodarm gate"),
        (replace(NONE, arms=arms), "2 options: none clears the bar · goodarm gate"),
        (replace(UNDECIDED, arms=arms), "2 options: undecided · goodarm gate"),
    ):
        page = harmless(gate_page(result))
        assert page.findtext("head/title") == title
        leads = [row.findtext("th/bdi") for row in page.iter("tr") if row.get("class") == "leads"]
        assert leads == ([TALLY.arm] if result.passed else [])


def test_only_a_page_is_written(tmp_path: Path) -> None:
    assert CLEARS.report(tmp_path / "r.html").read_text("utf-8") == gate_page(CLEARS)
    with pytest.raises(InputError, match=r"path: 'x\.json' does not end"):
        CLEARS.report("x.json")
