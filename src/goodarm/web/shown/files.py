"""A study's log as a file to download."""

from starlette.responses import Response

from goodarm.remote.failures import NotFoundError
from goodarm.study import Study
from goodarm.study.log.export import FORMATS
from goodarm.web.shown.slugs import slug

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


def download(study: Study, kind: str) -> Response:
    """The log as CSV, JSON or Parquet, to be saved and never shown in place."""
    if kind not in FORMATS:
        raise NotFoundError(f"files are {', '.join(FORMATS)}")
    name = slug(study.name)[:120].replace("~", "_")
    return Response(
        study.export_bytes(kind),
        media_type=TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"'},
    )
