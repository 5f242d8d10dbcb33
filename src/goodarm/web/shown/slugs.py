"""Names in addresses: any name, also one with slashes or dots, as one harmless piece of a path."""

import re

from goodarm.remote.failures import NotFoundError
from goodarm.wording import slug

__all__ = ["name_of", "slug"]

_ESCAPED = re.compile(r"~([0-9a-f]{2})")
_SLUG = re.compile(r"(?:[A-Za-z0-9_-]|~[0-9a-f]{2})+")


def name_of(text: str) -> str:
    """The name that a slug stands for.

    >>> name_of("Cell~20culture~201~2f2")
    'Cell culture 1/2'
    """
    if _SLUG.fullmatch(text) is None:
        raise NotFoundError("there is no study of that name")
    plain = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    try:
        return plain.encode("latin-1").decode("utf-8")
    except UnicodeError:
        raise NotFoundError("there is no study of that name") from None
