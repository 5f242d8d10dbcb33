"""The verdicts of the quick and the full reproduction, as `bench/paper_full.py --write` left them.

The full one takes ten minutes; these tests hold what is kept of it against the rule that the quick
report never says more, against the catalogue, and against what the docs say.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from goodarm.paper import ITEMS

ROOT = Path(__file__).parents[2]
DATA = json.loads((ROOT / "docs" / "data" / "paper_verdicts.json").read_text("utf-8"))
CLAIMS: list[dict[str, str]] = DATA["claims"]
AGREES, IN_PART, UNDECIDED, DIFFERS = "agrees", "in part", "undecided", "differs"


def counts(kind: str) -> Counter[str]:
    return Counter(claim[kind] for claim in CLAIMS)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim['item']}: {claim['claim']}")
def test_the_quick_report_never_says_more_than_the_full_one(claim: dict[str, str]) -> None:
    """It may leave open what the full one decides, and never the other way round."""
    may_follow = {
        AGREES: {AGREES},
        DIFFERS: {DIFFERS},
        IN_PART: {IN_PART, DIFFERS},
        UNDECIDED: {AGREES, IN_PART, UNDECIDED, DIFFERS},
    }
    assert claim["full"] in may_follow[claim["quick"]]


def test_every_claim_of_the_catalogue_has_its_verdicts() -> None:
    kept = Counter(claim["item"] for claim in CLAIMS)
    assert kept == Counter({item.label: len(item.claims) for item in ITEMS if item.claims})
    sentences = {(claim["item"], claim["claim"]) for claim in CLAIMS}
    for item in ITEMS:
        for claim in item.claims:
            sentence = getattr(claim, "sentence", None)  # some are made while they are judged
            assert sentence is None or (item.label, sentence) in sentences


def test_the_docs_have_these_counts() -> None:
    page = (ROOT / "docs" / "reproduction.md").read_text("utf-8")
    for kind in ("quick", "full"):
        (row,) = re.findall(rf"^\| {kind} \|.*$", page, re.MULTILINE)
        numbers, claims = (_counted(cell) for cell in row.split("|")[-3:-1])
        assert numbers == DATA["published_numbers"][kind]
        assert claims == counts(kind)
    full = [counts("full")[verdict] for verdict in (AGREES, IN_PART, UNDECIDED, DIFFERS)]
    assert f"| **1.25** | **2** | {' | '.join(map(str, full))} |" in page


def test_the_readme_has_these_counts() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    numbers, full = DATA["published_numbers"]["full"], counts("full")
    assert (
        f"Of the paper's {sum(numbers.values())} published numbers {numbers[AGREES]} agree with "
        f"ours, and what is wrong with the other {numbers[DIFFERS]} is known; of {len(CLAIMS)} "
        f"claims of its text {full[AGREES]} agree, {full[IN_PART]} in part, {full[DIFFERS]} do "
        f"not, and {full[UNDECIDED]} cannot be decided"
    ) in readme


def _counted(cell: str) -> dict[str, Any]:
    """ "31 agree, 11 in part" as numbers of verdicts."""
    words = {"agree": AGREES, "differ": DIFFERS, "in part": IN_PART, "undecided": UNDECIDED}
    found = re.findall(r"(\d+) (agree|differ|in part|undecided)", cell)
    return {words[word]: int(number) for number, word in found}
