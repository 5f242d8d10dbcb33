"""Past outcomes: paste or upload them, see what each line would do, then enter them."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from starlette.responses import Response

from goodarm.errors import InputError
from goodarm.remote.failures import message_of
from goodarm.remote.importing import MOST_LINES, Preview, enter, look_at, pasted_text
from goodarm.study import Study, UnlikelyOutcomeError
from goodarm.web.forms.measuring import measurements
from goodarm.web.forms.typed import explain, optional_text, upload
from goodarm.web.pages.study import back
from goodarm.web.server.failures import status_of
from goodarm.web.shown.render import page
from goodarm.web.site import TheStudy

router = APIRouter(prefix="/studies/{slug}")
LABELS = {"data": "Outcomes", "source": "Where they come from"}
Text = Annotated[str, Form()]


@router.get("/import")
def blank(request: Request, study: TheStudy) -> Response:
    """The form."""
    return _form(request, study)


@router.post("/import")
def look(
    request: Request,
    study: TheStudy,
    data: Text = "",
    data_file: Annotated[UploadFile | None, File()] = None,
    source: Text = "",
    confirmed: Text = "",
    sure: Text = "",
) -> Response:
    """Show what would be entered; with `confirmed`, enter it."""
    preview = None
    try:
        content = upload(data_file)
        name = data_file.filename if data_file is not None and content else None
        preview = look_at(study, pasted_text(data, content), optional_text(source) or name)
        if confirmed and not preview.faults:
            done = enter(study, preview, bool(sure))
            if done.added == 0:
                raise InputError(
                    f"source: every line was imported from {preview.source!r} before, so nothing "
                    "was entered; if these are new outcomes, give them another source"
                )
            return back(study, "imported-some" if done.already else "imported")
    except UnlikelyOutcomeError as error:
        return _form(request, study, error, preview)
    except InputError as error:
        return _form(request, study, error, data=data, source=source)
    code = 422 if preview.faults else 200
    return _form(request, study, None, preview, code, data=preview.text, source=source)


def _many(study: Study, preview: Preview) -> int:
    """How many outcomes the lines stand for; of several measurements, lines are counted."""
    if study.settings.criteria:
        return len(preview.lines)
    outcome = study.settings.outcome
    return sum(outcome.units(line.told[0].reading.size) for line in preview.lines)


def _form(
    request: Request,
    study: Study,
    error: InputError | None = None,
    preview: Preview | None = None,
    code: int = 200,
    data: str = "",
    source: str = "",
) -> Response:
    message, wrong = (None, "") if error is None else explain(error, LABELS)
    if isinstance(error, UnlikelyOutcomeError):
        message = message_of(error)
    return page(
        request.scope,
        "import.html",
        code if error is None else status_of(error),
        name=study.name,
        criteria=study.settings.every_criterion,
        measurements=measurements(study.settings),
        preview=preview,
        many=0 if preview is None else _many(study, preview),
        error=message,
        is_unlikely=isinstance(error, UnlikelyOutcomeError),
        wrong=wrong,
        entered={"data": data, "source": source},
        most=MOST_LINES,
    )
