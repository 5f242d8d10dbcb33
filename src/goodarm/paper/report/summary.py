"""A report in a few numbers and as plain data."""

import json
import platform
from collections import Counter
from importlib.metadata import version
from statistics import median
from typing import Any

from goodarm import __version__
from goodarm.paper.engine import PaperReport
from goodarm.paper.items.item import Item
from goodarm.paper.judging.agreement import ERROR_RATE, TIME, VERDICT_LEVEL, Cell
from goodarm.paper.judging.claims import Judgement
from goodarm.paper.judging.relations import CLOSE, LARGE

TEST = (
    f"A published number agrees with ours when the {100 * VERDICT_LEVEL:g} % interval of the "
    "difference contains zero: Welch's interval for mean stopping times, with the variance of "
    "the paper's rounding added; Newcombe's interval for error rates. Of a hundred such "
    "numbers, a perfect reproduction would miss one about one time in ten. Computed numbers "
    "agree when they round to what is published. What would have been seen stands beside each "
    "number.",
    f"A claim of the text is a set of comparisons, each with its interval, which hold together "
    f"with probability {100 * VERDICT_LEVEL:g} % (Bonferroni). It agrees when every comparison "
    "that is decided holds, and differs when every one of them fails; more than half of the "
    "comparisons must be decided for that, in the quick reproduction all, so that it does not say "
    "more than the full one. It agrees in part, that is, not throughout, when some fail or cross "
    "and it is not so that it differs. Otherwise it is undecided.",
    "One rule for all claims: stopping times are compared by their ratio, errors by the ratio of "
    f"their odds, which for small errors is that of the errors. Alike (on par, comparable, "
    f"similar, as well as) means within a factor of {CLOSE:g}, in both directions (two one-sided "
    "tests). A word of size (large, severely, considerably, dramatically, poorly) needs a factor "
    f"of {LARGE:g}; where the text gives none, any difference beyond doubt will do. Stopping "
    "times of two algorithms on one instance are compared run by run under common random numbers.",
    "Curves are compared by their mean over all points where both are defined, and in ten points. "
    "Where the mean says one thing and more than a quarter of the points say the opposite beyond "
    "doubt, in whichever direction, they cross, which counts against the claim.",
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


def power_text(report: PaperReport) -> str:
    """What would have been seen to differ, over all published numbers that were simulated."""
    cells = [cell for _, cell in cells_of(report) if cell.z is not None]
    parts = []
    if times := [_relative(cell) for cell in cells if cell.quantity == TIME]:
        parts.append(
            f"Of {len(times)} mean stopping times, a difference of {_percent(min(times))} to "
            f"{_percent(max(times))} would have been seen (median {_percent(median(times))})."
        )
    errors = [cell for cell in cells if cell.quantity == ERROR_RATE]
    if zeros := [cell.seen.above or 1.0 for cell in errors if not cell.published]:
        parts.append(
            f"{len(zeros)} of {len(errors)} published error rates are 0: they agree with much, and "
            f"only from {100 * max(zeros):.2g} % on would ours have been seen to differ."
        )
    if others := [_relative(cell) for cell in errors if cell.published]:
        least, middle, most = (1.0 + by(others) for by in (min, median, max))
        parts.append(
            f"Of the {len(others)} others, one {least:.2g} to {most:.2g} times as large would have "
            f"been seen (median {middle:.2g})."
        )
    return " ".join(parts)


def _relative(cell: Cell) -> float:
    """By how much of the published number ours must be larger to be seen."""
    assert cell.published
    assert cell.seen.above is not None
    return cell.seen.above / cell.published - 1.0


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


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
        "test": list(TEST),
        "power": power_text(report),
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
        "seen_below": cell.seen.below,
        "seen_above": cell.seen.above,
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
