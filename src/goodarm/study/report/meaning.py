"""The state of affairs of a study in a sentence or two."""

import math
from collections.abc import Sequence
from dataclasses import replace

from goodarm import wording
from goodarm.inquiry.question import ALL, IN_ORDER, Question
from goodarm.instance.instance import ABOVE
from goodarm.study.evidence.contract import NOT_CERTAIN
from goodarm.study.log.fold import SPENT, STOPPED, Fold

MOST_NAMED = 5  # arms in a sentence
ENDED = {SPENT: " The trials allowed are used up.", STOPPED: " The study was stopped."}


def meaning(fold: Fold) -> str:
    """What is certain, or what it looks like, and how sure that is."""
    if fold.told == 0:
        return "No outcome has been told yet: nothing can be said."
    if fold.evidence.finished and fold.settings.delta is not None:
        return (
            f"{_decided(fold)}. A study that stops like this is wrong with probability at most "
            f"{_risk(fold, fold.settings.delta)}."
        )
    return f"{_looks(fold)}; {_how_sure(fold)}.{ENDED.get(fold.state, '')}"


def _risk(fold: Fold, delta: float) -> str:
    """δ, or what added arms have made of it, which is rounded up."""
    risk = fold.evidence.risk or delta
    if risk > delta:
        return f"{math.ceil(1000.0 * risk) / 10.0:g} %"
    return wording.confidence(risk)


def _bar(fold: Fold) -> str:
    """What a good arm does: "is above 0.5", or what the criteria say."""
    settings = fold.settings
    if not (settings.criteria or settings.control or settings.thresholds):
        return f"{'above' if settings.goal == ABOVE else 'below'} {settings.threshold:g}"
    return " and ".join(what_is_good(fold))


def what_is_good(fold: Fold) -> tuple[str, ...]:
    """What an arm must do to be good; with the bars of those that are there, if each has its own.

    Arms that came later are not in the criteria.
    """
    gone, said = fold.roster.retired, []
    for measure, criterion in enumerate(fold.criteria):
        if isinstance(criterion.threshold, tuple):
            there = (arm for arm in range(len(fold.settings.arms)) if arm not in gone)
            bars = tuple(
                bar for arm in there if (bar := fold.evidence.bar(arm, measure)) is not None
            )
            criterion = replace(criterion, threshold=bars)
        said.append(criterion.describe())
    return tuple(said)


def _good(fold: Fold, names: Sequence[str]) -> str:
    """These arms are good."""
    is_one = fold.settings.is_plain
    verb = "is" if len(names) == 1 else "are"
    what = _bar(fold) if is_one else "good"
    listed = ", ".join(names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return f"{listed}{f' and {more:,} more' if more > 0 else ''} {verb} {what}"


def _decided(fold: Fold) -> str:
    question, named = Question.parse(fold.settings.question), fold.decisions()
    if fold.settings.is_plain:
        return _good(fold, named) if named else f"No arm is {_bar(fold)}"
    rule = f" ({_bar(fold)})"
    if not named:
        return f"No option is good{rule}"
    said = f"{_good(fold, named)}{rule}"
    if question.kind == ALL:
        return f"{said}; all others are not"
    if question.kind == IN_ORDER and named[0] != _first(fold):
        return f"{said}; no option before it in the list is"
    if question.kind not in (ALL, IN_ORDER) and len(named) < question.many:
        return f"{said}; no others are"
    return said


def _first(fold: Fold) -> str:
    """The first arm of the list that is there."""
    retired = fold.roster.retired
    return next(name for arm, name in enumerate(fold.settings.arms) if arm not in retired)


def _looks(fold: Fold) -> str:
    evidence, arms, answers = fold.evidence, fold.settings.arms, fold.answers()
    if fold.settings.is_plain:
        bar = _bar(fold)
        if not answers and not all(evidence.measured(arm)[0].trials for arm in range(len(arms))):
            return f"No arm looks {bar} so far, but not all have been tried"
        return f"{answers[0] if answers else 'No arm'} looks {bar}"
    shares = evidence.shares()
    open_, sure = 0, 0
    for arm in range(len(arms)):
        standing = evidence.standing(arm, shares.get(arm, 0.0))
        open_ += standing == NOT_CERTAIN
        sure += standing in ("good", "not good")
    looks = ", ".join(answers[:MOST_NAMED]) or "No option"
    verb = "look" if len(answers) > 1 else "looks"
    said = f"{looks} {verb} good ({_bar(fold)})"
    return f"{said}; {sure:,} of {sure + open_:,} options are certain" if sure else said


def _how_sure(fold: Fold) -> str:
    confidence = fold.evidence.confidence
    if confidence <= 0.0:
        return "the evidence is too weak to state a confidence"
    level = wording.confidence(confidence)
    return f"the evidence for that would stop a study at a confidence of {level}"
