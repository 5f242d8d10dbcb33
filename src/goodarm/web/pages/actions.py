"""What people do to a study: each form posts here and is sent back to the study's page."""

from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.outcomes.contract import Reading
from goodarm.remote.failures import NotFoundError
from goodarm.study import Study, StudyClosedError, Trial
from goodarm.web.demo import TRIALS_AT_ONCE, is_demo, play
from goodarm.web.forms import (
    optional_number,
    optional_text,
    optional_whole,
    read_percent,
    read_whole,
)
from goodarm.web.pages.study import back, study_page, trial_page
from goodarm.web.site import TheStudy
from goodarm.web.views import MOST_PENDING

router = APIRouter(prefix="/studies/{slug}")
Text = Annotated[str, Form()]
MOST_SUGGESTIONS = 100
UNDONE = "a mistaken entry, taken back at once"


def _act(
    request: Request, study: Study, did: str, work: Callable[[], Any], **typed: str
) -> Response:
    try:
        done = work()
    except InputError as error:
        return study_page(request, study, error, **typed)
    return back(study, did, done.number if isinstance(done, Trial) else None)


def _act_on_trial(
    request: Request, study: Study, did: str, number: str, work: Callable[[], Any], **typed: str
) -> Response:
    """As `_act`, but a trial whose form is not on the study's page is shown on its own."""
    try:
        done = work()
    except InputError as error:
        if did != "told" or number not in [str(t.number) for t in study.pending[:MOST_PENDING]]:
            with suppress(InputError):  # there is no such trial
                return trial_page(request, study, read_whole("trial", number), error, **typed)
        return study_page(request, study, error, trial=number, **typed)
    return back(study, did, done.number)


def _read(study: Study, text: str) -> Reading:
    """An outcome as its model reads it: 0.7, 37/1000, 5+."""
    return study.settings.outcome.read(text.strip())


@router.post("/ask")
def ask(
    request: Request, study: TheStudy, n: Text = "1", arm: Text = "", key: Text = ""
) -> Response:
    """The next suggestions, or an arm of one's own choice."""

    def work() -> None:
        count = read_whole("n", n)
        if count > MOST_SUGGESTIONS:
            raise InputError(f"n: {count} at once; the page takes at most {MOST_SUGGESTIONS}")
        study.ask(count, arm=optional_text(arm), key=optional_text(key))

    return _act(request, study, "asked", work, arm=arm)


@router.post("/tell")
def tell(
    request: Request,
    study: TheStudy,
    trial: Text = "",
    value: Text = "",
    note: Text = "",
    then: Text = "",
    sure: Text = "",
) -> Response:
    """An outcome of a suggested trial; and the next suggestion, if wanted."""

    def work() -> Trial:
        number, (outcome, size) = read_whole("trial", trial), _read(study, value)
        told = study.tell(number, outcome, note=optional_text(note), sure=bool(sure), size=size)
        if then == "next" and not study.pending:
            with suppress(StudyClosedError):  # the page says so itself
                study.ask(key=f"after trial {number}")
        return told

    return _act_on_trial(request, study, "told", trial, work, value=value, note=note)


@router.post("/enter")
def enter(
    request: Request,
    study: TheStudy,
    arm: Text = "",
    value: Text = "",
    note: Text = "",
    key: Text = "",
    sure: Text = "",
) -> Response:
    """An outcome that nobody had asked for."""

    def work() -> Trial:
        (outcome, size), remark = _read(study, value), optional_text(note)
        once, is_sure = optional_text(key), bool(sure)
        return study.tell(arm.strip(), outcome, None, remark, once, is_sure, size)

    return _act(request, study, "told", work, arm=arm, own_value=value, own_note=note)


@router.post("/undo")
def undo(request: Request, study: TheStudy, trial: Text = "") -> Response:
    """Take the last entry back."""
    work = lambda: study.retract(read_whole("trial", trial), UNDONE)  # noqa: E731
    return _act(request, study, "retracted", work)


@router.post("/trials/{number}/{what}")
def change(
    request: Request,
    study: TheStudy,
    number: int,
    what: str,
    reason: Text = "",
    value: Text = "",
    sure: Text = "",
) -> Response:
    """Withdraw a suggestion, take an outcome back, or replace it."""

    def correct() -> Trial:
        outcome, size = _read(study, value)
        return study.correct(number, outcome, reason.strip(), sure=bool(sure), size=size)

    works: dict[str, Callable[[], Trial]] = {
        "cancelled": lambda: study.cancel(number, optional_text(reason)),
        "retracted": lambda: study.retract(number, reason.strip()),
        "corrected": correct,
    }
    if what not in works:
        raise NotFoundError("there is nothing of that name to do to a trial")
    typed = {"right": value, "reason": reason}
    return _act_on_trial(request, study, what, str(number), works[what], **typed)


@router.post("/stop")
def stop(request: Request, study: TheStudy, reason: Text = "", key: Text = "") -> Response:
    """End the study."""
    work = lambda: study.stop(reason.strip(), optional_text(key))  # noqa: E731
    return _act(request, study, "stopped", work)


@router.post("/extend")
def extend(
    request: Request,
    study: TheStudy,
    trials: Text = "",
    confidence: Text = "",
    reason: Text = "",
    key: Text = "",
) -> Response:
    """Go on."""

    def work() -> None:
        more, delta = optional_whole("trials", trials), read_percent("confidence", confidence)
        study.extend(more, delta, optional_text(reason), optional_text(key))

    return _act(request, study, "extended", work)


@router.post("/amend")
def amend(
    request: Request,
    study: TheStudy,
    threshold: Text = "",
    boundary: Text = "",
    reason: Text = "",
    key: Text = "",
) -> Response:
    """Change the threshold or the stopping rule."""

    def work() -> None:
        stopping_rule = optional_text(boundary)
        # Without one it is the threshold that is to change; then it must have been typed.
        read = optional_number if stopping_rule else read_number
        study.amend(read("threshold", threshold), reason.strip(), optional_text(key), stopping_rule)

    return _act(request, study, "amended", work)


@router.post("/play")
def play_demo(request: Request, study: TheStudy) -> Response:
    """Some simulated outcomes, in a demonstration only."""
    if not is_demo(study):
        raise NotFoundError("only a demonstration has simulated outcomes")
    return _act(request, study, "played", lambda: play(study, TRIALS_AT_ONCE))
