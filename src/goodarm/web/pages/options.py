"""One option of a study: its outcomes, as pictures, as a table, as a file; and all of them."""

import csv
import io
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from goodarm.remote.failures import NotFoundError
from goodarm.study import Study
from goodarm.study.log.columns import harmless
from goodarm.study.report.status import ArmReport
from goodarm.web.forms import optional_whole
from goodarm.web.recorded import LatestOutcomes, latest, lines
from goodarm.web.render import page
from goodarm.web.site import TheStudy
from goodarm.web.slugs import slug

router = APIRouter(prefix="/studies/{slug}")
MOST_IN_TABLE = 100
TABLE = ("option", "trials", "pending", "waiting", "average", "low", "high", "evidence_share", "W")


@router.get("/options.csv")
def all_options(study: TheStudy) -> Response:
    """Every option with its numbers, in the order in which they were declared."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(TABLE)
    for arm in study.status().arms:
        numbers = (arm.count, arm.pending, arm.waiting, arm.mean, arm.low, arm.high)
        writer.writerow([harmless(arm.arm), *numbers, arm.share, arm.W])
    return _file(study, "options", Response(text.getvalue()))


@router.get("/options/{number}.csv")
def outcomes_file(study: TheStudy, number: str) -> Response:
    """The outcomes of one option, oldest first."""
    arm = _arm(study, number)
    return _file(study, f"option_{number}", StreamingResponse(lines(study, arm.arm)))


@router.get("/options/{number}")
def show(request: Request, study: TheStudy, number: str) -> Response:
    """One option: what is known of it, and what came out."""
    arm = _arm(study, number)
    found = latest(study, arm.arm, MOST_IN_TABLE)
    return page(
        request.scope,
        "option.html",
        name=study.name,
        number=number,
        arm=arm,
        status=study.status(),
        outcome=study.settings.outcome,
        found=found,
    )


@router.get("/options/{number}/outcomes.json")
def outcomes_of(study: TheStudy, number: str) -> dict[str, Any]:
    """The data of its charts."""
    arm = _arm(study, number)
    return _data(study, latest(study, arm.arm))


@router.get("/outcomes.json")
def outcomes(study: TheStudy) -> dict[str, Any]:
    """The data of the chart of all outcomes."""
    return _data(study, latest(study))


def _data(study: Study, found: LatestOutcomes) -> dict[str, Any]:
    return {
        "threshold": study.settings.threshold,
        "cut": found.is_cut,
        "outcomes": [
            {
                "trial": event.body["trial"],
                "arm": event.body["arm"],
                "value": event.body["value"] / (event.body.get("size") or 1.0),
                "size": event.body.get("size", 1.0),
            }
            for event in reversed(found.events)
        ],
    }


def _arm(study: Study, number: str) -> ArmReport:
    arms = study.evidence
    wanted = optional_whole("number", number) or 0
    if not 1 <= wanted <= len(arms):
        raise NotFoundError(f"there is no option {number}; the study has {len(arms)}")
    return arms[wanted - 1]


def _file(study: Study, what: str, answer: Response) -> Response:
    name = f"{slug(study.name)[:100].replace('~', '_')}_{what}.csv"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["Content-Type"] = "text/csv; charset=utf-8"
    return answer
