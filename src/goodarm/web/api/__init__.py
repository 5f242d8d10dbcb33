"""The same actions as JSON, under /api/v1, with a description that programs and people can read.

Under /api, without a version, everything answers as it did before there were versions.
"""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from goodarm.web.api import changes, lists, outcomes, plans, studies
from goodarm.web.api.shapes import Problem
from goodarm.web.api.words import explain
from goodarm.web.server.mounted import root_of
from goodarm.web.shown.render import page

ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request cannot be read"},
    401: {"model": Problem, "description": "No token, or none that is valid"},
    403: {"model": Problem, "description": "The token may not change anything"},
    404: {"model": Problem, "description": "There is nothing of that name"},
    409: {"model": Problem, "description": "It does not fit what the study already holds"},
    422: {"model": Problem, "description": "An input that cannot be used; the message says why"},
    429: {"model": Problem, "description": "Busy; try again after as many seconds as it says"},
    501: {"model": Problem, "description": "It needs an extra that is not installed here"},
    503: {"model": Problem, "description": "The database cannot be used now"},
}
V1 = "/api/v1"
OF_V1 = (lists.router, studies.router, plans.router, outcomes.router)
BEFORE_VERSIONS = (
    studies.before_totals,
    studies.router,
    changes.router,
    changes.for_the_page,
    plans.router,
    outcomes.router,
)


def add_changes(app: FastAPI) -> None:
    """Add what programs ask for most: routes are tried in order."""
    _include(app, changes.router, V1, "")


def add_api(app: FastAPI) -> None:
    """Add the rest of the API and its description to the application."""
    for router in OF_V1:
        _include(app, router, V1, "")
    for router in BEFORE_VERSIONS:
        _include(app, router, "/api", "before_versions_")

    def description(request: Request) -> dict[str, Any]:
        openapi = explain(app.openapi())
        openapi["servers"] = [{"url": root_of(request.scope) or "/"}]
        openapi["components"].setdefault(
            "securitySchemes", {"token": {"type": "http", "scheme": "bearer"}}
        )
        openapi["security"] = [{"token": []}]
        return openapi

    @app.get("/api/openapi.json", include_in_schema=False)
    def described(request: Request) -> dict[str, Any]:
        return description(request)

    @app.get("/api/v1/openapi.json", include_in_schema=False)
    def described_v1(request: Request) -> dict[str, Any]:
        whole = description(request)
        return {**whole, "paths": _of_v1(whole["paths"])}

    @app.get("/api", include_in_schema=False)
    def overview(request: Request) -> Response:
        whole = description(request)
        listed = _listed({**whole, "paths": _of_v1(whole["paths"])})
        return page(request.scope, "api.html", paths=listed)


def _include(app: FastAPI, router: APIRouter, prefix: str, ids: str) -> None:
    def operation_id(route: APIRoute) -> str:
        return ids + route.name

    app.include_router(
        router,
        prefix=prefix,
        responses=ERRORS,
        deprecated=True if ids else None,
        generate_unique_id_function=operation_id,
    )


def _of_v1(paths: Mapping[str, Any]) -> dict[str, Any]:
    return {path: what for path, what in paths.items() if path.startswith(f"{V1}/")}


def _listed(description: dict[str, Any]) -> list[dict[str, Any]]:
    """Each operation with its inputs, as the page shows them."""
    shapes = description["components"]["schemas"]
    listed = []
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = shapes.get(name, {}).get("properties", {})
            needed = shapes.get(name, {}).get("required", [])
            listed.append(
                {
                    "method": method.upper(),
                    "path": path,
                    "summary": operation.get("description") or operation.get("summary"),
                    "parameters": [
                        p for p in operation.get("parameters", []) if p["in"] == "query"
                    ],
                    "fields": [
                        (field, shape.get("description", ""), field in needed)
                        for field, shape in fields.items()
                    ],
                }
            )
    return listed
