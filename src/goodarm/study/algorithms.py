"""Which algorithms a live study may use, and how a log says which one it was.

A log must stay verifiable when the software moves on. So the first event of a study holds the
algorithm's name and a fingerprint of its *behaviour*: a hash of what it chooses in a fixed
rehearsal. Speed-ups and new Python versions leave it as it is. When an algorithm comes to choose
differently, its old functions move to `PAST`, where the studies that began with them find them.
"""

import hashlib
from collections.abc import Callable

from goodarm import defaults
from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE, anytime_answer
from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.inquiry import Inquiry
from goodarm.outcomes.contract import Reading
from goodarm.rng import philox, uniform
from goodarm.run import THRESHOLD

PAST: tuple[Algorithm, ...] = ()
"""Algorithms as they were before they came to choose differently; never taken out again."""

REHEARSAL_SEED = 20_260_101
REHEARSAL = 64  # choices, after a first look at every arm
MANY_ARMS, REHEARSAL_OF_MANY = 1_000, 16


def live_algorithm(spec: object) -> Algorithm:
    """The algorithm of that name, if the guarantee of a live study holds with it."""
    if isinstance(spec, Algorithm):
        spec = spec.label
    if not isinstance(spec, str):
        raise InputError(f"algorithm: {spec!r} is not the name of an algorithm")
    if ".py:" in spec:
        raise InputError(
            f"algorithm {spec!r}: a study outlives files; register the algorithm under the entry "
            "point group goodarm.algorithms, and give its name"
        )
    algorithm = find_algorithm(spec)
    name = algorithm.label
    missing = [need for need in algorithm.needs if need != "delta"]
    if missing:
        raise InputError(
            f"algorithm: {name} needs {' and '.join(missing)}, which a live study does not have; "
            f"use {defaults.ALGORITHM}"
        )
    for_live = {ANYTIME, FIXED_CONFIDENCE} & set(algorithm.settings)
    if not for_live or algorithm.answer is not anytime_answer:
        raise InputError(
            f"algorithm: {name} follows a plan in phases, which late, missing or extra outcomes "
            f"would upset; use {defaults.ALGORITHM}"
        )
    if algorithm.own_stopping:
        raise InputError(
            f"algorithm: {name} has a stopping rule of its own, proved for its own sampling only; "
            f"use {defaults.ALGORITHM}"
        )
    if "boundary" in algorithm.chosen:
        raise InputError(
            f"algorithm: {name}: a live study has a stopping rule of its own, which holds for any "
            "sampling; leave the option boundary out"
        )
    return algorithm


def algorithm_of_log(
    name: str, fingerprint: str, fingerprint_with: Callable[[Algorithm], str]
) -> Algorithm | None:
    """The algorithm that made a log's suggestions, or None if it is no longer installed."""
    try:
        candidates = [live_algorithm(name)]
    except InputError:
        candidates = []
    candidates += [algorithm for algorithm in PAST if algorithm.label == name]
    for algorithm in candidates:
        if fingerprint_with(algorithm) == fingerprint:
            return algorithm
    return None


def fingerprint_of(algorithm: Algorithm, K: int) -> str:
    """A hash of what it chooses in a rehearsal on K arms, with the paper's boundary."""
    rehearsal = Experiment(K, 0.5, 0.5, algorithm, seed=REHEARSAL_SEED, delta=0.05, boundary="glr")

    def value(uniform: float, whole: bool) -> float:
        # Half of the outcomes are 0 or 1, so that ties happen.
        return float(round(uniform)) if whole else uniform

    return _rehearse(rehearsal, value)


def fingerprint_in(rehearsal: Experiment) -> str:
    """The same with the study's own settings: a fresh experiment is played on."""
    outcome, threshold = rehearsal.outcome, rehearsal.run.levels[THRESHOLD]
    return _rehearse(rehearsal, lambda uniform, _: outcome.quantile(uniform, threshold))


def fingerprint_in_inquiry(rehearsal: Inquiry) -> str:
    """The same for any question: a fresh inquiry is played on."""
    K, criteria = len(rehearsal.arms), rehearsal.criteria
    digest = hashlib.sha256(rehearsal.algorithm.label.encode())
    for step in range(K + (REHEARSAL if K <= MANY_ARMS else REHEARSAL_OF_MANY)):
        pending = [] if step % 3 else [step % K]
        arm = step if step < K else rehearsal.next_arm(pending)
        digest.update(f"{arm},".encode())
        if arm is None:
            break
        for measure, criterion in enumerate(criteria):
            first, second, _, _ = philox(step, arm, measure, 0, 17, 4)
            value = criterion.outcome.quantile(uniform(first, second), criterion.reference)
            rehearsal.enter(arm, Reading(value), measure, more=True)
        rehearsal.judge()
    return digest.hexdigest()[:16]


def _rehearse(rehearsal: Experiment, value: Callable[[float, bool], float]) -> str:
    K = len(rehearsal.names)
    digest = hashlib.sha256(rehearsal.algorithm.label.encode())
    for step in range(K + (REHEARSAL if K <= MANY_ARMS else REHEARSAL_OF_MANY)):
        pending = [] if step % 3 else [step % K]
        arm = step if step < K else rehearsal.next_arm(pending)
        digest.update(f"{arm},".encode())
        if arm is None:
            break
        first, second, _, _ = philox(step, arm, 0, 0, 17, 4)
        rehearsal.enter(arm, Reading(value(uniform(first, second), bool(second & 1))))
    return digest.hexdigest()[:16]
