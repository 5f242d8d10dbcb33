"""The studies of a server: what can be asked of each, and done to it.

Every change carries a key, made up unless one is given, so that it can be sent again when an answer
was lost: it counts once.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, overload
from uuid import uuid4

from goodarm.client.connection import FIRST_PAUSE, PATIENCE_WITH_SERVER, Connection
from goodarm.errors import InputError
from goodarm.files import write
from goodarm.inputs import seconds
from goodarm.outcomes import Outcome
from goodarm.study.errors import StorageError
from goodarm.study.trials import Trial
from goodarm.wording import slug

Event = dict[str, Any]
Value = float | Mapping[str, float]
GivenOutcome = tuple[Trial | int | str, Value] | tuple[Trial | int | str, Value, Value]
TIMEOUT = 60.0


class Client:
    """A goodarm server, by its address and a token.

    Its studies answer like those of `goodarm.Study`, and refuse with the same exceptions. What
    cannot be sent for a moment is sent again, for up to a minute, and counts once.
    """

    def __init__(self, url: str, token: str, timeout: float = TIMEOUT) -> None:
        self._connection = Connection(url, token, timeout)

    def create(
        self,
        name: str,
        arms: list[str] | tuple[str, ...],
        threshold: float | Sequence[float] | None = None,
        outcome: Outcome | str | None = None,
        key: str | None = None,
        **settings: Any,
    ) -> "RemoteStudy":
        """Create a study there; `settings` are those of `Study.create`, such as `delta`.

        Criteria are texts there, such as "efficacy:bernoulli>=0.3".
        """
        text = outcome.text() if isinstance(outcome, Outcome) else outcome
        given: dict[str, Any] = {"name": name, "arms": list(arms), "threshold": threshold}
        made = {**given, "outcome": text, **settings, "key": _key(key)}
        self._connection.data("/studies", made)
        return RemoteStudy(self._connection, name)

    def study(self, name: str) -> "RemoteStudy":
        """The study of that name, which must be there."""
        found = RemoteStudy(self._connection, name)
        found.status()
        return found

    def studies(
        self,
        search: str = "",
        limit: int = 100,
        offset: int = 0,
        *,
        tag: str = "",
        archived: bool = False,
    ) -> list[dict[str, Any]]:
        """Studies whose names contain a text, the latest changed first, in short.

        With a `tag` only those that have it; with `archived` those that were put away, instead of
        the others.
        """
        query: dict[str, Any] = {"search": search, "limit": limit, "offset": offset, "tag": tag}
        query |= {"archived": "true"} if archived else {}
        listed: list[dict[str, Any]] = self._connection.data("/studies", query=query)["studies"]
        return listed

    def close(self) -> None:
        """Close all connections; the next request opens another."""
        self._connection.close_all()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class RemoteStudy:
    """One study of a server."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._known: tuple[str, bool, dict[str, Any]] | None = None  # its tag, and what it was

    @property
    def name(self) -> str:
        """The study's name."""
        return self._name

    @property
    def pending(self) -> tuple[Trial, ...]:
        """The suggestions whose outcomes are awaited, oldest first."""
        return tuple(Trial(**trial) for trial in self.status()["pending"])

    @property
    def finished(self) -> bool:
        """Whether nothing is suggested any more: answered, used up or stopped."""
        return bool(self.status()["state"] != "open")

    def status(self, simultaneous: bool = False) -> dict[str, Any]:
        """Everything at one moment, as `Study.status().to_dict()` has it, with `pending` trials.

        It is sent only if something has changed since it was asked for last.
        """
        known = self._known if self._known and self._known[1] == simultaneous else None
        headers = {} if known is None else {"If-None-Match": known[0]}
        query = {"simultaneous": "true"} if simultaneous else {}
        reply = self._connection.call(self._at(), query=query, headers=headers)
        if reply.status == 304 and known is not None:
            return known[2]
        data: dict[str, Any] = json.loads(reply.body)
        self._known = (reply.headers.get("etag", ""), simultaneous, data)
        return data

    @overload
    def ask(
        self,
        n: None = None,
        *,
        arm: str | None = ...,
        lease: float | timedelta | None = ...,
        key: str | None = ...,
    ) -> Trial: ...

    @overload
    def ask(
        self,
        n: int,
        *,
        arm: str | None = ...,
        lease: float | timedelta | None = ...,
        key: str | None = ...,
    ) -> list[Trial]: ...

    def ask(
        self,
        n: int | None = None,
        *,
        arm: str | None = None,
        lease: float | timedelta | None = None,
        key: str | None = None,
    ) -> Trial | list[Trial]:
        """What to try next: `ask()` gives one trial, `ask(n)` a list of n."""
        wanted = {"n": 1 if n is None else n, "arm": arm, "lease": seconds("lease", lease)}
        asked = [Trial(**trial) for trial in self._post("ask", wanted, key)]
        return asked[0] if n is None else asked

    def tell(
        self,
        trial_or_arm: Trial | int | str,
        value: Value,
        at: str | None = None,
        note: str | None = None,
        key: str | None = None,
        sure: bool = False,
        size: Value | None = None,
    ) -> Trial:
        """Record an outcome: of a trial (itself or its number), or of an arm by name, unasked.

        Where a trial has several measurements, `value` has those that are known by now.
        """
        told = {**_what(trial_or_arm), "value": _number(value), "size": size}
        more = {"at": at, "note": note, "sure": bool(sure)}
        return Trial(**self._post("tell", {**told, **more}, key))

    def tell_many(
        self, outcomes: Iterable[GivenOutcome], sure: bool = False, key: str | None = None
    ) -> int:
        """Record outcomes that came in together, all or none; how many there were.

        One request has at most 100,000 of them.
        """
        pairs = [_pair(*given) for given in outcomes]
        body = {"outcomes": pairs, "sure": bool(sure), "brief": True}
        return int(self._post("tell-many", body, key)["told"])

    def cancel(
        self, trial: Trial | int, reason: str | None = None, key: str | None = None
    ) -> Trial:
        """Withdraw a suggestion whose outcome will not come."""
        return Trial(**self._post("cancel", {"trial": _trial(trial), "reason": reason}, key))

    def cancel_all(self, reason: str | None = None, key: str | None = None) -> list[Trial]:
        """Withdraw every suggestion whose outcome has not come."""
        return [Trial(**trial) for trial in self._post("cancel-all", {"reason": reason}, key)]

    def retract(self, trial: Trial | int, reason: str, key: str | None = None) -> Trial:
        """Take an outcome back. The log keeps it."""
        return Trial(**self._post("retract", {"trial": _trial(trial), "reason": reason}, key))

    def correct(
        self,
        trial: Trial | int,
        value: Value,
        reason: str,
        note: str | None = None,
        sure: bool = False,
        size: Value | None = None,
        key: str | None = None,
    ) -> Trial:
        """Replace a wrong outcome by the right one. The log keeps both."""
        right = {"trial": _trial(trial), "value": _number(value), "size": size, "reason": reason}
        return Trial(**self._post("correct", {**right, "note": note, "sure": bool(sure)}, key))

    def renew(self, trial: Trial | int, lease: float | timedelta) -> Trial:
        """Let an open trial, which is still being made, expire only so many seconds from now."""
        body = {"trial": _trial(trial), "lease": seconds("lease", lease)}
        return Trial(**self._connection.data(self._at("/renew"), body))

    def extend(
        self,
        trials: int | None = None,
        delta: float | None = None,
        reason: str | None = None,
        key: str | None = None,
    ) -> None:
        """Go on after the end, or beyond the budget."""
        self._post("extend", {"trials": trials, "delta": delta, "reason": reason}, key)

    def amend(
        self,
        threshold: float | None = None,
        reason: str = "",
        key: str | None = None,
        boundary: str | None = None,
    ) -> None:
        """Change threshold or stopping rule; once outcomes are known, the study warns of it."""
        body = {"threshold": threshold, "boundary": boundary, "reason": reason}
        self._post("amend", body, key)

    def add_arm(
        self,
        name: str,
        reason: str,
        *,
        threshold: Value | None = None,
        label: str | None = None,
        cost: float | None = None,
        note: str | None = None,
        key: str | None = None,
    ) -> None:
        """One more arm, while the study is under way; it gets a share of δ fixed beforehand."""
        said = {"threshold": threshold, "label": label, "cost": cost, "note": note}
        self._post("add-arm", {"arm": name, "reason": reason, **said}, key)

    def retire_arm(self, name: str, reason: str, key: str | None = None) -> None:
        """Take an arm out: it is not tried any more and cannot be named; the others go on."""
        self._post("retire-arm", {"arm": name, "reason": reason}, key)

    def rename(self, name: str, reason: str | None = None, key: str | None = None) -> None:
        """Give the study another name. The log keeps the old one."""
        self._post("rename", {"name": name, "reason": reason}, key)
        self._name = name

    def archive(self, reason: str | None = None, key: str | None = None) -> None:
        """Put the study away: lists leave it out. Nothing else changes; `unarchive` undoes it."""
        self._post("archive", {"reason": reason}, key)

    def unarchive(self, reason: str | None = None, key: str | None = None) -> None:
        """Bring the study back into the lists."""
        self._post("unarchive", {"reason": reason}, key)

    def tag(
        self, add: Iterable[str] = (), remove: Iterable[str] = (), key: str | None = None
    ) -> tuple[str, ...]:
        """Add tags and remove others; the tags that it has then. They are kept in small letters."""
        changed = self._post("tag", {"add": list(add), "remove": list(remove)}, key)
        return tuple(changed["tags"])

    def stop(self, reason: str, key: str | None = None) -> None:
        """End the study. Outcomes that still come in count."""
        self._post("stop", {"reason": reason}, key)

    def trial(self, number: int) -> Trial:
        """One trial and what became of it."""
        return Trial(**self._connection.data(self._at(f"/trials/{int(number)}")))

    def events(self, after: int = 0, limit: int = 1000) -> list[Event]:
        """The log's events after number `after`, oldest first: seq, kind, text and hash."""
        query = {"after": after, "limit": limit}
        found: list[Event] = self._connection.data(self._at("/events"), query=query)["events"]
        return found

    def follow(self, after: int = 0) -> Iterator[Event]:
        """The same, and those that will be, as soon as they are there; without an end."""
        heard = time.monotonic()
        while True:
            try:
                for line in self._connection.lines(self._at("/events"), {"after": after}):
                    heard = time.monotonic()
                    if line.startswith("data:"):
                        event: Event = json.loads(line[5:])
                        after = event["seq"]
                        yield event
            except StorageError:
                if time.monotonic() > heard + PATIENCE_WITH_SERVER:
                    raise
            time.sleep(FIRST_PAUSE)

    def forecast(self) -> dict[str, Any]:
        """How many more trials until the study may stop, by playing out futures."""
        found: dict[str, Any] = self._connection.data(self._at("/forecast"))
        return found

    def verify(self, head: str | None = None) -> dict[str, Any]:
        """Audit the log: everything is derived from it anew, there."""
        found: dict[str, Any] = self._connection.data(self._at("/verify"), query={"head": head})
        return found

    def export(self, path: str | Path) -> Path:
        """Write the log to a new file: CSV, JSON or Parquet, by its ending."""
        target = Path(path)
        if target.exists():
            raise InputError(f"path: {str(target)!r} is there already; give another")
        kind = target.suffix[1:].lower()
        write(target, self._connection.call(self._at(f"/export/{kind}")).body)
        return target

    def _post(self, action: str, body: Mapping[str, Any], key: str | None) -> Any:
        return self._connection.data(self._at(f"/{action}"), {**body, "key": _key(key)})

    def _at(self, rest: str = "") -> str:
        return f"/studies/{slug(self._name)}{rest}"


def _key(key: str | None) -> str:
    """The user's own, or one that no other request has."""
    return f"client/{uuid4().hex}" if key is None else key


def _what(trial_or_arm: Trial | int | str) -> dict[str, int | str]:
    if isinstance(trial_or_arm, str):
        return {"arm": trial_or_arm}
    return {"trial": _trial(trial_or_arm)}


def _trial(trial: Trial | int) -> int:
    return trial.number if isinstance(trial, Trial) else trial


def _pair(what: Trial | int | str, value: Value, size: Value | None = None) -> dict[str, Any]:
    pair = {**_what(what), "value": _number(value)}
    return pair if size is None else {**pair, "size": size}


def _number(value: Value) -> Value:
    """True and False are outcomes of yes/no studies, but no numbers in JSON."""
    if isinstance(value, Mapping):
        return {name: float(one) for name, one in value.items()}
    return int(value) if isinstance(value, bool) else value
