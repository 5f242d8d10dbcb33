"""Finding what is declared in the modules of a folder, or by other packages."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from goodarm.errors import InputError


def declared(package: str, name: str) -> Iterator[Any]:
    """What the modules of a package list under that name; most have nothing of the kind."""
    for module in pkgutil.iter_modules(import_module(package).__path__):
        yield from getattr(import_module(f"{package}.{module.name}"), name, ())


def installed(group: str) -> Iterator[tuple[str, Any]]:
    """What other packages have registered in this group of entry points, with a label for each."""
    for point in entry_points(group=group):
        label = f"entry point {point.name!r} in {group}"
        try:
            loaded = point.load()
        except Exception as error:
            raise InputError(
                f"{label} cannot be loaded: {type(error).__name__}: {error}; "
                f"repair or uninstall the package that has {point.value!r}"
            ) from error
        yield label, loaded
