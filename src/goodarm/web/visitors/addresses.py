"""Which addresses this server answers to, so that no other website can pass for it.

A page elsewhere may give its own name our address (DNS rebinding); the browser then sends our
answers to it. It cannot change the Host header, which still has its own name.
"""

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple

from goodarm.errors import InputError

LOOPBACK_NAMES = ("localhost",)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?", re.IGNORECASE | re.ASCII)


class Address(NamedTuple):
    """A host, in lower case and without brackets, and a port if one was given."""

    host: str
    port: int | None


def parse_address(text: str) -> Address | None:
    """The address that a Host header names, or None if it is not well formed."""
    match = _HOST.fullmatch(text)
    if match is None:
        return None
    port = None if match[2] is None else int(match[2])
    if port is not None and not 0 < port < 65536:
        return None
    return Address(match[1].strip("[]").lower(), port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    number = _number(host)
    return host.lower() in LOOPBACK_NAMES if number is None else number.is_loopback


class Addresses:
    """The addresses that a server at host and port answers to, and `others` named on purpose."""

    def __init__(
        self, host: str, port: int, others: Iterable[str] = (), usual_port: int = 80
    ) -> None:
        self.port = port
        self._left_out = None if port == usual_port else port  # as an address has it
        self.is_public = not is_loopback(host)
        self._host = host.lower()
        self._others = {self._named(text) for text in others}

    def allows(self, header: str | None) -> bool:
        """Whether a request with this Host header is meant for us."""
        address = None if header is None else parse_address(header)
        if address is None:
            return False
        host, port = address
        if address in self._others:
            return True
        if Address(host, None) in self._others:
            return port == self.port
        if port not in (self._left_out, self.port):
            return False
        if is_loopback(host) or host == self._host:
            return True
        # A number cannot be rebound by a name server; names must have been given.
        return self.is_public and _number(host) is not None

    def same_origin(self, origin: str, header: str | None) -> bool:
        """Whether an Origin header names the address that the request itself was sent to."""
        scheme, separator, rest = origin.partition("://")
        if not separator or scheme not in ("http", "https") or header is None:
            return False
        return parse_address(rest) is not None and rest.lower() == header.lower()

    @staticmethod
    def _named(text: str) -> Address:
        address = parse_address(text)
        if address is None:
            raise InputError(f"allow-host: {text!r} is not a name or name:port")
        return address


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
