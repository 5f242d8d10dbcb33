"""What a study says at one moment: answer, evidence, confidence, and what it means in words."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from goodarm.inquiry.arm_state import RETIRED, STANDINGS
from goodarm.inquiry.question import BAD, GOOD
from goodarm.showing.forest import AGAINST, FOR, GONE, DrawnArm
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown
from goodarm.study.evidence import OneBar
from goodarm.study.evidence.contract import NOT_CERTAIN
from goodarm.study.evidence.trail import USUAL_DELTA
from goodarm.study.log.fold import OPEN, SPENT, Fold
from goodarm.study.report.cautions import Caution, cautions
from goodarm.study.report.meaning import meaning, what_is_good

LOOKS = {STANDINGS[GOOD]: FOR, STANDINGS[BAD]: AGAINST, RETIRED: GONE}


def _meaning(text: str) -> dict[str, str]:
    """What a field means, where its name does not say it all; the API's description has it, too."""
    return {"description": text}


@dataclass(frozen=True)
class MeasurementReport:
    """What is known of one of several measurements of an arm."""

    name: str
    count: int
    mean: float | None
    low: float | None
    high: float | None
    aim: float | None = field(
        default=None,
        metadata=_meaning(
            "What its mean must clear: the bar, or what the control's mean makes of it so far."
        ),
    )


@dataclass(frozen=True)
class ArmReport:
    """What is known of one arm, in the user's own units; of its first measurement, if several."""

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
    standing: str = field(
        default=NOT_CERTAIN,
        metadata=_meaning("What is certain: good, not good or undecided; or control, retired."),
    )
    bar: float | None = field(
        default=None, metadata=_meaning("What its mean must clear; None against a control.")
    )
    aim: float | None = field(
        default=None,
        metadata=_meaning("The same, or what the control's mean makes of it so far."),
    )
    measurements: tuple[MeasurementReport, ...] = field(
        default=(), metadata=_meaning("Each of them, where a trial has several.")
    )
    label: str | None = None
    cost: float | None = field(default=None, metadata=_meaning("What a trial of it costs."))
    note: str | None = None


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
    is_plain: bool = field(
        default=True,
        metadata=_meaning("Whether it is about one good option and one bar, and kept its options."),
    )
    question: str = field(default="any", metadata=_meaning("any, all, top:M or in-order."))
    answers: tuple[str, ...] = field(
        default=(), metadata=_meaning("The options to bet on now, best first.")
    )
    decisions: tuple[str, ...] = field(
        default=(), metadata=_meaning("Those that the stopping rule has named, once it has spoken.")
    )
    criteria: tuple[str, ...] = field(
        default=(), metadata=_meaning("What an option must do to be good: all of these.")
    )
    control: str | None = field(
        default=None, metadata=_meaning("The option that the others are compared with.")
    )
    risk: float | None = field(
        default=None,
        metadata=_meaning("How probable a wrong answer may be: δ, and what added options cost."),
    )
    spent: float | None = field(
        default=None, metadata=_meaning("What the trials have cost, where options have a cost.")
    )
    archived: bool = field(default=False, metadata=_meaning("Whether lists leave it out."))
    tags: tuple[str, ...] = field(
        default=(), metadata=_meaning("Words by which studies are found together.")
    )

    def to_dict(self) -> dict[str, Any]:
        """The status as plain data."""
        return asdict(self)

    def one_bar(self, measure: int = 0) -> float | None:
        """The bar of a measurement, if it is known and the same for all arms."""
        aims = {known(arm, measure).aim for arm in self.arms}
        return next(iter(aims)) if len(aims) == 1 else None

    def drawn_arms(self, measure: int = 0) -> list[DrawnArm]:
        """The arms as pictures take them, with one of their measurements."""
        is_one = self.one_bar(measure) is not None
        return [
            DrawnArm(
                name=arm.arm,
                count=one.count,
                mean=one.mean,
                low=one.low,
                high=one.high,
                look=LOOKS.get(arm.standing, ""),
                rank=arm.W,
                share=arm.share,
                pending=arm.pending,
                waiting=arm.waiting,
                leads=arm.arm in self.answers,
                standing="" if self.is_plain or arm.standing == NOT_CERTAIN else arm.standing,
                bar=None if is_one else one.aim,
            )
            for arm in self.arms
            for one in [known(arm, measure)]
        ]

    def _in_short(self) -> Iterable[str]:
        from goodarm.study.report.in_short import status_lines

        return status_lines(self)

    def _in_html(self) -> Html:
        from goodarm.study.report.in_short import status_html

        return status_html(self)


