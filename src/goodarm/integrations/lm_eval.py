"""lm-evaluation-harness: the samples that `lm_eval --log_samples --output_path DIR` writes.

A file samples_TASK_DATE.jsonl has the documents of one task, answered by one model. An outcome is
one of the metrics of a document, such as acc or exact_match.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.integrations.records import Record, Records, fields_of, read_json, score_of

NO_METRICS = frozenset({"doc_id"})


def read_lm_eval(
    path: str | Path,
    *,
    arm: str | None = None,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002
) -> Records:
    """The documents in a file of samples, in its order.

    All are outcomes of one arm: the model's name as the results_DATE.json beside the file has it,
    or else the name of the file's folder, unless `arm` is given. `metric` and `filter` (such as
    strict-match) must be named where the file has several.
    """
    name = repr(str(path))
    lines = list(_lines(read_text(path), name))
    chosen = _one_filter(lines, filter, name)
    measure = metric or _only_metric(chosen, name)
    model = arm or _model(Path(path))
    records = []
    for number, fields in chosen:
        where = f"{name}: line {number}"
        document = fields["doc_id"]
        value = score_of(fields, measure, where)
        records.append(Record(number, model, str(document), value, f"doc {document}"))
    return Records(records, "line", path)


def _lines(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            where = f"{name}: line {number}"
            fields = fields_of(read_json(line, where), where)
            if "doc_id" not in fields:
                raise InputError(
                    f"{where}: doc_id is missing; give a file samples_TASK_DATE.jsonl, as lm_eval "
                    "--log_samples writes it"
                )
            yield number, fields


def _one_filter(
    lines: list[tuple[int, Mapping[str, Any]]], wanted: str | None, name: str
) -> list[tuple[int, Mapping[str, Any]]]:
    """The lines of one filter: with several, each document has a line for each."""
    filters = list(dict.fromkeys(str(fields.get("filter", "none")) for _, fields in lines))
    if not filters:
        raise InputError(f"{name}: there are no samples in it; run lm_eval with --log_samples")
    if wanted is None and len(filters) > 1:
        raise InputError(
            f"filter: {name} has {' and '.join(filters)}; name the one that counts "
            "(filter=…, --pick filter=…)"
        )
    if wanted is not None and wanted not in filters:
        raise InputError(f"filter: {name} has no {wanted!r}, only {', '.join(filters)}")
    one = wanted or filters[0]
    return [(number, f) for number, f in lines if str(f.get("filter", "none")) == one]


def _only_metric(lines: list[tuple[int, Mapping[str, Any]]], name: str) -> str:
    """The metric of the documents, if there is one."""
    fields = lines[0][1]
    listed = fields.get("metrics")
    metrics = (
        [str(each) for each in listed]
        if isinstance(listed, list)
        else [
            key
            for key, value in fields.items()
            if isinstance(value, bool | int | float) and key not in NO_METRICS
        ]
    )
    if len(metrics) != 1:
        found = " and ".join(metrics) or "none that is a number"
        raise InputError(
            f"metric: {name} has {found}; name the one that counts (metric=…, --pick metric=…)"
        )
    return metrics[0]


def _model(path: Path) -> str:
    """The model's name, from the results that were written together with the samples."""
    date = path.stem.rpartition("_")[2]
    results = path.with_name(f"results_{date}.json")
    if results.is_file():
        where = repr(str(results))
        model = fields_of(read_json(read_text(results), where), where).get("model_name")
        if isinstance(model, str) and model.strip():
            return model.strip()
    return path.resolve().parent.name
