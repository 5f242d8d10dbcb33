"""Which algorithms a live study may use, and how a log says which one it was.

A log must stay verifiable when the software moves on. So the first event of a study holds the
rule's name and a fingerprint of its *behaviour*: a hash of what it chooses in a fixed rehearsal.
Speed-ups and new Python versions leave it as it is. When a rule comes to choose differently, its
old functions move to `PAST`, where the studies that began with them find them.
"""

import hashlib

from goodarm import defaults
from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE, anytime_answer
from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.rng import philox, uniform

PAST: tuple[Algorithm, ...] = ()
"""Rules as they were before they came to choose differently; never taken out again."""

REHEARSAL = 64  # choices, after a first look at every arm
MANY_ARMS, REHEARSAL_OF_MANY = 1_000, 16


def live_rule(spec: object) -> Algorithm:
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
    rule = find_algorithm(spec)
    name = rule.label
    missing = [need for need in rule.needs if need != "delta"]
    if missing:
        raise InputError(
            f"algorithm: {name} needs {' and '.join(missing)}, which a live study does not have; "
            f"use {defaults.ALGORITHM}"
        )
    if not {ANYTIME, FIXED_CONFIDENCE} & set(rule.settings) or rule.answer is not anytime_answer:
        raise InputError(
            f"algorithm: {name} follows a plan in phases, which late, missing or extra outcomes "
            f"would upset; use {defaults.ALGORITHM}"
        )
    if rule.own_stopping:
        raise InputError(
            f"algorithm: {name} has a stopping rule of its own, proved for its own sampling only; "
            f"use {defaults.ALGORITHM}"
        )
    if not str(rule.chosen.get("boundary") or "glr").lower().startswith("glr"):
        raise InputError(
            f"algorithm: {name}: a live study stops at the boundary glr, which holds for any "
            "sampling; leave the option boundary out"
        )
    return rule


def rule_of_log(name: str, fingerprint: str, K: int) -> Algorithm | None:
    """The rule that made a log's suggestions, or None if this installation no longer has it."""
    try:
        candidates = [live_rule(name)]
    except InputError:
        candidates = []
    candidates += [rule for rule in PAST if rule.label == name]
    for rule in candidates:
        if fingerprint_of(rule, K) == fingerprint:
            return rule
    return None


def fingerprint_of(rule: Algorithm, K: int) -> str:
    """A hash of what the rule chooses in a rehearsal on K arms."""
    rehearsal = Experiment(K, 0.5, 0.5, rule, seed=20_260_101, delta=0.05, boundary="glr")
    digest = hashlib.sha256(rule.label.encode())
    for step in range(K + (REHEARSAL if K <= MANY_ARMS else REHEARSAL_OF_MANY)):
        pending = [] if step % 3 else [step % K]
        arm = step if step < K else rehearsal.next_arm(pending)
        digest.update(f"{arm},".encode())
        if arm is None:
            break
        first, second, _, _ = philox(step, arm, 0, 0, 17, 4)
        # Half of the outcomes are 0 or 1, so that ties happen.
        value = uniform(first, second)
        rehearsal.enter(arm, float(round(value)) if second & 1 else value)
    return digest.hexdigest()[:16]
