"""Named tokens for several people: a small file that holds their hashes, never the tokens.

A token has 256 random bits, so one round of SHA-256 keeps it safe: there is nothing to guess.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.files import read_text, unwritable, write

READ, WRITE = "read", "write"
ROLES = (READ, WRITE)
LONGEST_TOKEN_NAME = 100
FEWEST_CHARACTERS = 8  # different ones, in a token of someone's own


@dataclass(frozen=True)
class NamedToken:
    """Who a token belongs to and what it permits; the token itself is not known here."""

    name: str
    role: str
    hash: str
    created_at: str


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_weak(token: str) -> bool:
    """Whether a token of someone's own is one of the first that others would try.

    >>> is_weak("x" * 40), is_weak("lab-lab-lab-lab-lab-lab-"), is_weak("abcdefghijklmnopqrst")
    (True, True, True)
    """
    steps = [ord(b) - ord(a) for a, b in pairwise(token)]
    repeats = token in (token + token)[1:-1]  # a word over and over
    runs = sum(a == b and abs(a) <= 1 for a, b in pairwise(steps))  # aaaa, 1234, zyxw
    return repeats or runs > len(steps) / 2 or len(set(token)) < FEWEST_CHARACTERS


def sessions_beside(path: Path) -> Path:
    """The folder of the sessions that tokens of this file have opened."""
    return path.with_name(f"{path.stem}-sessions")


def default_path() -> Path:
    """The file of named tokens of this user."""
    path = os.environ.get("GOODARM_TOKENS")
    if path:
        return Path(path)
    home = os.environ.get("APPDATA") or os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "goodarm" / "tokens.json"


class TokenFile:
    """The named tokens; a change by another process is seen at the next request."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._version: tuple[int, int, int] | None = None
        self._tokens: dict[str, NamedToken] = {}

    def find(self, token: str) -> NamedToken | None:
        """Who shows this token, or None."""
        return self.find_hash(digest(token))

    def find_hash(self, hashed: str) -> NamedToken | None:
        """Whose token has this hash, or None."""
        return self._read().get(hashed)

    def all(self) -> list[NamedToken]:
        """All tokens, by name."""
        return sorted(self._read().values(), key=lambda token: token.name)

    def create(self, name: str, role: str) -> str:
        """Make a token for a name that has none; the only time it can be seen."""
        if role not in ROLES:
            raise unknown_name("role", role, ROLES)
        if not name.strip() or name != name.strip() or not name.isprintable():
            raise InputError(f"name: {name!r} cannot be shown; write a plain name")
        if len(name) > LONGEST_TOKEN_NAME:
            raise InputError(
                f"name: {len(name)} characters; at most {LONGEST_TOKEN_NAME} are allowed"
            )
        token = secrets.token_urlsafe(32)
        with self._changing() as tokens:
            if any(other.name == name for other in tokens.values()):
                raise InputError(f"name: {name!r} has a token; revoke it first to make another")
            now = datetime.now(UTC).isoformat(timespec="seconds")
            tokens[digest(token)] = NamedToken(name, role, digest(token), now)
        return token

    def revoke(self, name: str) -> None:
        """Take a name's token away; it is refused from the next request on."""
        with self._changing() as tokens:
            keys = [key for key, token in tokens.items() if token.name == name]
            if not keys:
                raise unknown_name("token name", name, [t.name for t in tokens.values()])
            for key in keys:
                del tokens[key]

    def _read(self) -> dict[str, NamedToken]:
        with self._lock:
            try:
                state = self.path.stat()
            except OSError:
                self._version, self._tokens = None, {}
                return self._tokens
            version = (state.st_mtime_ns, state.st_size, state.st_ino)
            if version != self._version:
                self._tokens, self._version = self._load(), version
            return self._tokens

    def _load(self) -> dict[str, NamedToken]:
        try:
            data: dict[str, Any] = json.loads(read_text(self.path))
            tokens = [NamedToken(**entry) for entry in data["tokens"]]
        except InputError:
            raise
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{str(self.path)!r} is not a file of tokens; move it away") from None
        return {token.hash: token for token in tokens if token.role in ROLES}

    @contextmanager
    def _changing(self) -> Iterator[dict[str, NamedToken]]:
        """The tokens, written back as a whole: a reader sees the old file or the new one."""
        tokens = dict(self._read())
        yield tokens
        text = json.dumps({"tokens": [asdict(token) for token in tokens.values()]}, indent=1)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise unwritable(self.path, error) from None
        write(self.path, text + "\n", mode=0o600)
