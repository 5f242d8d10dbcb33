"""How often every question is answered wrongly, where that is likeliest: docs/guarantee.md.

    python bench/questions.py [--runs 10000] [--first 1000] [--jobs N] [--only WORD] [--json FILE]
    python bench/questions.py --table FILE [FILE ...] [--json FILE]

Every case (`questions_cases.py`) is played through `goodarm.Inquiry`, the class that people use,
until it has its answer or as many trials as the case allows. A run is wrong if it ever says of an
option that is present what is not true, or ends with a wrong answer. All cases at 10,000 runs take
a day of one core, and nothing but numpy. With `--first 1000` a case that is clear by then is not
played further: one that erred in at most 3/5 (`--clear`) of what is allowed, which is some three
standard errors below it. The others are played to the end.
`--part` plays a share of the cases, what stands in `--json` is not played again (also if more runs
are asked for), and `--table` puts parts together: it prints the tables of the page and, with
`--json`, writes all rows to one file.
"""

import argparse
import json
import math
import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.inquiry.playing import PlayedInquiries, play_inquiries
from questions_cases import (
    ADDED,
    DELTA,
    MODELS,
    QUESTIONS,
    REPLACED,
    RETIRED,
    Case,
    cases,
)

SEED = 7
CHUNK = 250  # runs that a process plays at once
CLEAR = 0.6  # of what is allowed
KINDS = {
    "one bar": "one bar, every kind of outcome, every algorithm",
    "two criteria": "two criteria",
    "control": "a control, every difference at the margin",
    ADDED: "options added when the study would end, and before",
    RETIRED: "options retired because they are hard to exclude",
    REPLACED: "both",
}

Row = dict[str, Any]
COUNTED = ("runs", "wrong", "stopped", "trials")
IDENTITY = ("kind", "models", "by", "question", "algorithm", "good", "reserve", "cap")


def play(case: Case, runs: Sequence[int]) -> PlayedInquiries:
    """Some runs of a case."""
    disturb = case.disturb if case.kind in (ADDED, RETIRED, REPLACED) else None
    return play_inquiries(case.make, case.draw, case.good, runs, case.cap, SEED, disturb)


def row_of(case: Case, parts: Iterable[PlayedInquiries]) -> Row:
    """What came of some runs of a case."""
    names = ("trials", "stopped", "wrong")
    every = list(parts)
    trials, stopped, wrong = (np.concatenate([getattr(p, name) for p in every]) for name in names)
    return {
        **named(case),
        "runs": len(wrong),
        "wrong": int(wrong.sum()),
        "stopped": int(stopped.sum()),
        "trials": int(trials.sum()),
        "allowed": case.risk,
    }


def added(row: Row | None, more: Row) -> Row:
    """A row with more runs of its case."""
    return more if row is None else more | {name: row[name] + more[name] for name in COUNTED}


def is_clear(row: Row, most: float) -> bool:
    """Whether so few runs were wrong that more of them would not change the verdict."""
    return bool(row["wrong"] <= most * row["allowed"] * row["runs"])


def named(case: Case) -> Row:
    """Which case it is, as plain data."""
    return {
        "kind": case.kind,
        "models": list(case.models),
        "by": dict(case.by),
        "question": case.question,
        "algorithm": case.algorithm,
        "good": list(case.good),
        "reserve": case.reserve,
        "cap": case.cap,
    }


def identity(row: Row) -> Row:
    """What tells a row's case from all others."""
    return {name: row[name] for name in IDENTITY}


def excess(row: Row) -> float:
    """By how many standard errors of the allowed share too many runs are wrong."""
    allowed, runs = row["allowed"], row["runs"]
    return float((row["wrong"] / runs - allowed) / math.sqrt(allowed * (1.0 - allowed) / runs))


def share(rows: Sequence[Row]) -> str:
    """The largest share of wrong runs, as the page has it."""
    if not rows:
        return "–"
    return f"{100.0 * max(row['wrong'] / row['runs'] for row in rows):.2f} %"


