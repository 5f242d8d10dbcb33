"""What a study says at one moment: answer, evidence, confidence, and what it means in words."""

from dataclasses import asdict, dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from goodarm.run import evidence
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.cautions import Caution, cautions
from goodarm.study.fold import OPEN, SPENT, STOPPED, Fold
from goodarm.study.settings import ABOVE

DELTA_SHOWN = 0.05  # of confidence sequences, where the study has no δ of its own


@dataclass(frozen=True)
class ArmReport:
    """What is known of one arm, in the user's own units."""

    arm: str
    count: int
    pending: int
    mean: float | None
    W: float  # √N (mean − θ)/σ, positive in favour of the arm whatever the goal; 0 at first
    low: float | None  # the confidence sequence: all arms and all times together
    high: float | None
    share: float  # W over the boundary: 1 means certainly good, −1 certainly not, at 1 − δ


@dataclass(frozen=True)
class Status:
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
    boundary: float | None
    interval_delta: float
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
        data = asdict(self)
        data["cautions"] = [caution._asdict() for caution in self.cautions]
        return data


def report(fold: Fold, now: str) -> Status:
    """The status that the fold amounts to; `now` decides which leases have run out."""
    settings = fold.settings
    gone = fold.expired(now)
    suggestion = None
    if fold.rule_is_known and fold.state in (OPEN, SPENT):
        suggestion = fold.next_arm(without=gone)
    decided = fold.experiment.finished
    return Status(
        name=fold.name,
        state=fold.state,
        meaning=meaning(fold),
        answer=fold.answer(),
        confidence=fold.experiment.confidence,
        delta=settings.delta,
        decided=decided,
        decision=fold.decision() if decided else None,
        next_arm=None if suggestion is None else settings.arms[suggestion],
        trials=fold.told,
        pending=len(fold.open),
        limit=fold.limit,
        boundary=_boundary(fold),
        interval_delta=settings.delta or DELTA_SHOWN,
        arms=arm_reports(fold),
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


def arm_reports(fold: Fold) -> tuple[ArmReport, ...]:
    """What is known of each arm."""
    run, sign, outcome = fold.experiment.run, fold.settings.sign, fold.settings.outcome
    level = _boundary(fold)
    pending = [0] * len(fold.settings.arms)
    for trial in fold.open.values():
        pending[trial.arm] += 1
    reports = []
    for a, name in enumerate(fold.settings.arms):
        count = run.counts[a]
        if count == 0 or level is None:
            reports.append(ArmReport(name, 0, pending[a], None, 0.0, None, None, 0.0))
            continue
        mean = sign * run.sums[a] / count + 0.0
        half = outcome.sigma * level / run.roots[a]
        low, high = mean - half, mean + half
        if outcome.low is not None and outcome.high is not None:
            low, high = max(low, outcome.low), min(high, outcome.high)
        W = evidence(run, a)
        reports.append(ArmReport(name, count, pending[a], mean, W, low, high, W / level))
    return tuple(reports)


def meaning(fold: Fold) -> str:
    """The state of affairs in a sentence or two."""
    settings, told = fold.settings, fold.told
    side = "above" if settings.goal == ABOVE else "below"
    bar = f"{settings.threshold:g}"
    if told == 0:
        return "No outcome has been told yet: nothing can be said."
    if fold.experiment.finished and settings.delta is not None:
        arm = fold.decision()
        found = f"{arm} is {side} {bar}" if arm is not None else f"No arm is {side} {bar}"
        return (
            f"{found}. A study that stops like this is wrong with probability at most "
            f"{percent(settings.delta)}."
        )
    arm = fold.answer()
    confidence = fold.experiment.confidence
    if arm is None and any(count == 0 for count in fold.experiment.run.counts):
        looks = f"No arm looks {side} {bar} so far, but not all have been tried"
    else:
        looks = f"{arm if arm is not None else 'No arm'} looks {side} {bar}"
    if confidence <= 0.0:
        sure = "the evidence is too weak to state a confidence"
    else:
        sure = f"the evidence for that would stop a study at a confidence of {percent(confidence)}"
    ended = {SPENT: " The trials allowed are used up.", STOPPED: " The study was stopped."}
    return f"{looks}; {sure}.{ended.get(fold.state, '')}"


def percent(share: float) -> str:
    """A share as a percentage, rounded down: a confidence that was not reached is not shown.

    >>> percent(0.05), percent(0.94999), percent(0.0004)
    ('5 %', '94.9 %', '0.04 %')
    """
    if share >= 1.0:
        return "> 99.9999 %"  # closer to certainty than a double can tell
    exact = 100 * Decimal(repr(share))
    for digits in range(1, 13):
        shown = exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_FLOOR)
        if shown != 0 or exact == 0:
            break
    return f"{shown.normalize():f} %"


def _boundary(fold: Fold) -> float | None:
    """b(t), what the evidence must reach now; None before the first outcome."""
    if fold.told == 0:
        return None
    delta = fold.settings.delta
    if delta is not None:
        return fold.experiment.boundary.level(fold.told)
    return parse_boundary("glr", len(fold.settings.arms), DELTA_SHOWN).level(fold.told)
