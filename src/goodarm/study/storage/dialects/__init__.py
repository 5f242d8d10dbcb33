"""The databases that studies can live in: every file of this folder that has a `DIALECT`."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from goodarm.errors import InputError
from goodarm.study.storage.dialects.contract import Dialect, Trouble

__all__ = ["Dialect", "Trouble", "dialect_of", "dialects", "parse_storage"]
FILES = "sqlite"  # what a bare path means


@cache
def dialects() -> dict[str, Dialect]:
    """Every dialect by SQLAlchemy's name for it."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    loaded = (importlib.import_module(f"{__name__}.{module.name}") for module in modules)
    every: list[Dialect] = [module.DIALECT for module in loaded if hasattr(module, "DIALECT")]
    return {dialect.name: dialect for dialect in every}


def dialect_of(connection: sa.Connection) -> Dialect:
    """The dialect of a connection."""
    return dialects()[connection.dialect.name]


def parse_storage(storage: object) -> tuple[Dialect, URL]:
    """The database that a storage names: by its URL, or the SQLite file at that path."""
    if not isinstance(storage, str | Path) or not str(storage).strip():
        raise InputError(f"storage: {storage!r} is neither a URL nor a path")
    text = str(storage)
    if "://" not in text:
        files = dialects()[FILES]
        return files, files.check_url(URL.create(files.driver, database=text))
    every = sorted(dialects().values(), key=lambda dialect: dialect.name != FILES)
    try:
        url = make_url(text)
    except ArgumentError:
        raise InputError(
            "storage: not a URL that can be read; write "
            + " or ".join(dialect.example for dialect in every)
        ) from None
    for dialect in every:
        if url.drivername in (dialect.driver, *dialect.aliases):
            return dialect, dialect.check_url(url)
    names = " or ".join(dialect.driver for dialect in every)
    raise InputError(f"storage: {url.drivername!r} is not {names}")
