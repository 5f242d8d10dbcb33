"""The pages, each group in a file of its own."""

from fastapi import FastAPI

from goodarm.web.pages import actions, creating, entrance, importing, plans, studies, study


def add_pages(app: FastAPI) -> None:
    """Add every page to the application; none of them is in the API's description."""
    for module in (entrance, studies, creating, study, actions, importing, plans):
        app.include_router(module.router, include_in_schema=False)
