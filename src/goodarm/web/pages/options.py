"""One option of a study: its outcomes, as pictures, as a table, as a file; and all of them."""

import csv
import io
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from goodarm.remote.failures import NotFoundError
from goodarm.study import Study
from goodarm.study.log.columns import harmless
from goodarm.study.report.status import ArmReport, known
from goodarm.web.forms.measuring import measurements
from goodarm.web.forms.typed import optional_whole
from goodarm.web.shown.recorded import LatestOutcomes, latest, lines
from goodarm.web.shown.render import page
from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheStudy

router = APIRouter(prefix="/studies/{slug}")
MOST_IN_TABLE = 100
TABLE = ("option", "trials", "pending", "waiting", "average", "low", "high", "evidence_share", "W")
MORE = ("standing", "bar", "label", "cost", "note")
OF_EACH = ("outcomes", "average", "low", "high", "bar")  # measurement, after its name


@router.get("/options.csv")
def all_options(study: TheStudy) -> Response:
    """Every option with its numbers, in the order in which they were declared."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    measured = [one.name for one in study.settings.criteria]
    of_each = [harmless(f"{name} {what}") for name in measured for what in OF_EACH]
    writer.writerow([*TABLE, *MORE, *of_each])
    for arm in study.status().arms:
        numbers = (arm.count, arm.pending, arm.waiting, arm.mean, arm.low, arm.high)
        more = (arm.standing, arm.aim, arm.label, arm.cost, arm.note)
        each = [
            cell
            for one in (known(arm, n) for n in range(len(measured)))
            for cell in (one.count, one.mean, one.low, one.high, one.aim)
        ]
        row = [arm.arm, *numbers, arm.share, arm.W, *more, *each]
        writer.writerow([harmless(cell) for cell in row])
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
        criteria=study.settings.every_criterion,
        measurements=measurements(study.settings),
        known=[known(arm, n) for n in range(len(arm.measurements) or 1)],
        found=found,
    )


@router.get("/options/{number}/outcomes.json")
def outcomes_of(study: TheStudy, number: str, measure: str = "") -> dict[str, Any]:
    """The data of its charts, of the first measurement unless another is named."""
    arm, n = _arm(study, number), _measure(study, measure)
    return _data(latest(study, arm.arm, measure=_name(study, n)), known(arm, n).aim)


@router.get("/outcomes.json")
def outcomes(study: TheStudy, measure: str = "") -> dict[str, Any]:
    """The data of the chart of all outcomes."""
    n = _measure(study, measure)
    plain = study.settings.is_plain
    bar = study.settings.threshold if plain else study.status().one_bar(n)
    return _data(latest(study, measure=_name(study, n)), bar)


def _measure(study: Study, text: str) -> int:
    """The number of a measurement; they are counted from 1 in addresses."""
    number, many = optional_whole("measure", text) or 1, len(study.settings.every_criterion)
    if not 1 <= number <= many:
        raise NotFoundError(f"there is no measurement {number}; a trial has {many}")
    return number - 1


def _name(study: Study, measure: int) -> str | None:
    """What events call it, where there are several."""
    criteria = study.settings.criteria
    return criteria[measure].name if criteria else None


def _data(found: LatestOutcomes, bar: float | None) -> dict[str, Any]:
    return {
        "threshold": bar,
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
