"""The pages, one file per group: each module of this folder has a `router`, and is found by itself.

A page that belongs into the menu at the top has a `MENU` entry, too.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import NamedTuple

from fastapi import FastAPI


class MenuEntry(NamedTuple):
    """A link in the menu at the top of every page."""

    position: int
    title: str
    path: str


def add_pages(app: FastAPI) -> None:
    """Add every page to the application; none of them is in the API's description."""
    for module in _modules():
        app.include_router(module.router, include_in_schema=False)


def menu() -> list[MenuEntry]:
    """What the menu leads to, in order."""
    return sorted(module.MENU for module in _modules() if hasattr(module, "MENU"))


@cache
def _modules() -> tuple[ModuleType, ...]:
    return tuple(import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
