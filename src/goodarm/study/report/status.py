"""What a study says at one moment: answer, evidence, confidence, and what it means in words."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from goodarm import wording
from goodarm.certainty import Limits, limit_risks, limits_in_range
from goodarm.instance.instance import ABOVE
from goodarm.outcomes.contract import seen
from goodarm.run import evidence
from goodarm.showing.forest import AGAINST, FOR, DrawnArm
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.log.evidence_trail import USUAL_DELTA, certificate_shares
from goodarm.study.log.fold import OPEN, SPENT, STOPPED, Fold
from goodarm.study.report.cautions import Caution, cautions


def _meaning(text: str) -> dict[str, str]:
    """What a field means, where its name does not say it all; the API's description has it, too."""
    return {"description": text}


@dataclass(frozen=True)
class ArmReport:
    """What is known of one arm, in the user's own units."""

    arm: str
    count: int
    pending: int
    mean: float | None
    W: float = field(
        metadata=_meaning("The evidence, positive in favour of the arm whatever the goal.")
    )
    low: float | None = field(
        metadata=_meaning("Lower limit of the mean, valid at all times together.")
    )
    high: float | None = field(metadata=_meaning("Upper limit, likewise."))
    share: float = field(metadata=_meaning("Of the way: 1 means good, −1 not good, at 1 − δ."))
    waiting: int = field(
        default=0, metadata=_meaning("Outcomes that were told, but wait for an open trial.")
    )


@dataclass(frozen=True, repr=False)
class Status(Shown):
    """A study at one moment; `head` is the hash that fixes everything that led to it."""

    name: str
    state: str
    meaning: str
    answer: str | None
    confidence: float
    delta: float | None
    decided: bool
    decision: str | None
    next_arm: str | None
    trials: int
    pending: int
    limit: int | None
    boundary: float | None = field(metadata=_meaning("What |W| must reach, with glr."))
    stopping_rule: str = field(metadata=_meaning("The stopping rule: mixture or glr."))
    decide: str = field(metadata=_meaning("When an outcome counts: as-asked or as-told."))
    waiting: int = field(metadata=_meaning("Outcomes that were told, but do not count yet."))
    waiting_for: tuple[int, ...] = field(metadata=_meaning("The open trials that they wait for."))
    interval_delta: float
    simultaneous: bool = field(
        metadata=_meaning("Whether the limits hold for all arms and both sides together.")
    )
    arms: tuple[ArmReport, ...]
    cautions: tuple[Caution, ...]
    threshold: float
    goal: str
    outcome: str
    algorithm: str
    seed: int
    stopped: str | None
    created_at: str
    updated_at: str
    events: int
    head: str

    def to_dict(self) -> dict[str, Any]:
        """The status as plain data."""
        return asdict(self)

    def drawn_arms(self) -> list[DrawnArm]:
        """The arms as pictures take them."""
        return [
            DrawnArm(
                name=arm.arm,
                count=arm.count,
                mean=arm.mean,
                low=arm.low,
                high=arm.high,
                look="" if abs(arm.share) < 1.0 else FOR if arm.share > 0.0 else AGAINST,
                rank=arm.W,
                share=arm.share,
                pending=arm.pending,
                waiting=arm.waiting,
                leads=arm.arm == self.answer,
            )
            for arm in self.arms
        ]

    def _in_short(self) -> Iterable[str]:
        from goodarm.study.report.in_short import status_lines

        return status_lines(self)

    def _in_html(self) -> Html:
        from goodarm.study.report.in_short import status_html

        return status_html(self)


def report(fold: Fold, now: str, simultaneous: bool = False) -> Status:
    """The status that the fold amounts to; `now` decides which leases have run out."""
    settings = fold.settings
    gone = fold.expired(now)
    suggestion = None
    if fold.algorithm_is_known and fold.state in (OPEN, SPENT):
        suggestion = fold.next_arm(without=gone)
    decided = fold.counted.finished
    waiting = fold.waiting()
    return Status(
        name=fold.name,
        state=fold.state,
        meaning=meaning(fold),
        answer=fold.answer(),
        confidence=fold.counted.confidence,
        delta=settings.delta,
        decided=decided,
        decision=fold.decision() if decided else None,
        next_arm=None if suggestion is None else settings.arms[suggestion],
        trials=fold.told,
        pending=len(fold.open),
        limit=fold.limit,
        boundary=_boundary(fold),
        stopping_rule=settings.boundary,
        decide=settings.decide,
        waiting=sum(fold.asked_order.waiting(arm) for arm in waiting),
        waiting_for=tuple(sorted(number for trials in waiting.values() for number in trials)),
        interval_delta=settings.delta or USUAL_DELTA,
        simultaneous=simultaneous or not fold.counted.uses_certificates,
        arms=arm_reports(fold, simultaneous),
        cautions=cautions(fold),
        threshold=settings.threshold,
        goal=settings.goal,
        outcome=str(settings.outcome),
        algorithm=settings.algorithm,
        seed=settings.seed,
        stopped=fold.stopped,
        created_at=fold.created_at,
        updated_at=fold.last_at,
        events=fold.seq,
        head=fold.head,
    )


