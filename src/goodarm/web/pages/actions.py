"""What people do to a study: each form posts here and is sent back to the study's page."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.remote.failures import NotFoundError
from goodarm.study import Study, StudyClosedError, Trial
from goodarm.web.demo import TRIALS_AT_ONCE, is_demo, play
from goodarm.web.forms.measuring import TypedValues, read_told
from goodarm.web.forms.option import TypedOption, add_typed_option
from goodarm.web.forms.typed import (
    optional_number,
    optional_text,
    optional_whole,
    read_percent,
    read_whole,
)
from goodarm.web.pages.study import back, study_page, trial_page
from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheStudy
from goodarm.web.visitors.screen_claims import Shares
from goodarm.web.visitors.screens import claims_of, numbers_in, remember, screen_of, view_of

router = APIRouter(prefix="/studies/{slug}")
Text = Annotated[str, Form()]
MOST_SUGGESTIONS = 100
SETTINGS = "settings"  # the tab that has the form
UNDONE = "a mistaken entry, taken back at once"


def _act(
    request: Request,
    study: Study,
    did: str,
    work: Callable[[], Any],
    tab: str = "options",
    **typed: Any,
) -> Response:
    try:
        done = work()
    except InputError as error:
        return study_page(request, study, error, tab, **typed)
    return remember(request, back(study, did, done.number if isinstance(done, Trial) else None))


def _act_on_trial(
    request: Request,
    study: Study,
    did: Callable[[], str],
    number: str,
    work: Callable[[], Any],
    **typed: Any,
) -> Response:
    """As `_act`, but a trial whose form is not on the study's page is shown on its own."""
    try:
        done = work()
    except InputError as error:
        if did() != "told" or number not in [str(t.number) for t in _shares(request, study).mine]:
            with suppress(InputError):  # there is no such trial
                return trial_page(request, study, read_whole("trial", number), error, **typed)
        return study_page(request, study, error, trial=number, **typed)
    return remember(request, back(study, did(), done.number))


def _claim(request: Request, study: Study, trials: Sequence[Trial], force: bool = False) -> None:
    """Put trials on the screen of whoever asked for them, before anyone else sees them."""
    numbers, screen = [trial.number for trial in trials], screen_of(request)
    claims_of(request).claim(study.name, numbers, screen, view_of(request), force)


def _shares(request: Request, study: Study) -> Shares:
    """The open trials, and which of them are on whose screen; nothing is claimed by looking."""
    pending, screen = study.pending, screen_of(request)
    return claims_of(request).share_out(study.name, pending, screen, view_of(request), set())


@router.post("/ask")
def ask(
    request: Request, study: TheStudy, n: Text = "1", arm: Text = "", key: Text = ""
) -> Response:
    """The next suggestions, or an arm of one's own choice."""

    def work() -> None:
        count = read_whole("n", n)
        if count > MOST_SUGGESTIONS:
            raise InputError(f"n: {count} at once; the page takes at most {MOST_SUGGESTIONS}")
        asked = study.ask(count, arm=optional_text(arm), key=optional_text(key))
        _claim(request, study, asked)

    return _act(request, study, "asked", work, arm=arm)


@router.post("/tell")
def tell(
    request: Request,
    study: TheStudy,
    typed: TypedValues,
    trial: Text = "",
    note: Text = "",
    then: Text = "",
    sure: Text = "",
) -> Response:
    """What is known of a suggested trial, or so many yes of so many; and the next suggestion."""

    def work() -> Trial:
        number, (value, size) = read_whole("trial", trial), read_told(study, typed, bool(sure))
        told = study.tell(number, value, note=optional_text(note), sure=bool(sure), size=size)
        if then == "next" and not _shares(request, study).mine:
            with suppress(StudyClosedError):  # the page says so itself
                _claim(request, study, [study.ask(key=f"after trial {number}")])
        return told

    return _act_on_trial(request, study, lambda: "told", trial, work, note=note, **typed)


@router.post("/enter")
def enter(
    request: Request,
    study: TheStudy,
    typed: TypedValues,
    arm: Text = "",
    note: Text = "",
    key: Text = "",
    sure: Text = "",
) -> Response:
    """An outcome that nobody had asked for."""

    def work() -> Trial:
        (value, size), remark = read_told(study, typed, bool(sure)), optional_text(note)
        once, is_sure = optional_text(key), bool(sure)
        return study.tell(arm.strip(), value, None, remark, once, is_sure, size)

    return _act(request, study, "told", work, arm=arm, own=typed, own_note=note)


@router.post("/take")
def take(request: Request, study: TheStudy, trial: Text = "") -> Response:
    """Put a trial on one's own screen, from nobody's or from someone else's."""

    def work() -> None:
        number = read_whole("trial", trial)
        _claim(request, study, [t for t in study.pending if t.number == number], force=True)

    return _act(request, study, "taken", work)


