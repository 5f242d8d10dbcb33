"""Telling another server when a study is answered: one signed POST, sent until it has arrived.

The address is that of whoever starts the server, never of a visitor, and leads nowhere else: an
answer that sends us on is a refusal. A study that is answered by another process is noticed, too;
one that was answered while no server ran is not announced.
"""

import hashlib
import hmac
import http.client
import json
import logging
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic, time
from typing import Any
from urllib.parse import urlsplit

from goodarm.errors import InputError
from goodarm.study import StorageError, Studies
from goodarm.study.log.fold import DECIDED
from goodarm.web.server.shared import Shared
from goodarm.web.shown.slugs import slug
from goodarm.web.visitors.addresses import is_loopback

logger = logging.getLogger("goodarm.web")
LOOK_EVERY = 5.0  # seconds; changes of this process are looked at sooner
LOOK_AT_MOST_EVERY = 0.2
PAUSES = (1.0, 5.0, 30.0, 120.0, 600.0, 3600.0)  # before the second attempt, the third, …
TIMEOUT = 10.0
FEWEST_LETTERS = 16
MOST_WAITING = 1_000


@dataclass
class Delivery:
    """A message, and how often and when it is to be tried again."""

    name: str
    number: str  # the same for every attempt
    body: bytes
    attempts: int = 0
    due: float = 0.0


@dataclass
class _Post:
    """What was announced, and what is on its way."""

    known: dict[int, str] | None = None  # the answered studies; None before the first look
    waiting: deque[Delivery] = field(default_factory=lambda: deque(maxlen=MOST_WAITING))

    @property
    def due(self) -> float:
        """When the next attempt is to be made."""
        return min((each.due for each in self.waiting), default=inf)


class Webhooks:
    """Announces the answers of one database at an address, from a thread of its own.

    Of processes that share a folder any may send a message, and one does.
    """

    def __init__(self, studies: Studies, url: str, secret: str, folder: Path | None = None) -> None:
        self._url, self._secret = check_url(url), check_secret(secret)
        self._studies = studies
        self._post = Shared(_Post, folder, "webhooks")
        with self._post.held() as post:
            if post.known is None:
                post.known = studies.in_state(DECIDED)
        self._due = -inf
        self._look, self._closing = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="goodarm-webhooks", daemon=True)
        studies.store.followers.add(self)
        self._thread.start()

    def committed(self, study: int, seq: int) -> None:
        """A study was changed here; it is looked at in a moment."""
        self._look.set()

    def close(self) -> None:
        """Send nothing more."""
        self._closing.set()
        self._look.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._look.wait(min(LOOK_EVERY, max(0.0, self._due - monotonic())))
            if self._closing.wait(LOOK_AT_MOST_EVERY):
                return
            self._look.clear()
            with self._post.held() as post, suppress(StorageError):  # looked at again soon
                self._find(post)
            with self._post.held() as post:  # what was found is noted, whatever happens now
                for delivery in [each for each in post.waiting if each.due <= monotonic()]:
                    self._try(post, delivery)
                self._due = post.due

    def _find(self, post: _Post) -> None:
        """Take in those that were answered since."""
        decided = self._studies.in_state(DECIDED)
        for number in decided.keys() - (post.known or {}).keys():
            name = decided[number]
            with suppress(InputError):  # renamed at this moment: it is found again
                post.waiting.append(message(self._studies, name))
                continue
            decided.pop(number)
        post.known = decided

    def _try(self, post: _Post, delivery: Delivery) -> None:
        if self._closing.is_set():
            return
        trouble = self._send(delivery)
        if trouble is None:
            post.waiting.remove(delivery)
            return
        if delivery.attempts >= len(PAUSES):
            post.waiting.remove(delivery)
            logger.error("webhook: %r was given up: %s", delivery.name, trouble)
            return
        delivery.due = monotonic() + PAUSES[delivery.attempts]
        delivery.attempts += 1
        logger.warning("webhook: %r is tried again: %s", delivery.name, trouble)

    def _send(self, delivery: Delivery) -> str | None:
        """What went wrong, or None if it has arrived."""
        parts = urlsplit(self._url)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "goodarm",
            "Goodarm-Delivery": delivery.number,
            "Goodarm-Signature": sign(self._secret, delivery.body, int(time())),
        }
        where = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection.request("POST", where, delivery.body, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return f"{parts.hostname} cannot be reached ({error})"
        finally:
            connection.close()
        return None if 200 <= status < 300 else f"{parts.hostname} has answered {status}"


def check_url(url: str) -> str:
    """An address that may be told: by https, or on this machine."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise InputError(f"webhook: {url[:80]!r} is no address; write https://host/path")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise InputError(f"webhook: {url[:80]!r} can be read on the way; use https://")
    return url


def check_secret(secret: str) -> str:
    """What messages are signed with."""
    if len(secret) < FEWEST_LETTERS:
        raise InputError(
            f"webhook: set GOODARM_WEBHOOK_SECRET, at least {FEWEST_LETTERS} characters that the "
            "receiver knows, too"
        )
    return secret


def sign(secret: str, body: bytes, moment: int) -> str:
    """The time, and the HMAC-SHA256 of time and body, by which a receiver knows the sender."""
    signed = hmac.new(secret.encode(), b"%d." % moment + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={signed}"


def message(studies: Studies, name: str) -> Delivery:
    """What is said of a study that was answered."""
    status = studies.open(name).status()
    said: dict[str, Any] = {
        "event": "study.answered",
        "study": name,
        "id": slug(name),
        "decision": status.decision,
        "meaning": status.meaning,
        "confidence": status.confidence,
        "trials": status.trials,
        "head": status.head,
        "at": status.updated_at,
    }
    return Delivery(name, status.head, json.dumps(said).encode())
