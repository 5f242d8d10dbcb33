"""What a bare installation leaves out, and what to do where it is asked for.

`pip install goodarm` is enough for gates and live studies. All else comes with extras, of the
names in pyproject.toml. Whoever is about to use one asks for it first, so that it is missed in one
line, before any work, and not in the middle of it.
"""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from importlib.util import find_spec
from typing import ParamSpec, TypeVar

from goodarm.errors import InputError

P = ParamSpec("P")
T = TypeVar("T")

LAB, WEB, MCP, POSTGRES, DASK = "lab", "web", "mcp", "postgres", "dask"
CUDA, PANDAS, TIMESTAMPS = "cuda", "pandas", "timestamps"
UVLOOP = () if sys.platform == "win32" else ("uvloop",)
LAB_MODULES = ("numba", "scipy", "polars", "matplotlib")
EXTRAS: Mapping[str, tuple[str, ...]] = {  # the modules of each, beside those of the core
    LAB: LAB_MODULES,
    WEB: (
        "fastapi",
        "starlette",
        "uvicorn",
        "httptools",
        *UVLOOP,
        "jinja2",
        "python_multipart",
        "prometheus_client",
    ),
    MCP: ("mcp",),
    POSTGRES: ("psycopg",),
    TIMESTAMPS: ("rfc3161_client",),
    DASK: (*LAB_MODULES, "distributed"),
    CUDA: (*LAB_MODULES, "numba_cuda"),
    PANDAS: (*LAB_MODULES, "pandas", "pyarrow"),
}
_found: set[str] = set()


class MissingExtraError(InputError):
    """Something needs an extra that is not installed."""


def has(extra: str) -> bool:
    """Whether all modules of an extra are installed; none of them is imported."""
    if extra not in _found and all(map(_is_there, EXTRAS[extra])):
        _found.add(extra)
    return extra in _found


def need(extra: str, what: str) -> None:
    """Raise a MissingExtraError, which says that `what` needs it, unless it is installed."""
    if not has(extra):
        raise MissingExtraError(f"{what} needs goodarm[{extra}]: {remedy(extra)}")


def needs(extra: str, what: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function ask for an extra before anything else."""

    def ask_first(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def asking(*args: P.args, **kwargs: P.kwargs) -> T:
            need(extra, what)
            return function(*args, **kwargs)

        return asking

    return ask_first


def remedy(extra: str) -> str:
    """How to install it, for a shell of any kind.

    >>> print(remedy("lab"))
    pip install "goodarm[lab]"
    """
    return f'pip install "goodarm[{extra}]"'


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # kept out by someone, or half there
        return False
