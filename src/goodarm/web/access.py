"""Who is asking: a token, in a cookie or in a header, and what it permits."""

import hmac
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import cookie_parser

from goodarm.errors import InputError
from goodarm.web.tokens import WRITE, TokenFile

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


class Access:
    """The tokens that open this server: the one it was started with, and the named ones."""

    def __init__(self, own: str | None, owner: str | None, named: TokenFile | None) -> None:
        self._own = own
        self._owner = owner
        self._named = named

    def visitor(self, token: str | None) -> Visitor | None:
        """Who shows this token, or None if it opens nothing."""
        if not token:
            return None
        if self._own is not None and hmac.compare_digest(token.encode(), self._own.encode()):
            return Visitor(self._owner, WRITE)
        try:
            owner = None if self._named is None else self._named.find(token)
        except InputError as error:  # the file is damaged: nobody named gets in
            logger.error("tokens: %s", error)
            return None
        return None if owner is None else Visitor(owner.name, owner.role)


def token_in(headers: Mapping[str, str], cookie: str) -> tuple[str | None, bool]:
    """The token that a request shows, and whether it came in the cookie."""
    authorization = headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        return (token.strip() if scheme.lower() == "bearer" else None), False
    return cookie_parser(headers.get("cookie", "")).get(cookie), True
