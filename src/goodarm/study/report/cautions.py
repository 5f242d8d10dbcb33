"""What a reader of the stated confidence must know: what was done that may break it, or not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from goodarm.study.declared import AS_TOLD
from goodarm.study.log.fold import Fold
from goodarm.wording import counted

WARNING, NOTE = "warning", "note"
MOST_NAMED = 5  # trials in one caution


@dataclass(frozen=True)
class Caution:
    """A warning (the confidence may not hold) or a note (it does, and why)."""

    level: str
    text: str


def cautions(fold: Fold) -> tuple[Caution, ...]:
    """Everything that a reader of the study's confidence must know."""
    return tuple(_warnings(fold)) + tuple(_notes(fold))


def _warnings(fold: Fold) -> Iterator[Caution]:
    dropped = fold.tally["retracted"] - fold.tally["corrected"]
    if dropped > 0:
        yield Caution(
            WARNING,
            f"{_many(dropped, 'outcome')} retracted without a replacement. If one was dropped "
            "because of its value, the stated confidence does not hold.",
        )
    yield from (Caution(WARNING, text) for text in map(_amendment, fold.amendments) if text)
    yield from (Caution(WARNING, doubt) for doubt in fold.evidence.doubts())
    if not fold.algorithm_is_known:
        yield Caution(
            WARNING,
            f"The algorithm {fold.settings.algorithm} that this study began with is not installed "
            "any more: outcomes count and evidence holds, but nothing can be suggested.",
        )


def _amendment(change: dict[str, Any]) -> str | None:
    """What a change of the settings means for the confidence; None if it does no harm."""
    before, after = change["from"], change["to"]
    since = f"after {counted(change['told'], 'outcome')}"
    if change["told"] == 0:
        return None
    if change["what"] == "delta":
        if before is not None and after <= before:
            return None
        was = "none" if before is None else f"{before:g}"
        return (
            f"δ was changed from {was} to {after:g} {since}. Stopping at a level chosen after "
            "seeing them is not covered."
        )
    if change["what"] == "threshold":
        changed = f"The threshold was changed from {before:g} to {after:g} {since}"
    else:
        changed = f"The stopping rule was changed from {before} to {after} {since}"
    return f"{changed}. If the outcomes suggested it, the stated confidence does not hold."


def _notes(fold: Fold) -> Iterator[Caution]:
    tally = fold.tally
    for criterion in fold.criteria:
        note = criterion.outcome.note(criterion.side)
        if note is not None:
            yield Caution(NOTE, f"{criterion.name}: {note}" if fold.settings.criteria else note)
    yield from _notes_on_arms(fold)
    for arm, trials in fold.waiting().items():
        count = fold.evidence.waiting(arm)
        listed = ", ".join(str(number) for number in trials[:MOST_NAMED])
        listed += ", …" if len(trials) > MOST_NAMED else ""
        one, single = count == 1, len(trials) == 1
        yield Caution(
            NOTE,
            f"{count} told {'outcome' if one else 'outcomes'} of {fold.settings.arms[arm]!r} "
            f"{'does' if one else 'do'} not count yet: outcomes count in the order of asking, and "
            f"{'an earlier trial' if single else 'earlier trials'} of that arm "
            f"{'is' if single else 'are'} still open ({listed}). Tell "
            f"{'it, or cancel it' if single else 'them, or cancel them'}.",
        )
    if fold.settings.control is not None:
        yield Caution(
            NOTE,
            "Options are compared with a control by the outcomes of both. That assumes that delays "
            "have nothing to do with the values.",
        )
    elif fold.settings.decide == AS_TOLD and fold.evidence.uses_certificates:
        yield Caution(
            NOTE,
            "Outcomes count as soon as they are told. That assumes that delays have nothing to do "
            "with the values.",
        )
    if tally["corrected"]:
        yield Caution(
            NOTE,
            f"{_many(tally['corrected'], 'outcome')} corrected; the log has both values and the "
            "reason.",
        )
    if tally["imported"]:
        yield Caution(
            NOTE,
            f"{_many(tally['imported'], 'outcome')} imported. They count in full provided that "
            "none was left out because of its value.",
        )
    entered = tally["unasked"] - tally["imported"] + tally["chosen"]
    if entered > 0:
        yield Caution(
            NOTE,
            f"{_many(entered, 'trial')} chosen by a person. That does not touch the confidence, "
            "which holds for any choice of trials.",
        )
    if tally["cancelled"] or tally["expired"]:
        count = tally["cancelled"] + tally["expired"]
        yield Caution(
            NOTE,
            f"{_many(count, 'suggestion')} cancelled or expired. That is harmless unless it had to "
            "do with their outcomes.",
        )
    if fold.going_on or tally["after the end"]:
        yield Caution(NOTE, "The study went on after its end. That does not touch the confidence.")


def _notes_on_arms(fold: Fold) -> Iterator[Caution]:
    roster, settings = fold.roster, fold.settings
    if roster.added:
        paid = (
            "The share of δ that was reserved for that covers it."
            if settings.reserve > 0.0 or settings.delta is None
            else "No share of δ was reserved for that, so a wrong answer may now be as probable "
            f"as {fold.evidence.risk or 0.0:.3g}, where {settings.delta:g} was declared."
        )
        yield Caution(NOTE, f"{_many(len(roster.added), 'option')} added. {paid}")
    if roster.retired:
        yield Caution(
            NOTE,
            f"{_many(len(roster.retired), 'option')} retired. The answer is about the others; that "
            "does not touch the confidence, whatever the reason was.",
        )


def _many(count: int, what: str) -> str:
    return f"{counted(count, what)} {'was' if count == 1 else 'were'}"