@router.post("/let-go")
def let_go(request: Request, study: TheStudy, trial: Text = "", view: Text = "") -> Response:
    """Leave a trial to others; `view`: the page of that number is left, whatever it shows."""
    numbers, screen = numbers_in(trial), screen_of(request)
    claims_of(request).let_go(study.name, numbers, screen, view or None)
    return Response(status_code=204) if view else remember(request, back(study, "let-go"))


@router.post("/claims")
def renew_claims(request: Request, study: TheStudy, trials: Text = "") -> list[int]:
    """The page is still open, with these trials on it; which of them others have taken over."""
    numbers, screen, view = numbers_in(trials), screen_of(request), view_of(request)
    held = claims_of(request).claim(study.name, sorted(numbers), screen, view)
    return sorted(numbers - set(held))


@router.post("/undo")
def undo(request: Request, study: TheStudy, trial: Text = "", reason: Text = "") -> Response:
    """Take the last entry back."""
    why = optional_text(reason) or UNDONE
    work = lambda: study.retract(read_whole("trial", trial), why)  # noqa: E731
    return _act(request, study, "retracted", work)


@router.post("/trials/{number}/{what}")
def change(
    request: Request,
    study: TheStudy,
    typed: TypedValues,
    number: int,
    what: str,
    reason: Text = "",
    sure: Text = "",
) -> Response:
    """Withdraw a suggestion, take an outcome back, or replace it."""

    did = what

    def correct() -> Trial:
        nonlocal did
        (value, size), before = read_told(study, typed, bool(sure)), study.trial(number)
        right = study.correct(number, value, reason.strip(), sure=bool(sure), size=size)
        is_same = (right.told, right.values) == (before.told, before.values)
        did = "same" if is_same else what
        return right

    works: dict[str, Callable[[], Trial]] = {
        "cancelled": lambda: study.cancel(number, optional_text(reason)),
        "retracted": lambda: study.retract(number, reason.strip()),
        "corrected": correct,
    }
    if what not in works:
        raise NotFoundError("there is nothing of that name to do to a trial")
    again = {"right": typed, "reason": reason}
    return _act_on_trial(request, study, lambda: did, str(number), works[what], **again)


@router.get("/trials/{number}/{what}")
def reload_trial(study: TheStudy, number: int, what: str) -> Response:
    """The address of an error page, opened anew: the trial, whatever was to be done to it."""
    return RedirectResponse(f"/studies/{slug(study.name)}/trials/{number}", 303)


@router.post("/stop")
def stop(request: Request, study: TheStudy, reason: Text = "", key: Text = "") -> Response:
    """End the study."""
    work = lambda: study.stop(reason.strip(), optional_text(key))  # noqa: E731
    return _act(request, study, "stopped", work, SETTINGS)


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

    return _act(request, study, "extended", work, SETTINGS)


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

    return _act(request, study, "amended", work, SETTINGS)


@router.post("/add-arm")
def add_arm(request: Request, study: TheStudy, typed: TypedOption) -> Response:
    """One more option."""
    work = lambda: add_typed_option(study, typed)  # noqa: E731
    return _act(request, study, "added", work, new_option=typed)


@router.post("/retire-arm")
def retire_arm(
    request: Request, study: TheStudy, arm: Text = "", reason: Text = "", key: Text = ""
) -> Response:
    """Take an option out."""
    work = lambda: study.retire_arm(arm.strip(), reason.strip(), optional_text(key))  # noqa: E731
    return _act(request, study, "retired", work, retired={"arm": arm, "reason": reason})


@router.post("/rename")
def rename(
    request: Request, study: TheStudy, name: Text = "", reason: Text = "", key: Text = ""
) -> Response:
    """Give the study another name, and thereby another address."""
    new = name.strip()
    try:
        study.rename(new, optional_text(reason), optional_text(key))
    except InputError as error:
        return study_page(request, study, error, SETTINGS, new_name=name)
    return RedirectResponse(f"/studies/{slug(new)}/settings?did=renamed", 303)


@router.post("/play")
def play_demo(request: Request, study: TheStudy) -> Response:
    """Some simulated outcomes, in a demonstration only."""
    if not is_demo(study):
        raise NotFoundError("only a demonstration has simulated outcomes")
    return _act(request, study, "played", lambda: play(study, TRIALS_AT_ONCE))


@router.get("/ask")
@router.get("/tell")
@router.get("/enter")
@router.get("/undo")
@router.get("/take")
@router.get("/let-go")
@router.get("/stop")
@router.get("/extend")
@router.get("/amend")
@router.get("/add-arm")
@router.get("/retire-arm")
@router.get("/rename")
@router.get("/play")
def reload(study: TheStudy) -> Response:
    """The address of an error page, opened anew: the study, and nothing is done."""
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)
