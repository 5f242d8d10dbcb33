"""One study: its page, its log, its trials, its audit, its files."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.inputs import label
from goodarm.remote.failures import NotFoundError, message_of
from goodarm.study import Study, UnlikelyOutcomeError
from goodarm.web.demo import is_demo
from goodarm.web.forms.measuring import measurements
from goodarm.web.forms.typed import optional_text, plainly
from goodarm.web.news.live import stream
from goodarm.web.server.failures import status_of
from goodarm.web.shown.files import download
from goodarm.web.shown.render import page
from goodarm.web.shown.slugs import slug
from goodarm.web.shown.tabs import TABS
from goodarm.web.shown.views import MOST_PENDING, study_view
from goodarm.web.site import TheSite, TheStudy
from goodarm.web.visitors.screens import remember, shares_of, view_of

router = APIRouter(prefix="/studies/{slug}")
DONE = {
    "asked": "Here is what to try.",
    "told": "Recorded.",
    "told-several": "Recorded, all of them.",
    "taken": "The trial is on your screen now.",
    "let-go": "The trial is free for others.",
    "cancelled": "The suggestion was withdrawn.",
    "retracted": "The outcome was taken back. The log keeps it.",
    "corrected": "The outcome was corrected. The log keeps both.",
    "same": "The trial has this outcome already; nothing was changed.",
    "added": "The option was added.",
    "retired": "The option was retired: it is not tried any more, and cannot be named.",
    "stopped": "The study was stopped.",
    "extended": "The study goes on.",
    "renamed": "The study has another name. The log keeps the old one.",
    "archived": "The study was put away: the list leaves it out.",
    "unarchived": "The study is in the list again.",
    "tagged": "The tags were saved.",
    "amended": "The change was recorded.",
    "imported": "The outcomes were imported.",
    "imported-some": "New outcomes were imported. Lines that the same source had brought before "
    "were left alone.",
    "played": "Simulated outcomes were added.",
}


def study_page(
    request: Request,
    study: Study,
    error: InputError | None = None,
    tab: str = "options",
    **typed: Any,
) -> Response:
    """The study's page, with what went wrong and what had been typed, if anything."""
    asked = request.query_params
    view = study_view(study, asked.get("limits") == "together")
    last, number = view["last"], view_of(request)
    shares = shares_of(request, study, view["pending"], number)
    did, trial = asked.get("did", ""), asked.get("trial", "")
    answer = page(
        request.scope,
        "study.html",
        200 if error is None else status_of(error),
        **view,
        **TABS[tab].show(study, view["status"], asked),
        mine=shares.mine,
        others=shares.others[:MOST_PENDING],
        more_others=max(0, len(shares.others) - MOST_PENDING),
        view=number,
        error=None if error is None else plainly(message_of(error)),
        is_unlikely=isinstance(error, UnlikelyOutcomeError),
        done=DONE.get(did) if error is None else None,
        # Offered for the visitor's own entry only, not for one that came in since.
        undo=error is None and did == "told" and last is not None and trial == str(last.number),
        typed=typed,
        is_demo=is_demo(study),
        tab=tab,
        tabs=TABS,
    )
    return remember(request, answer)


def trial_page(
    request: Request, study: Study, number: int, error: InputError | None = None, **typed: Any
) -> Response:
    """A trial's page, with what went wrong and what had been typed, if anything."""
    try:
        trial = study.trial(number)
    except InputError as missing:
        raise NotFoundError(str(missing)) from None
    return page(
        request.scope,
        "trial.html",
        200 if error is None else status_of(error),
        name=study.name,
        trial=trial,
        criteria=study.settings.every_criterion,
        measurements=measurements(study.settings),
        error=None if error is None else plainly(message_of(error)),
        is_unlikely=isinstance(error, UnlikelyOutcomeError),
        typed=typed,
    )


@router.get("")
def show(request: Request, study: TheStudy) -> Response:
    """The study at this moment, and its options."""
    return study_page(request, study)


@router.get("/evidence")
@router.get("/trials")
@router.get("/log")
@router.get("/settings")
def show_tab(request: Request, study: TheStudy) -> Response:
    """The study at this moment, and something else of it."""
    return study_page(request, study, tab=request.url.path.rpartition("/")[2])


@router.get("/evidence.json")
def evidence(study: TheStudy) -> dict[str, Any]:
    """The data of the chart."""
    return study.evidence_curves().to_dict()


@router.get("/live")
def live(request: Request, study: TheStudy) -> Response:
    """A stream that says when the study has changed."""
    return stream(request, study)


@router.get("/forecast")
async def forecast(request: Request, study: TheStudy, site: TheSite, brief: str = "") -> Response:
    """How many more trials; `brief` for what is seen at a glance."""
    seen = await site.forecast(study)
    return page(request.scope, "forecast.html", name=study.name, forecast=seen, brief=bool(brief))


@router.get("/trials/{number}")
def trial(request: Request, study: TheStudy, number: int) -> Response:
    """One trial, what happened to it, and what can be done about it."""
    return trial_page(request, study, number)


@router.get("/verify")
def verify(request: Request, study: TheStudy, site: TheSite, head: str = "") -> Response:
    """The audit of the log."""
    noted = optional_text(head)
    error, audit = None, None
    try:
        audit = site.verify(study, None if noted is None else label("head", noted))
    except InputError as wrong:
        error = wrong
    return page(
        request.scope,
        "verify.html",
        200 if error is None else status_of(error),
        name=study.name,
        audit=audit,
        head=head,
        error=None if error is None else str(error),
    )


@router.get("/export/{kind}")
def export(study: TheStudy, kind: str) -> Response:
    """The log as a file."""
    return download(study, kind)


def back(study: Study, did: str, trial: int | None = None) -> Response:
    """To the study's page, with a word about what was done."""
    which = "" if trial is None else f"&trial={trial}"
    return RedirectResponse(f"/studies/{slug(study.name)}?did={did}{which}", 303)
