"""A study on paper: its protocol, and its report."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheStudy

router = APIRouter(prefix="/studies/{slug}")
# Both are files by themselves: they have their styles in them, and nothing else is allowed.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


@router.get("/report")
def report(study: TheStudy, file: str = "") -> Response:
    """The study as it stands, to be read, printed or, as a `file`, sent to others."""
    return _page(study.report_text(), study.name, "report" if file else None)


@router.get("/protocol")
def protocol(study: TheStudy, file: str = "") -> Response:
    """What was declared before the first outcome."""
    return _page(study.protocol_text(), study.name, "protocol" if file else None)


def _page(text: str, name: str, kind: str | None) -> Response:
    answer = HTMLResponse(text, headers={"Content-Security-Policy": POLICY})
    if kind is not None:
        named = f"{slug(name)[:100].replace('~', '_')}_{kind}.html"
        answer.headers["Content-Disposition"] = f'attachment; filename="{named}"'
    return answer
