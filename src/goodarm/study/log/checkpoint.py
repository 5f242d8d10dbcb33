"""A fold as JSON, so that a new process need not go through the whole log.

A checkpoint is a convenience and never the truth: one that is missing, of another format, or that
does not lie on the log's chain of hashes is ignored, and `verify` compares it with the log. It
begins with a digest of everything else that it says, the head of the log at that moment included:
one that was altered is thrown away, and nobody is shown what it claims.
"""

import json
from collections import Counter
from dataclasses import asdict, replace
from typing import Any

from goodarm.study.log.events import Event, canonical, digest
from goodarm.study.log.fold import Fold
from goodarm.study.trials import OpenTrial

CHECKPOINT_FORMAT = 6
BEFORE_DIGEST, AFTER_DIGEST = '{"digest":"', '",'
EVERY = 200  # events, or as many as there are arms if that is more


def is_due(fold: Fold, since: int) -> bool:
    """Whether a multiple of the interval lies between `since` and the fold's last event."""
    interval = max(EVERY, len(fold.settings.arms))
    return fold.seq // interval > since // interval


def write_checkpoint(fold: Fold) -> str:
    """The fold as canonical JSON, but for the digest at its beginning."""
    return with_digest(
        {
            "format": CHECKPOINT_FORMAT,
            "seq": fold.seq,
            "head": fold.head,
            "last_at": fold.last_at,
            "name": fold.name,
            "threshold": fold.settings.threshold,
            "delta": fold.settings.delta,
            "boundary": fold.settings.boundary,
            "open": [asdict(trial) for trial in fold.open.values()],
            "next_trial": fold.next_trial,
            "limit": fold.limit,
            "going_on": fold.going_on,
            "stopped": fold.stopped,
            "archived": fold.archived,
            "tags": list(fold.tags),
            "tally": dict(fold.tally),
            "amendments": fold.amendments,
            "roster": fold.roster.to_data(),
            "measured": sorted([trial, bits] for trial, bits in fold.measured.items()),
            "evidence": fold.evidence.state(),
        }
    )


def read_checkpoint(text: str, created: Event, head: str) -> Fold | None:
    """The fold that the text holds, or None if another version has written it.

    A ValueError if it is not what was written: the log has everything.
    """
    try:
        data: dict[str, Any] = json.loads(text)
        if data["format"] != CHECKPOINT_FORMAT:
            return None
        if not is_intact(text):
            raise ValueError("its digest is not that of its text")
        return _restored(data, Fold(created, head))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"it cannot be read ({error!r})") from None


def with_digest(data: dict[str, Any]) -> str:
    """The data as JSON that begins with a digest of the rest."""
    rest = canonical(data)
    return f"{BEFORE_DIGEST}{digest(rest)}{AFTER_DIGEST}{rest[1:]}"


def is_intact(text: str) -> bool:
    """Whether the text has the digest with which it was written."""
    before, _, rest = text.partition(AFTER_DIGEST)
    return before == BEFORE_DIGEST + digest("{" + rest)


def _restored(data: dict[str, Any], fold: Fold) -> Fold:
    amended = {what: data[what] for what in ("threshold", "delta", "boundary")}
    fold.restore(replace(fold.settings, **amended), data["roster"], data["evidence"])
    fold.measured = dict(data["measured"])
    fold.seq, fold.head, fold.last_at = data["seq"], data["head"], data["last_at"]
    fold.name = data["name"]
    for trial in data["open"]:
        fold.open_trial(OpenTrial(**trial))
    fold.next_trial, fold.limit = data["next_trial"], data["limit"]
    fold.going_on, fold.stopped = data["going_on"], data["stopped"]
    fold.archived, fold.tags = data["archived"], tuple(data["tags"])
    fold.tally, fold.amendments = Counter(data["tally"]), data["amendments"]
    return fold
