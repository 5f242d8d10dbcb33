"""Light, dark, or as the system has it: what a browser has chosen, kept in a cookie of its own.

The server writes the choice into the page, so that no page flashes in the other one first.
"""

from starlette.requests import cookie_parser
from starlette.types import Scope

from goodarm.errors import InputError

COOKIE = "goodarm_look"
KEPT_FOR = 365 * 86_400  # seconds
SYSTEM = "system"
LOOKS = {SYSTEM: "System", "light": "Light", "dark": "Dark"}


def look_of(scope: Scope) -> str:
    """How the browser of a request wants its pages."""
    sent = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    chosen = cookie_parser(sent.decode("latin-1")).get(COOKIE, SYSTEM)
    return chosen if chosen in LOOKS else SYSTEM


def check_look(name: str) -> str:
    """A look by its name."""
    if name not in LOOKS:
        raise InputError(f"look: {name[:40]!r} is none of {', '.join(LOOKS)}")
    return name
