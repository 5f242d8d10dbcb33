"""Results of promptfoo as outcomes; the files here have the shape of its own, version 3."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goodarm import ConflictError, InputError, Study
from goodarm.integrations.promptfoo import read_promptfoo

PROVIDERS = ("openai:gpt-5", "openai:gpt-5-mini")


def result(test: int, prompt: int, success: bool, /, **change: Any) -> dict[str, Any]:
    """One result, as it stands in results.results."""
    reason = "Assertion passed" if success else "Expected output to contain 'echo'"
    return {
        "cost": 0.0005,
        "error": None if success else reason,
        "gradingResult": {"pass": success, "score": float(success), "reason": reason},
        "id": f"b7df157c-{test}-{prompt}",
        "latencyMs": 5794,
        "namedScores": {},
        "prompt": {"raw": f"Solve riddle {test}", "label": "Solve {{riddle}}"},
        "promptId": "cd59d97e",
        "promptIdx": prompt,
        "provider": {"id": PROVIDERS[prompt], "label": ""},
        "response": {"output": "Answer: an echo.", "cached": False},
        "score": 1.0 if success else 0.25,
        "success": success,
        "testCase": {"vars": {"riddle": f"riddle {test}"}, "assert": []},
        "testIdx": test,
        "vars": {"riddle": f"riddle {test}"},
        "failureReason": 0 if success else 1,
        **change,
    }


def write(
    folder: Path, results: list[dict[str, Any]], name: str = "results.json", **top: Any
) -> Path:
    columns = [{"raw": "Solve {{riddle}}", "provider": provider} for provider in PROVIDERS]
    summary = {"version": 3, "prompts": columns, "results": results, "stats": {}}
    path = folder / name
    path.write_text(json.dumps({"evalId": "eval-WJi-2026", "results": summary, **top}))
    return path


def rows(path: Path, **options: Any) -> list[tuple[str | None, object]]:
    return [(row.arm, row.value) for row in read_promptfoo(path, **options)]


FOUR = [result(0, 1, False), result(0, 0, True), result(1, 1, True), result(1, 0, True)]


def test_a_result_is_an_outcome_of_its_provider_in_the_order_of_tests(tmp_path: Path) -> None:
    path = write(tmp_path, FOUR)
    big, small = PROVIDERS
    assert rows(path) == [(big, 1.0), (small, 0.0), (big, 1.0), (small, 1.0)]
    assert rows(path, value="score")[1] == (small, 0.25)
    assert [row.note for row in read_promptfoo(path)] == ["test 0", "test 0", "test 1", "test 1"]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(FOUR))
def test_the_order_in_which_results_end_does_not_matter(tmp_path: Path, shuffled: list) -> None:
    found = read_promptfoo(write(tmp_path, shuffled))
    expected = read_promptfoo(write(tmp_path, FOUR))
    assert list(found) == list(expected)
    assert [found.number(i) for i in range(4)] == [expected.number(i) for i in range(4)]


def test_what_is_compared_must_be_clear(tmp_path: Path) -> None:
    prompts = [
        result(test, 0, True, prompt={"raw": "x", "label": label}, promptIdx=column)
        for test in (0, 1)
        for column, label in enumerate(("short", "long"))
    ]
    path = write(tmp_path, prompts)
    assert {arm for arm, _ in rows(path)} == {"short", "long"}
    assert {arm for arm, _ in rows(path, arm="both")} == {
        "openai:gpt-5 | short",
        "openai:gpt-5 | long",
    }
    with pytest.raises(InputError, match="arm: every provider was tried with 2 prompts"):
        rows(path, arm="provider")
    several = write(tmp_path, [*prompts, result(0, 1, True)])
    with pytest.raises(InputError, match="2 providers and 3 prompts; say which"):
        rows(several)
    labelled = result(0, 0, True, provider={"id": "exec:run.sh", "label": "my agent"})
    assert rows(write(tmp_path, [labelled])) == [("my agent", 1.0)]


def test_an_error_is_no_outcome_unless_it_is_said_to_be(tmp_path: Path) -> None:
    failed = {"error": "API error: 429", "gradingResult": None}
    broken = result(0, 0, False, **failed, failureReason=2)
    earlier = {k: v for k, v in {**result(1, 0, False), **failed}.items() if k != "failureReason"}
    for bad in (broken, earlier):
        path = write(tmp_path, [bad, result(2, 0, True)])
        with pytest.raises(InputError, match=r"results\.0: this is an error .*429.*on_error=fail"):
            rows(path)
        assert [value for _, value in rows(path, on_error="fail")] == [0.0, 1.0]


def test_repeats_of_a_test_are_one_outcome_unless_there_is_only_one_test(tmp_path: Path) -> None:
    riddle = {"vars": {"riddle": "riddle 0"}}
    repeated = [result(0, 0, True), result(1, 0, False, **riddle), result(2, 0, True, **riddle)]
    assert [value for _, value in rows(write(tmp_path, repeated))] == [1.0, 0.0, 1.0]
    others = write(tmp_path, [*repeated, result(3, 0, True)])
    assert [value for _, value in rows(others)] == [pytest.approx(2 / 3), 1.0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"success": None}, r"results\.0: success: null is neither a number nor"),
        ({"success": "yes"}, r"success: \"yes\" is neither"),
        ({"provider": {}}, r"results\.0: provider has neither a label nor an id"),
    ],
)
def test_a_result_that_cannot_be_read(tmp_path: Path, change: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        rows(write(tmp_path, [result(0, 0, True, **change)]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "there are no results in it"),
        ('{"results": {"results": []}}', "there are no results in it"),
        ('{"results": [3]}', r"results\.0: 3 stands where an object should"),
        ("not JSON", "line 1: this is not JSON"),
        ("", "there are no results in it"),
    ],
)
def test_a_file_of_something_else(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        rows(path)
    assert "results.json" in str(caught.value)


def test_one_result_a_line_and_earlier_versions(tmp_path: Path) -> None:
    lines = tmp_path / "results.jsonl"
    for results in (FOUR, FOUR[:1]):
        lines.write_text("".join(json.dumps(each) + "\n" for each in results))
        assert [value for _, value in rows(lines)] == [float(each["success"]) for each in results]
    without = [{k: v for k, v in each.items() if not k.endswith("Idx")} for each in FOUR]
    early = tmp_path / "early.json"
    early.write_text(json.dumps({"results": {"version": 2, "results": without, "table": {}}}))
    assert sorted(rows(early)) == sorted(rows(write(tmp_path, FOUR)))


def test_an_evaluation_counts_once_under_any_name(tmp_path: Path) -> None:
    study = Study.create("s", PROVIDERS, 0.5, "bernoulli", storage=tmp_path / "studies.db")
    first = write(tmp_path, FOUR)
    assert study.import_results(read_promptfoo(first)) == (4, 0)
    more = random.Random(1).sample([*FOUR, result(2, 0, True), result(2, 1, False)], 6)
    assert study.import_results(read_promptfoo(write(tmp_path, more, "again.json"))) == (2, 4)
    assert study.import_results(read_promptfoo(write(tmp_path, FOUR, evalId="eval-2"))) == (4, 0)
    changed = write(tmp_path, [result(0, 0, False), *FOUR[2:]])
    with pytest.raises(ConflictError, match="result 1: was imported before as 'openai:gpt-5' 1"):
        study.import_results(read_promptfoo(changed))
    assert [each.count for each in study.evidence] == [5, 5]
    assert study.verify().ok


def test_the_table_of_results_is_one_that_studies_import(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    found = read_promptfoo(write(tmp_path, FOUR))
    table.write_text(found.to_csv())
    study = Study.create("s", found.arms, 0.5, "bernoulli", storage=tmp_path / "studies.db")
    assert study.import_csv(table) == (4, 0)
    assert [each.mean for each in study.evidence] == [1.0, 0.5]
