"""Tokens that open nothing: counted by where they come from, logged, and slowed down.

A token that has opened the server before goes on to do so, whatever else comes from its address:
several people may share one, behind a proxy or a router.
"""

import ipaddress
import logging
from collections import OrderedDict, deque
from pathlib import Path
from threading import Lock
from time import monotonic

from goodarm.remote.failures import BusyError
from goodarm.web.server.shared import Shared

logger = logging.getLogger("goodarm.web")
MINUTE = 60.0
MOST_OF_ONE = 10  # wrong tokens a minute from one address
MOST_OF_ALL = 300  # and from all together
MOST_ADDRESSES = 10_000
MOST_WELCOME = 10_000


class TooManyGuessesError(BusyError):
    """So many wrong tokens came that a new one is not looked at for a while."""


class _Wrong:
    """When wrong tokens came: all of them, and those of each address."""

    def __init__(self) -> None:
        self.of_all: deque[float] = deque(maxlen=MOST_OF_ALL)
        self.by_address: OrderedDict[str, deque[float]] = OrderedDict()

    def note(self, network: str, now: float) -> None:
        own = self.by_address.setdefault(network, deque(maxlen=MOST_OF_ONE))
        self.by_address.move_to_end(network)
        if len(self.by_address) > MOST_ADDRESSES:
            self.by_address.popitem(last=False)
        own.append(now)
        self.of_all.append(now)


class Guesses:
    """The wrong tokens of the last minute, and the right ones that were shown before."""

    def __init__(self, folder: Path | None = None) -> None:
        self._lock = Lock()
        self._wrong = Shared(_Wrong, folder, "guesses")
        self._welcome: OrderedDict[str, None] = OrderedDict()

    def check(self, hashed: str, address: str) -> None:
        """Refuse to look at a token that was never right, after too many wrong ones."""
        with self._lock:
            if hashed in self._welcome:
                return
        with self._wrong.held() as wrong:
            own = wrong.by_address.get(_network(address), deque())
            late = max(_wait(own, MOST_OF_ONE), _wait(wrong.of_all, MOST_OF_ALL))
        if late > 0.0:
            raise TooManyGuessesError(
                "too many wrong tokens came from your address; wait a minute", int(late) + 1
            )

    def was_right(self, hashed: str) -> None:
        """A token has opened the server."""
        with self._lock:
            self._welcome[hashed] = None
            if len(self._welcome) > MOST_WELCOME:
                self._welcome.popitem(last=False)

    def was_wrong(self, address: str) -> None:
        """A token has opened nothing."""
        now, network = monotonic(), _network(address)
        with self._wrong.held() as wrong:
            wrong.note(network, now)
        logger.warning("a wrong token from %s", network)


def _wait(wrong: "deque[float]", most: int) -> float:
    """The seconds until there are fewer than that many in a minute."""
    return wrong[-most] + MINUTE - monotonic() if len(wrong) >= most else 0.0


def _network(address: str) -> str:
    """The address, or the network in which one visitor may have all of them."""
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address[:100]
    if number.version == 4:
        return str(number)
    return str(ipaddress.ip_network((number, 64), strict=False))