def known(arm: ArmReport, measure: int = 0) -> MeasurementReport:
    """What is known of a measurement of an arm, also where there is only one."""
    if arm.measurements:
        return arm.measurements[measure]
    return MeasurementReport("", arm.count, arm.mean, arm.low, arm.high, arm.aim)


def report(fold: Fold, now: str, simultaneous: bool = False) -> Status:
    """The status that the fold amounts to; `now` decides which leases have run out."""
    settings = fold.settings
    gone = fold.expired(now)
    suggestion = None
    if fold.algorithm_is_known and fold.state in (OPEN, SPENT):
        suggestion = fold.next_arm(without=gone)
    evidence = fold.evidence
    decided = evidence.finished
    waiting = fold.waiting()
    return Status(
        name=fold.name,
        state=fold.state,
        meaning=meaning(fold),
        answer=fold.answer(),
        confidence=evidence.confidence,
        delta=settings.delta,
        decided=decided,
        decision=fold.decision() if decided else None,
        next_arm=None if suggestion is None else settings.arms[suggestion],
        trials=fold.told,
        pending=len(fold.open),
        limit=fold.limit,
        boundary=evidence.boundary if isinstance(evidence, OneBar) else None,
        stopping_rule=settings.boundary,
        decide=settings.decide,
        waiting=sum(evidence.waiting(arm) for arm in waiting),
        waiting_for=tuple(sorted(number for trials in waiting.values() for number in trials)),
        interval_delta=settings.delta or USUAL_DELTA,
        simultaneous=simultaneous or not evidence.uses_certificates,
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
        is_plain=isinstance(evidence, OneBar),
        question=settings.question,
        answers=fold.answers(),
        decisions=fold.decisions() if decided else (),
        criteria=what_is_good(fold),
        control=settings.control,
        risk=evidence.risk,
        spent=_spent(fold),
        archived=fold.archived,
        tags=fold.tags,
    )


def arm_reports(fold: Fold, simultaneous: bool = False) -> tuple[ArmReport, ...]:
    """What is known of each arm."""
    evidence, several = fold.evidence, len(fold.criteria) > 1
    pending = [0] * len(fold.settings.arms)
    for trial in fold.open.values():
        pending[trial.arm] += 1
    limits = [evidence.limits(measure, simultaneous) for measure in range(len(fold.criteria))]
    shares = evidence.shares()
    reports = []
    for a, name in enumerate(fold.settings.arms):
        told_of = evidence.measured(a)
        told, share = any(one.trials for one in told_of), shares.get(a, 0.0)
        measurements = tuple(
            MeasurementReport(criterion.name, *one, lows[a], highs[a], _aim(fold, a, measure))
            for measure, (criterion, one, (lows, highs)) in enumerate(
                zip(fold.criteria, told_of, limits, strict=True)
            )
        )
        details = fold.settings.details_of(name) if fold.settings.details else None
        report = ArmReport(
            arm=name,
            count=max(one.trials for one in told_of),
            pending=pending[a],
            mean=told_of[0].mean,
            W=evidence.weight(a),
            low=limits[0][0][a] if told_of[0].trials else None,
            high=limits[0][1][a] if told_of[0].trials else None,
            share=share if told else 0.0,
            waiting=evidence.waiting(a) if told else 0,
            standing=evidence.standing(a, share),
            bar=evidence.bar(a),
            aim=_aim(fold, a, 0),
            measurements=measurements if several else (),
            label=details.label if details else None,
            cost=details.cost if details else None,
            note=details.note if details else None,
        )
        reports.append(report)
    return tuple(reports)


def _aim(fold: Fold, arm: int, measure: int) -> float | None:
    """The bar of an arm; against a control, what the control's mean makes of it so far."""
    criterion, control = fold.criteria[measure], fold.settings.control
    if not criterion.has_control or control is None:
        return fold.evidence.bar(arm, measure)
    number = fold.numbers[control]
    mean = fold.evidence.measured(number)[measure].mean
    if mean is None or arm == number:
        return None
    return criterion.factor * mean + criterion.shift


def _spent(fold: Fold) -> float | None:
    """What all outcomes have cost."""
    settings, evidence = fold.settings, fold.evidence
    if not settings.is_priced:
        return None
    return sum(
        settings.cost_of(name) * max(one.trials for one in evidence.measured(arm))
        for arm, name in enumerate(settings.arms)
    )
