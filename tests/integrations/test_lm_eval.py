"""Samples of lm-evaluation-harness as outcomes; the files have the shape of its own."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from goodarm import InputError, Study
from goodarm.cli.app import app
from goodarm.integrations.lm_eval import read_lm_eval

DATE = "2026-05-01T12-00-00.123456"
NAME = f"samples_gsm8k_{DATE}.jsonl"


def sample(doc: int, right: float, **change: Any) -> dict[str, Any]:
    """One line of a file of samples."""
    return {
        "doc_id": doc,
        "doc": {"question": f"What is {doc} + 1?", "answer": str(doc + 1)},
        "target": str(doc + 1),
        "arguments": {"gen_args_0": {"arg_0": f"Question: {doc} + 1?", "arg_1": {"until": []}}},
        "resps": [[f"The answer is {doc}."]],
        "filtered_resps": [str(doc)],
        "filter": "strict-match",
        "metrics": ["exact_match"],
        "doc_hash": f"d{doc}",
        "prompt_hash": f"p{doc}",
        "target_hash": f"t{doc}",
        "exact_match": right,
        **change,
    }


def write(folder: Path, samples: list[dict[str, Any]], model: str | None = None) -> Path:
    path = folder / "acme__model-7b" / NAME
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in samples))
    if model is not None:
        results = {"results": {"gsm8k": {"exact_match,strict-match": 0.5}}, "model_name": model}
        path.with_name(f"results_{DATE}.json").write_text(json.dumps(results))
    return path


def values(path: Path, **options: Any) -> list[object]:
    return [row.value for row in read_lm_eval(path, **options)]


def test_a_document_is_an_outcome_of_the_model(tmp_path: Path) -> None:
    path = write(tmp_path, [sample(0, 1.0), sample(1, 0.0)])
    assert values(path) == [1.0, 0.0]
    assert read_lm_eval(path).arms == ("acme__model-7b",)
    named = write(tmp_path, [sample(0, 1.0)], model="acme/model-7b")
    assert read_lm_eval(named).arms == ("acme/model-7b",)
    assert read_lm_eval(named, arm="ours").arms == ("ours",)


def test_of_several_metrics_and_filters_one_must_be_named(tmp_path: Path) -> None:
    both = [
        sample(doc, right, filter=name)
        for doc in (0, 1)
        for name, right in (("strict-match", 0.0), ("flexible-extract", 1.0))
    ]
    path = write(tmp_path, both)
    with pytest.raises(InputError, match="has strict-match and flexible-extract; name the one"):
        values(path)
    assert values(path, filter="flexible-extract") == [1.0, 1.0]
    with pytest.raises(InputError, match=r"filter: .* has no 'loose', only strict-match"):
        values(path, filter="loose")
    metrics = {"metrics": ["acc", "acc_norm"], "acc": 1.0, "acc_norm": 0.0}
    path = write(tmp_path, [sample(0, 1.0, **metrics)])
    with pytest.raises(InputError, match=r"metric: .* has acc and acc_norm; name the one"):
        values(path)
    assert values(path, metric="acc_norm") == [0.0]
    # Versions that list no metrics.
    early = {k: v for k, v in sample(0, 1.0).items() if k not in ("metrics", "filter")}
    assert values(write(tmp_path, [early])) == [1.0]


def test_answers_to_one_document_are_one_outcome(tmp_path: Path) -> None:
    path = write(tmp_path, [sample(0, 1.0), sample(0, 0.0), sample(1, 1.0)])
    assert values(path) == [0.5, 1.0]


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        ([sample(0, 1.0), sample(1, "A")], 'line 2: exact_match: "A" is neither a number'),
        ([sample(0, 1.0), sample(1, None)], "line 2: exact_match: null is neither a number"),
        ([sample(0, float("nan"))], "line 1: exact_match: NaN is neither a number"),
        ([{"doc_id": 0, "filter": "none"}], "metric: .* has none that is a number"),
        ([], "no samples in it; run lm_eval with --log_samples"),
        ([{"results": []}], "line 1: doc_id is missing; give a file samples_TASK_DATE.jsonl"),
        ([[1, 2]], r"line 1: \[1, 2\] stands where an object should"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, samples: list, words: str) -> None:
    with pytest.raises(InputError, match=words):
        values(write(tmp_path, samples))


def test_a_metric_that_a_line_has_not(tmp_path: Path) -> None:
    lines = [sample(0, 1.0), {k: v for k, v in sample(1, 1.0).items() if k != "exact_match"}]
    with pytest.raises(InputError, match="line 2: exact_match is missing"):
        values(write(tmp_path, lines))


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["study", *words])
    said = str(done.exception) if done.exception is not None else ""
    return done.exit_code, done.output + said


def test_the_command_imports_once_and_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOODARM_STORAGE", str(tmp_path / "studies.db"))
    path = str(write(tmp_path, [sample(0, 1.0), sample(1, 0.0)], model="acme/model-7b"))
    create = ["create", "s", "--arm", "acme/model-7b", "--threshold", "0.5", "--outcome"]
    assert run(*create, "bernoulli")[0] == 0
    command = ["import", "s", path, "--format", "lm-eval"]
    assert "2 outcomes added, 0 were there already" in run(*command)[1]
    assert (
        "0 outcomes added, 2 were there already" in run(*command, "--pick", "metric=exact_match")[1]
    )
    for words, said in (
        (["--pick", "arm=other"], "line 1: unknown arm 'other'"),
        (["--pick", "model=other"], "pick: 'model=other' is not one of arm=…, metric=…, filter=…"),
        (["--pick", "arm"], "pick: 'arm' is not one of"),
        (["--format", "lm_eval"], "unknown format 'lm_eval': did you mean 'lm-eval'?"),
        (["--format", "csv", "--pick", "arm=x"], "pick: a CSV file leaves nothing open"),
    ):
        assert said in run(*command, *words)[1]
    study = Study.load("s", tmp_path / "studies.db")
    assert [(each.count, each.mean) for each in study.evidence] == [(2, 0.5)]
