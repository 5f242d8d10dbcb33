"""Who is signed in: a cookie holds the random name of a session, which is kept here.

A session is a small file, named by the hash of what the cookie has, so that several processes share
them without a word between them. It says which token opened it and ends when that token does, when
its visitor leaves, when it is revoked, when it is old, or when nobody has used it for a while.
"""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from time import time
from weakref import finalize

from goodarm.errors import InputError
from goodarm.files import unwritable, write
from goodarm.web.visitors.tokens import digest

LONGEST_SESSION = 30 * 86_400.0  # seconds
LONGEST_UNUSED = 7 * 86_400.0
NOTED_EVERY = 60.0  # a use
MOST_OF_A_TOKEN = 100
LONGEST_DEVICE = 200
SHOWN = 12  # digits by which people tell sessions
# What browsers and systems call themselves; the first that occurs, because most name others, too.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox": "Firefox",
    "Chrom": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True)
class Session:
    """A browser that someone has signed in."""

    number: str
    token: str  # the hash of the token that opened it
    device: str  # what the browser says of itself
    opened: float
    used: float

    @property
    def browser(self) -> str:
        """The browser and its system, in short; all that it says where neither is known.

        >>> Session("", "", "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0", 0.0, 0.0).browser
        'Firefox on Linux'
        """
        named = [
            next((name for mark, name in marks.items() if mark in self.device), "")
            for marks in (BROWSERS, SYSTEMS)
        ]
        return " on ".join(filter(None, named)) or self.device

    @property
    def is_over(self) -> bool:
        """Whether it has expired."""
        now = time()
        return now > self.opened + LONGEST_SESSION or now > self.used + LONGEST_UNUSED

    @property
    def opened_at(self) -> str:
        """When it was begun, in UTC."""
        return _moment(self.opened)

    @property
    def used_at(self) -> str:
        """When it was last used, to the minute or so, in UTC."""
        return _moment(self.used)


class Sessions:
    """The sessions of a folder; without one they end with this process."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            folder = Path(mkdtemp(prefix="goodarm-sessions-"))
            finalize(self, partial(rmtree, folder, ignore_errors=True))
        self.folder = folder

    def begin(self, token: str, device: str) -> str:
        """A new session of a token, by its hash; what the cookie is to hold."""
        of_token = [session for session in self.all() if session.token == token]
        for session in of_token[: max(0, len(of_token) - MOST_OF_A_TOKEN + 1)]:
            self.end_numbered(session.number)  # the one that was not used for longest
        name = secrets.token_urlsafe(32)
        data = {"token": token, "device": device[:LONGEST_DEVICE], "opened": time()}
        path = self._path(digest(name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise unwritable(path, error) from None
        write(path, json.dumps(data), mode=0o600)
        return name

    def find(self, name: str) -> Session | None:
        """The session that a cookie names, if it goes on; it counts as used now."""
        path = self._path(digest(name))
        session = _read(path)
        if session is None or session.is_over:
            return None
        if time() > session.used + NOTED_EVERY:
            with suppress(OSError):  # ended at this moment
                os.utime(path)
        return session

    def end(self, name: str) -> None:
        """End the session that a cookie names."""
        with suppress(OSError):
            self._path(digest(name)).unlink(missing_ok=True)

    def end_numbered(self, number: str) -> None:
        """End a session by its number in the list."""
        paths = [path for path in self._paths() if path.stem[:SHOWN] == number]
        if not paths:
            raise InputError(f"number: there is no session {number[:40]!r}; look at the list")
        for path in paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def all(self) -> list[Session]:
        """The sessions that go on, the last used last; those that are over are swept away."""
        found = []
        for path in self._paths():
            session = _read(path)
            if session is not None and not session.is_over:
                found.append(session)
            else:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
        return sorted(found, key=lambda session: session.used)

    def _path(self, hashed: str) -> Path:
        return self.folder / f"{hashed}.json"

    def _paths(self) -> Iterator[Path]:
        with suppress(OSError):
            yield from list(self.folder.glob("*.json"))


def to_dict(session: Session, name: str | None) -> dict[str, object]:
    """What is shown of a session, with the name of its token."""
    shown = {"name": name, "opened_at": session.opened_at, "used_at": session.used_at}
    return {"number": session.number, **shown, "device": asdict(session)["device"]}


def _read(path: Path) -> Session | None:
    try:
        data, used = json.loads(path.read_text(encoding="utf-8")), path.stat().st_mtime
        opened = float(data["opened"])
        return Session(path.stem[:SHOWN], str(data["token"]), str(data["device"]), opened, used)
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
