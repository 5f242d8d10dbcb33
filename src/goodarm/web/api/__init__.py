"""The same actions as JSON, under /api, with a description that programs and people can read."""

from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from goodarm.web.api import changes, outcomes, plans, studies
from goodarm.web.api.shapes import Problem
from goodarm.web.mounted import root_of
from goodarm.web.render import page

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


def add_api(app: FastAPI) -> None:
    """Add the API and its description to the application."""
    for module in (studies, changes, plans, outcomes):
        app.include_router(module.router, prefix="/api", responses=ERRORS)

    @app.get("/api/openapi.json", include_in_schema=False)
    def description(request: Request) -> dict[str, Any]:
        openapi = app.openapi()
        openapi["servers"] = [{"url": root_of(request.scope) or "/"}]
        openapi["components"].setdefault(
            "securitySchemes", {"token": {"type": "http", "scheme": "bearer"}}
        )
        openapi["security"] = [{"token": []}]
        return openapi

    @app.get("/api", include_in_schema=False)
    def overview(request: Request) -> Response:
        return page(request.scope, "api.html", paths=_listed(description(request)))


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
