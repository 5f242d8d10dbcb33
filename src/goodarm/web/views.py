"""What a study's page shows, in the order and amount in which a person can take it in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goodarm import defaults
from goodarm.algorithms import algorithms
from goodarm.errors import InputError
from goodarm.outcomes import Outcome
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study import ArmReport, Status, Study, Trial
from goodarm.study.algorithms import live_algorithm
from goodarm.study.log.events import Event, read_event
from goodarm.study.log.kinds import Retracted, Told
from goodarm.study.report.status_text import COUNTS, STOPS_BY, what_holds
from goodarm.study.settings import PAPERS

MOST_ROWS = 40
RECENT = 20  # events on the study's own page
LOG_PAGE = 200
MOST_NAMES = 300  # offered while typing an arm's name
MOST_PENDING = 25
MOST_WAITED_FOR = 5


@dataclass(frozen=True)
class ArmRow:
    """One arm in the table: what is known, and where its marks are, in per cent of the width."""

    report: ArmReport
    number: int
    mean: float | None
    low: float | None
    high: float | None
    trials: float  # against the arm with the most


@dataclass(frozen=True)
class Forest:
    """The arms' means with their limits on one scale."""

    rows: tuple[ArmRow, ...]
    hidden: int
    threshold: float
    ticks: tuple[tuple[float, float], ...]  # position in per cent, value


def forest(status: Status) -> Forest:
    """Lay the arms out on a scale that holds every interval, the threshold and every mean."""
    chosen = _chosen(status.arms)
    numbers = [status.threshold]
    for arm in chosen:
        numbers += [x for x in (arm.low, arm.high, arm.mean) if x is not None]
    low, high = min(numbers), max(numbers)
    margin = 0.04 * (high - low) or 0.5
    low, high = low - margin, high + margin

    def position(value: float | None) -> float | None:
        return None if value is None else round(100.0 * (value - low) / (high - low), 2)

    most = max((arm.count for arm in chosen), default=0) or 1
    order = {arm.arm: number for number, arm in enumerate(status.arms, 1)}
    rows = tuple(
        ArmRow(
            report=arm,
            number=order[arm.arm],
            mean=position(arm.mean),
            low=position(arm.low),
            high=position(arm.high),
            trials=round(100.0 * arm.count / most, 1),
        )
        for arm in chosen
    )
    ticks = tuple((position(tick) or 0.0, tick) for tick in round_numbers(low, high))
    return Forest(rows, len(status.arms) - len(rows), position(status.threshold) or 0.0, ticks)


def study_view(study: Study, simultaneous: bool = False) -> dict[str, Any]:
    """Everything that the study's page needs."""
    status = study.status(simultaneous)
    recent = recent_events(study, status.events, RECENT)
    pending = study.pending
    outcome = study.settings.outcome
    return {
        "status": status,
        "holds": what_holds(status, "option"),
        "stops_by": STOPS_BY[status.stopping_rule],
        "counts": COUNTS[status.decide],
        "waiting_for": status.waiting_for[:MOST_WAITED_FOR],
        "forest": forest(status),
        "pending": pending[:MOST_PENDING],
        "more_pending": max(0, len(pending) - MOST_PENDING),
        "recent": recent,
        "last": last_entry(recent),
        "outcome": outcome,
        "yes_or_no": is_yes_or_no(outcome, status.threshold),
        "arm_names": [arm.arm for arm in status.arms[:MOST_NAMES]],
        "is_limited": status.limit is not None,
    }


def evidence_curves(study: Study) -> dict[str, Any]:
    """How the evidence grew: W and the boundary at the same times, or the share of the way."""
    status, points = study.status(), study.evidence_trail["points"]
    is_papers = status.stopping_rule == PAPERS
    names = [arm.arm for arm in status.arms]
    latest = [(arm.W if is_papers else arm.share) if arm.count else None for arm in status.arms]
    if points and len(points[0]) - 1 != len(names):
        names = ["largest of all", "smallest of all"]
        by_evidence = sorted((arm for arm in status.arms if arm.count), key=lambda arm: arm.W)
        ends = by_evidence[-1], by_evidence[0]
        latest = [arm.W if is_papers else arm.share for arm in ends]
    if points and points[-1][0] < status.trials:  # the path is thinned out; its end matters most
        points.append([status.trials, *latest])
    boundary = parse_boundary(PAPERS, len(status.arms), status.interval_delta)
    levels = [float(f"{boundary.level(point[0]):.5g}") for point in points]
    return {
        "rule": status.stopping_rule,
        "t": [point[0] for point in points],
        "boundary": levels if is_papers else None,  # shares are compared with 1 and −1
        "confidence": 1.0 - status.interval_delta,
        "arms": [
            {"name": name, "W" if is_papers else "share": [point[i + 1] for point in points]}
            for i, name in enumerate(names)
        ],
        "answer": status.answer,
        "events": status.events,
    }


def is_yes_or_no(outcome: Outcome, threshold: float) -> bool:
    """Whether 0 and 1 are all the outcomes there can be, so that two buttons will do."""
    if (outcome.low, outcome.high) != (0.0, 1.0):
        return False
    try:
        outcome.check(0.5, threshold)
    except InputError:
        return True
    return False


def recent_events(study: Study, last: int, count: int) -> list[Event]:
    """The last few events up to one, newest first."""
    stored = study.events(max(0, last - count), min(count, last)) if last > 0 else []
    return [read_event(event.text) for event in reversed(stored)]


def last_entry(recent: Sequence[Event]) -> Trial | None:
    """The latest outcome among recent events that has not been taken back."""
    gone: set[int | None] = set()
    for event in recent:
        if event.kind == Retracted.name:
            gone.add(event.trial)
        if event.kind == Told.name and event.trial not in gone:
            body = event.body
            return Trial(number=body["trial"], arm=body["arm"], value=body["value"], by=event.by)
    return None


def live_algorithms() -> list[tuple[str, str]]:
    """Name and one-line guide of every algorithm of a live study, the advised one first."""
    guides = []
    for name, algorithm in algorithms.items():
        try:
            live_algorithm(name)
        except InputError:
            continue
        guides.append((name, algorithm.summary))
    return sorted(guides, key=lambda pair: (pair[0] != defaults.ALGORITHM, pair[0]))


def _chosen(arms: Sequence[ArmReport]) -> list[ArmReport]:
    """All arms in their order, or both ends of the scale where there are too many."""
    if len(arms) <= MOST_ROWS:
        return list(arms)
    ordered = sorted(arms, key=lambda arm: -arm.W)
    return ordered[: MOST_ROWS // 2] + ordered[-(MOST_ROWS // 2) :]


def round_numbers(low: float, high: float) -> list[float]:
    """About four round numbers between two limits."""
    raw = (high - low) / 4.0
    size = 10.0 ** _exponent(raw)
    step = next(s * size for s in (1.0, 2.0, 5.0, 10.0) if s * size >= raw)
    first = -(-low // step)
    return [round((first + i) * step, 12) for i in range(8) if (first + i) * step <= high]


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])
