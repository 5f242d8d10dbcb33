"""promptfoo: the results of `promptfoo eval --output results.json` (or .jsonl) as outcomes.

A result is one test of one prompt with one provider. It succeeded or not (1 or 0), or has a score.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from goodarm.errors import InputError, unknown_name
from goodarm.files import read_text
from goodarm.integrations.records import Record, Records, fields_of, read_json, score_of

PROVIDER, PROMPT, BOTH = "provider", "prompt", "both"
SUCCESS, SCORE = "success", "score"
FAIL, STOP = "fail", "stop"
ERROR = 2  # promptfoo's reason for a failure that no assertion has found


def read_promptfoo(
    path: str | Path,
    *,
    arm: str | None = None,
    value: str = SUCCESS,
    on_error: str = STOP,
) -> Records:
    """The results in a file of promptfoo's, in the order of the tests.

    An arm is a `provider`, a `prompt` or `both` ("provider | prompt"), by its label if it has one.
    Unless given, it is whichever the evaluation has several of. `value` is `success` (1 or 0) or
    `score`. A result that is an error of the provider, such as a time-out, says nothing: it stops
    the import, unless `on_error="fail"` counts it as a failure. The same evaluation is one source
    under whatever name it was written.
    """
    for given, known, what in (
        (arm or BOTH, (PROVIDER, PROMPT, BOTH), "arm"),
        (value, (SUCCESS, SCORE), "value"),
        (on_error, (FAIL, STOP), "on_error"),
    ):
        if given not in known:
            raise unknown_name(what, given, known)
    name = repr(str(path))
    evaluation = _evaluation(read_text(path), name)
    results = evaluation.results
    named = arm or _varying(results, name)
    _check_not_pooled(results, named, name)
    records = []
    for number, position in sorted(zip(evaluation.numbers(), range(len(results)), strict=True)):
        result, where = results[position], f"{name}: results.{position}"
        test = result.get("testIdx", position)
        outcome = _outcome(result, value, on_error, where)
        record = Record(
            number, _arm(result, named, where), _question(result, test), outcome, f"test {test}"
        )
        records.append(record)
    source = None if evaluation.name is None else f"promptfoo {evaluation.name}"
    return Records(records, "result", path, source)


class _Evaluation(NamedTuple):
    """What a file holds: results as they ended, and, if it says so, whose and how many columns."""

    results: list[Mapping[str, Any]]
    name: str | None
    columns: int | None  # pairs of a provider and a prompt

    def numbers(self) -> list[int]:
        """A number for each result, from 1: by its test and its column, or as they stand there.

        Results are written as they end, which is no order that outcomes may count in.
        """
        numbers = []
        for each in self.results:
            test, column = each.get("testIdx"), each.get("promptIdx")
            if self.columns and isinstance(test, int) and isinstance(column, int):
                numbers.append(test * self.columns + column % self.columns + 1)
        if len(set(numbers)) == len(self.results):
            return numbers
        return list(range(1, len(self.results) + 1))


def _evaluation(text: str, name: str) -> _Evaluation:
    try:
        data = json.loads(text)
    except ValueError:  # one result a line
        lines = enumerate(text.splitlines(), 1)
        data = [read_json(line, f"{name}: line {n}") for n, line in lines if line.strip()]
    found, columns, evaluation = data, None, None
    if isinstance(data, dict):
        evaluation = data.get("evalId")
        found = [data] if SUCCESS in data else data.get("results")
        if isinstance(found, dict):
            columns, found = found.get("prompts"), found.get("results")
    if not isinstance(found, list) or not found:
        raise InputError(
            f"{name}: there are no results in it; give what `promptfoo eval --output results.json` "
            "has written"
        )
    return _Evaluation(
        [fields_of(each, f"{name}: results.{n}") for n, each in enumerate(found)],
        evaluation if isinstance(evaluation, str) and evaluation else None,
        len(columns) if isinstance(columns, list) else None,
    )


def _outcome(result: Mapping[str, Any], value: str, on_error: str, where: str) -> float:
    reason = result.get("failureReason")
    # Versions that gave no reason had an error and no grades.
    is_error = reason == ERROR or (
        reason is None and bool(result.get("error")) and not result.get("gradingResult")
    )
    if not is_error:
        return score_of(result, value, where)
    if on_error == FAIL:
        return 0.0
    raise InputError(
        f"{where}: this is an error and no outcome: {str(result.get('error'))[:120]!r}; leaving it "
        "out could flatter the option, so let promptfoo try it again, or count errors as failures "
        "(on_error='fail', --pick on_error=fail)"
    )


def _question(result: Mapping[str, Any], test: object) -> str:
    """Which test it is; with --repeat, several have the same variables."""
    variables = result.get("vars")
    return json.dumps(variables, sort_keys=True) if variables else f"test {test}"


def _label(result: Mapping[str, Any], what: str, where: str) -> str:
    """What a provider or a prompt is called."""
    found = result.get(what)
    if isinstance(found, dict):
        found = found.get("label") or found.get("id") or found.get("raw")
    if not isinstance(found, str) or not found.strip():
        raise InputError(f"{where}: {what} has neither a label nor an id; give it a label")
    return " ".join(found.split())


def _arm(result: Mapping[str, Any], named: str, where: str) -> str:
    parts = (PROVIDER, PROMPT) if named == BOTH else (named,)
    return " | ".join(_label(result, part, where) for part in parts)


def _several(results: list[Mapping[str, Any]], what: str, name: str) -> list[str]:
    """The providers or prompts."""
    labels = (_label(each, what, f"{name}: results.{n}") for n, each in enumerate(results))
    return list(dict.fromkeys(labels))


def _varying(results: list[Mapping[str, Any]], name: str) -> str:
    """What the evaluation compares, if that is clear."""
    providers, prompts = _several(results, PROVIDER, name), _several(results, PROMPT, name)
    if len(providers) > 1 and len(prompts) > 1:
        raise InputError(
            f"{name}: there are {len(providers)} providers and {len(prompts)} prompts; say which "
            "options are compared: each pair of them (arm='both', --pick arm=both)"
        )
    return PROMPT if len(prompts) > 1 else PROVIDER


def _check_not_pooled(results: list[Mapping[str, Any]], named: str, name: str) -> None:
    """Refuse to take what was tried in several ways for one option."""
    if named == BOTH:
        return
    other = PROMPT if named == PROVIDER else PROVIDER
    several = _several(results, other, name)
    if len(several) > 1:
        raise InputError(
            f"arm: every {named} was tried with {len(several)} {other}s, which are not one option; "
            "give arm='both' (--pick arm=both)"
        )