def tables(rows: Sequence[Row]) -> str:
    """The tables of docs/guarantee.md, in Markdown."""
    runs = " or ".join(f"{runs:,}" for runs in sorted({row["runs"] for row in rows}))
    lines = [f"| largest share of wrong studies, {runs} each | {' | '.join(QUESTIONS)} | of |"]
    lines.append("| --- |" + " --- |" * (len(QUESTIONS) + 1))
    for kind, label in KINDS.items():
        for reserve in (0.0, 0.1):
            chosen = [row for row in rows if (row["kind"], row["reserve"]) == (kind, reserve)]
            if chosen:
                kept = ", with a reserve" if reserve else ""
                cells = [share([r for r in chosen if r["question"] == q]) for q in QUESTIONS]
                allowed = f"{100.0 * chosen[0]['allowed']:.3g} %"
                lines.append(f"| {label}{kept} | {' | '.join(cells)} | {allowed} |")
    lines += ["", f"| one bar, of {100.0 * DELTA:g} % | {' | '.join(QUESTIONS)} | a control |"]
    lines.append("| --- |" + " --- |" * (len(QUESTIONS) + 1))
    for model in MODELS:
        alone = [row for row in rows if row["kind"] == "one bar" and row["models"] == [model]]
        cells = [share([row for row in alone if row["question"] == q]) for q in QUESTIONS]
        against = [row for row in rows if row["kind"] == "control" and row["models"] == [model]]
        lines.append(f"| {model} | {' | '.join(cells)} | {share(against)} |")
    return "\n".join(lines)


def read_rows(paths: Sequence[Path]) -> list[Row]:
    """The rows of several parts."""
    return [row for path in paths for row in json.loads(path.read_text("utf-8"))]


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """One row a line."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def played(options: argparse.Namespace) -> list[Row]:
    """Play the cases that are asked for as far as is needed, and say what comes of each."""
    part, parts = map(int, options.part.split("/"))
    chosen = [case for case in cases() if options.only in case.label][part - 1 :: parts]
    has_begun = options.json and options.json.exists()
    rows = {key(row): row for row in (read_rows([options.json]) if has_begun else [])}
    begun = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        for wanted in sorted({min(options.first, options.runs), options.runs}):
            known = [rows.get(key(named(case))) for case in chosen]
            chunks_left = [left(row, options, wanted) for row in known]
            tasks = list(zip(chosen, chunks_left, strict=True))
            tasks = [(case, chunks) for case, chunks in tasks if chunks]
            every = [(case, chunk) for case, chunks in tasks for chunk in chunks]
            results = pool.map(play, *zip(*every, strict=True)) if every else iter(())
            for i, (case, chunks) in enumerate(tasks):
                more = row_of(case, list(islice(results, len(chunks))))
                row = rows[key(more)] = added(rows.get(key(more)), more)
                took = time.monotonic() - begun
                print(
                    f"{i + 1}/{len(tasks)} {took:.0f} s  {case.label}: "
                    f"{100.0 * row['wrong'] / row['runs']:.2f} % of {100.0 * case.risk:.3g} %, "
                    f"{excess(row):+.1f} standard errors{'  BROKEN' if excess(row) > 3.0 else ''}",
                    flush=True,
                )
                if options.json:
                    write_rows(rows.values(), options.json)
                if options.seconds and took > options.seconds:
                    pool.shutdown(cancel_futures=True)
                    return list(rows.values())
    return list(rows.values())


def key(row: Row) -> str:
    """The same as `identity`, to look it up."""
    return json.dumps(identity(row), sort_keys=True)


def left(row: Row | None, options: argparse.Namespace, wanted: int) -> list[range]:
    """The runs of a case that are still to be played."""
    done = row["runs"] if row else 0
    if row and done >= options.first and is_clear(row, options.clear):
        return []
    return [range(start, min(start + CHUNK, wanted)) for start in range(done, wanted, CHUNK)]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=10_000, help="runs of a case that is clear")
    parser.add_argument("--clear", type=float, default=CLEAR, help="share of what is allowed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--only", default="", help="cases whose line has this in it")
    parser.add_argument("--part", default="1/1", help="2/4: the second quarter of the cases")
    parser.add_argument("--json", type=Path, help="where the rows go; what is there is not redone")
    parser.add_argument("--seconds", type=float, help="begin no more cases after that time")
    parser.add_argument("--table", type=Path, nargs="+", help="parts that were played before")
    options = parser.parse_args()
    rows = read_rows(options.table) if options.table else played(options)
    if options.table and options.json:
        write_rows(rows, options.json)
    worst = max(rows, key=excess)
    print(f"\n{tables(rows)}\n\nlargest excess: {excess(worst):+.1f} standard errors, {worst}")


if __name__ == "__main__":
    main()
