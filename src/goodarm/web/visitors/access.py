"""Who is asking: a token in a header, or the session that a cookie names; and what it permits."""

import hmac
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import cookie_parser

from goodarm.errors import InputError
from goodarm.web.visitors.guesses import Guesses
from goodarm.web.visitors.sessions import Session, Sessions
from goodarm.web.visitors.tokens import WRITE, NamedToken, TokenFile, digest

logger = logging.getLogger("goodarm.web")


@dataclass(frozen=True)
class Visitor:
    """Someone who has shown a token; the name is recorded with everything done."""

    name: str | None
    role: str

    @property
    def may_write(self) -> bool:
        """Whether this visitor may change anything."""
        return self.role == WRITE


@dataclass(frozen=True)
class Credential:
    """What a request shows: a token, the name of a session, or nothing."""

    token: str | None
    session: str | None

    @property
    def is_nothing(self) -> bool:
        """Whether the request comes from a stranger."""
        return not self.token and not self.session


class Access:
    """The tokens that open this server: the one it was started with, and the named ones."""

    def __init__(
        self,
        own: str | None,
        owner: str | None,
        named: TokenFile | None,
        sessions: Sessions | None = None,
        folder: Path | None = None,
    ) -> None:
        self._own = None if own is None else digest(own)
        self._owner = owner
        self._named = named
        self.sessions = sessions or Sessions()
        self._guesses = Guesses(folder)

    def visitor(self, token: str | None) -> Visitor | None:
        """Who shows this token, or None if it opens nothing."""
        return self._of(digest(token)) if token else None

    def of_request(self, shown: Credential, address: str) -> Visitor | None:
        """Who makes a request; a TooManyGuessesError where too many wrong tokens came before."""
        if shown.session is not None:
            session = self.sessions.find(shown.session)
            return None if session is None else self._of(session.token)
        return None if shown.token is None else self._guess(shown.token, address)

    def sign_in(self, token: str, device: str, address: str) -> str | None:
        """What the cookie of a new session is to hold; None if the token opens nothing."""
        if self._guess(token, address) is None:
            return None
        return self.sessions.begin(digest(token), device)

    def sessions_beside(self, name: str) -> list[Session]:
        """All sessions of the token that has opened the one that a cookie names."""
        own = self.sessions.find(name)
        every = self.sessions.all()
        return [] if own is None else [session for session in every if session.token == own.token]

    def _guess(self, token: str, address: str) -> Visitor | None:
        if not token:
            return None
        hashed = digest(token)
        self._guesses.check(hashed, address)
        visitor = self._of(hashed)
        if visitor is None:
            self._guesses.was_wrong(address)
        else:
            self._guesses.was_right(hashed)
        return visitor

    def _of(self, hashed: str) -> Visitor | None:
        """Whose token has this hash."""
        if self._own is not None and hmac.compare_digest(hashed, self._own):
            return Visitor(self._owner, WRITE)
        owner = self._owner_of(hashed)
        return None if owner is None else Visitor(owner.name, owner.role)

    def _owner_of(self, hashed: str) -> NamedToken | None:
        try:
            return None if self._named is None else self._named.find_hash(hashed)
        except InputError as error:  # the file is damaged: nobody named gets in
            logger.error("tokens: %s", error)
            return None


def shown_in(headers: Mapping[str, str], cookie: str) -> Credential:
    """What a request shows; a header counts before a cookie."""
    authorization = headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        return Credential(token.strip() if scheme.lower() == "bearer" else None, None)
    return Credential(None, cookie_parser(headers.get("cookie", "")).get(cookie))