def arm_reports(fold: Fold, simultaneous: bool = False) -> tuple[ArmReport, ...]:
    """What is known of each arm."""
    run = fold.experiment.run
    pending = [0] * len(fold.settings.arms)
    for trial in fold.open.values():
        pending[trial.arm] += 1
    lows, highs = limits(fold, simultaneous)
    shares = shares_of_way(fold)
    reports = []
    for a, name in enumerate(fold.settings.arms):
        count = run.counts[a]
        if count == 0:
            reports.append(ArmReport(name, 0, pending[a], None, 0.0, None, None, 0.0))
            continue
        report = ArmReport(
            arm=name,
            count=count,
            pending=pending[a],
            mean=fold.experiment.mean(a),
            W=evidence(run, a) + 0.0,
            low=lows[a],
            high=highs[a],
            share=shares.get(a, 0.0),
            waiting=fold.asked_order.waiting(a),
        )
        reports.append(report)
    return tuple(reports)


def limits(fold: Fold, simultaneous: bool) -> Limits:
    """Lower and upper limits of every arm's mean, of the outcomes that count.

    Those of the stopping rule: an arm is named exactly when the limit on the bad side of its mean
    has reached the bar, "none is good" is said exactly when those on the good side are all short of
    it. The first kind holds for all arms together with probability 1 − xδ, the second for each arm
    alone with 1 − δ₋. The simultaneous ones share δ among all arms and both sides.
    """
    counted, settings = fold.counted, fold.settings
    run, K, delta = counted.run, len(settings.arms), settings.delta or USUAL_DELTA
    if not any(run.counts):
        return [None] * K, [None] * K
    arms = seen(run, settings.outcome.memory if counted.uses_certificates else 0)
    if counted.uses_certificates:
        levels = parse_boundary(settings.boundary, K, delta).levels
        lower, upper = limit_risks(levels, settings.goal == ABOVE)
        if simultaneous:
            lower = upper = delta / (2 * K)
        low, high = settings.outcome.limits(arms, settings.threshold, lower, upper)
    else:
        half = np.array(settings.outcome.scales(K))[arms.arms] * (_boundary(fold) or 0.0)
        means, half = arms.sums / arms.counts, half / np.sqrt(arms.counts)
        low, high = means - half, means + half
    return limits_in_range(settings.outcome, K, arms, low, high)


def shares_of_way(fold: Fold) -> dict[int, float]:
    """How far each arm with outcomes is on the way to being named (1) or ruled out (−1)."""
    counted = fold.counted
    arms = [arm for arm, count in enumerate(counted.run.counts) if count]
    if counted.uses_certificates:
        return certificate_shares(counted, arms, fold.settings.delta or USUAL_DELTA)
    level = _boundary(fold) or math.inf
    return {arm: evidence(counted.run, arm) / level for arm in arms}


def meaning(fold: Fold) -> str:
    """The state of affairs in a sentence or two."""
    settings, told = fold.settings, fold.told
    side = "above" if settings.goal == ABOVE else "below"
    bar = f"{settings.threshold:g}"
    if told == 0:
        return "No outcome has been told yet: nothing can be said."
    if fold.counted.finished and settings.delta is not None:
        arm = fold.decision()
        answer = f"{arm} is {side} {bar}" if arm is not None else f"No arm is {side} {bar}"
        return (
            f"{answer}. A study that stops like this is wrong with probability at most "
            f"{wording.confidence(settings.delta)}."
        )
    arm = fold.answer()
    confidence = fold.counted.confidence
    if arm is None and any(count == 0 for count in fold.experiment.run.counts):
        looks = f"No arm looks {side} {bar} so far, but not all have been tried"
    else:
        looks = f"{arm if arm is not None else 'No arm'} looks {side} {bar}"
    if confidence <= 0.0:
        sure = "the evidence is too weak to state a confidence"
    else:
        level = wording.confidence(confidence)
        sure = f"the evidence for that would stop a study at a confidence of {level}"
    ended = {SPENT: " The trials allowed are used up.", STOPPED: " The study was stopped."}
    return f"{looks}; {sure}.{ended.get(fold.state, '')}"


def _boundary(fold: Fold) -> float | None:
    """b(t), what the evidence must reach now; None before the first outcome."""
    if fold.told == 0 or fold.counted.uses_certificates:
        return None
    delta = fold.settings.delta
    if delta is not None:
        return fold.experiment.boundary.level(fold.told)
    return parse_boundary("glr", len(fold.settings.arms), USUAL_DELTA).level(fold.told)
