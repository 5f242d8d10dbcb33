"""What a watch is: a few numbers per arm, and a sentence once they speak against the model.

A model's guarantee holds for outcomes of its kind. A watch tests whether they are, beside the
study and without a say in it. Where it can be, it is a test that is valid at any time: however
often one looks and whatever the sampling rule does, outcomes of the declared kind are ever doubted
with a probability of at most DOUBT. Several watches of one model share it equally (`together`).
A watch sees what counts, the outcomes of each arm in the order of asking. docs/theory.md has the
proofs.

Two kinds of tests are used:

*An e-process in which what is not known is matched.* For every value of an unknown mean there is a
likelihood ratio of an alternative with the same mean and more scatter; the smallest of them, over
all means, is the evidence. Each is a martingale for everybody who sees the whole study, so those of
several arms may be multiplied (`pooled`).

*Looks at fixed numbers of outcomes of one arm*, with exact levels that add up to DOUBT/K. Sampling
rules look at the outcomes, so what is proved for one arm by itself must not be multiplied.
"""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

DOUBT = 0.01  # the chance that outcomes of the declared kind are ever doubted, at most

Names = Sequence[str] | None


class Watch:
    """Looks at every outcome, remembers some numbers of each arm, says what it doubts."""

    name: ClassVar[str]  # what it looks out for
    memory: ClassVar[int]  # numbers of an arm at first; a watch may append a few
    share: float = 1.0  # of DOUBT

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Take in an outcome of an arm; its state begins with zeros."""
        raise NotImplementedError

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """What speaks against the model, and what to do; None if nothing does.

        `states` has the arms with outcomes, of K in all; `names` are those of all arms.
        """
        raise NotImplementedError

    def leading(self, logs: Mapping[int, Sequence[float]], K: int) -> int | None:
        """The arm whose evidence shows most, if that of all arms has reached the level."""
        if not logs:
            return None
        evidence, arm = pooled(logs, K)
        return arm if evidence >= self.level() else None  # nor if it is not a number

    def level(self, K: int = 1) -> float:
        """What the logarithm of an e-process must reach: of the study, or of one of K arms."""
        return math.log(K / (DOUBT * self.share))


def show(watch: Watch, state: list[float], arm: int, value: float, size: float) -> None:
    """Let a watch see an outcome; one that it cannot compute with is passed over.

    A watch must not break a study, nor leave numbers that JSON does not have.
    """
    before = state[:]
    try:
        watch.see(state, arm, value, size)
        if math.isfinite(sum(state)):
            return
    except (ArithmeticError, ValueError):
        pass
    state[:] = before


def opinion(
    watch: Watch, states: Mapping[int, list[float]], K: int, names: Names = None
) -> str | None:
    """What a watch doubts; a watch that fails has nothing to say."""
    try:
        return watch.doubt(states, K, names)
    except (ArithmeticError, ValueError):
        return None


def together(*watches: Watch) -> tuple[Watch, ...]:
    """The watches of one model: they share DOUBT."""
    for watch in watches:
        watch.share = 1.0 / len(watches)
    return watches


def pooled(logs: Mapping[int, Sequence[float]], K: int) -> tuple[float, int]:
    """The evidence of K arms, from ln E of some of them for each alternative, and the leading arm.

    Alternatives have equal weights. Half of the weight is on "all arms", a product, and half on
    "one of them", a mean; an arm that is not among them has E = 1.
    """
    many = len(next(iter(logs.values())))
    products = [sum(arm[j] for arm in logs.values()) for j in range(many)]
    single = {arm: log_mean(values) for arm, values in logs.items()}
    means = [*single.values(), *([0.0] * min(K - len(logs), 1))]
    weights = [1.0] * len(single) + [float(K - len(logs))] * min(K - len(logs), 1)
    top = max(means)
    average = top + math.log(
        sum(w * math.exp(log - top) for w, log in zip(weights, means, strict=True)) / K
    )
    return log_mean([log_mean(products), average]), max(single, key=lambda arm: single[arm])


def log_mean(logs: Sequence[float]) -> float:
    """The logarithm of the mean of numbers that are given by their logarithms."""
    top = max(logs)
    return top + math.log(sum(math.exp(log - top) for log in logs) / len(logs))


def whose(arm: int, names: Names) -> str:
    """The arm in a sentence."""
    return "an arm" if names is None else repr(names[arm])
