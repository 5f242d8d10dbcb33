"""A report in a few numbers and as plain data."""

import json
import platform
from collections import Counter
from importlib.metadata import version
from typing import Any

from goodarm import __version__
from goodarm.paper.engine import PaperReport
from goodarm.paper.items.item import Item
from goodarm.paper.judging.agreement import VERDICT_LEVEL, Cell
from goodarm.paper.judging.claims import Judgement

TEST = (
    f"A published number agrees with ours when the {100 * VERDICT_LEVEL:g} % interval of the "
    "difference contains zero: Welch's interval for mean stopping times, with the variance of "
    "the paper's rounding added; Newcombe's interval for error rates. Of a hundred such "
    "numbers, a perfect reproduction would miss one about one time in ten. Computed numbers "
    "agree when they round to what is published. A claim of the text is a set of comparisons, "
    f"each with its interval, which hold together with probability {100 * VERDICT_LEVEL:g} % "
    "(Bonferroni): it agrees when at least one comparison holds and none fails, differs when "
    "some fail and none holds, agrees in part when some hold and some fail, and is undecided "
    "when no interval tells. Stopping times of two algorithms on one instance are compared run "
    "by run under common random numbers. Curves are compared by their mean over all points "
    "where both are defined; where they are in the opposite order beyond doubt at more than a "
    "quarter of ten points looked at, they cross, and the claim agrees in part."
)


def cells_of(report: PaperReport) -> list[tuple[Item, Cell]]:
    """Every published number that was compared."""
    return [(done.item, cell) for done in report.finished for cell in done.result.cells]


def judgements_of(report: PaperReport) -> list[tuple[Item, Judgement]]:
    """Every claim that was judged."""
    return [(done.item, j) for done in report.finished for j in done.result.judgements]


def verdicts(judged: list[tuple[Item, Cell]] | list[tuple[Item, Judgement]]) -> dict[str, int]:
    """How often each verdict was reached."""
    return dict(Counter(thing.verdict for _, thing in judged))


def versions() -> dict[str, str]:
    """What the numbers were made with."""
    names = ("numpy", "scipy", "numba", "matplotlib")
    return {
        "goodarm": __version__,
        "Python": platform.python_version(),
        **{name: version(name) for name in names},
    }


def settings_of(report: PaperReport) -> dict[str, Any]:
    """How it was made."""
    s = report.settings
    return {
        "reproduction": "full" if s.full else "quick",
        "seed": s.seed,
        "where": s.where,
        "workers": s.workers,
        "pulls": report.pulls,
        "computing_seconds": round(report.computing, 1),
        "seconds": round(report.seconds, 1),
        "share_of_runs_from_earlier": round(report.reused, 4),
        "versions": versions(),
    }


def summary_json(report: PaperReport) -> str:
    """All verdicts and figures as JSON text."""
    data = {
        "settings": settings_of(report),
        "test": TEST,
        "published_numbers": verdicts(cells_of(report)),
        "claims": verdicts(judgements_of(report)),
        "items": [
            {
                "label": done.item.label,
                "title": done.item.title,
                "runs": done.item.runs.of(report.settings.full),
                "simulations": done.simulations,
                "pulls": done.pulls,
                "computing_seconds": round(done.seconds, 2),
                "published_numbers": [_cell(cell) for cell in done.result.cells],
                "claims": [_claim(judgement) for judgement in done.result.judgements],
                "notes": list(done.item.notes),
            }
            for done in report.finished
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "instance": cell.instance,
        "algorithm": cell.algorithm,
        "quantity": cell.quantity,
        "published": cell.published,
        "ours": cell.ours,
        "difference": cell.difference.estimate,
        "low": cell.difference.low,
        "high": cell.difference.high,
        "standardised_difference": cell.z,
        "verdict": cell.verdict,
        "why": cell.why,
    }


def _claim(judgement: Judgement) -> dict[str, Any]:
    return {
        "claim": judgement.sentence,
        "test": judgement.test,
        "verdict": judgement.verdict,
        "comment": judgement.comment,
        "findings": [
            {
                "where": f.where,
                "first": f.left,
                "second": f.right,
                "compared": f.compared(),
                "outcome": f.outcome,
                "remark": f.remark,
            }
            for f in judgement.findings
        ],
    }
