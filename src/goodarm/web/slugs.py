"""Names in addresses: any name, also one with slashes or dots, as one harmless piece of a path."""

import re

from goodarm.remote.failures import NotFoundError

_ESCAPED = re.compile(r"~([0-9a-f]{2})")
_SLUG = re.compile(r"(?:[A-Za-z0-9_-]|~[0-9a-f]{2})+")


def slug(name: str) -> str:
    """The name with every byte but letters, digits, ``-`` and ``_`` written as ``~xx``.

    >>> slug("Cell culture 1/2")
    'Cell~20culture~201~2f2'
    """
    encoded = name.encode("utf-8", "surrogatepass")
    return "".join(
        chr(byte) if re.match(rb"[A-Za-z0-9_-]", bytes([byte])) else f"~{byte:02x}"
        for byte in encoded
    )


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
