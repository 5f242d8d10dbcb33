"""Scans that several algorithms share: the largest index, and which arms are in play.

`argmax` makes a scan out of an index, `largest` an algorithm's whole `choose`. The functions that
they make are plain, like those that they are made of.
"""

import math
from collections.abc import Callable

from goodarm.algorithms.contract import Option
from goodarm.run import ACTIVE, KIND, NO_ARM, SLOPE, Run, decision, evidence, largest_evidence
from goodarm.stopping import parse_boundary
from goodarm.stopping.contract import GLR_KIND, MIXTURE_KIND
from goodarm.stopping.families.glr import level

# Positions in the memory of an algorithm that asks which arms are in play.
LAST_LEVEL, CHORD, TANGENT = range(3)  # floats: b at the last look, its mean and its first slope
LAST_LOOK, NEXT_LOOK = range(2)  # ints
LOOK_FLOATS, LOOK_INTS = 3, 2
ROUNDING = 1e-12  # far more than rounding can do to b(t)
ROOT_HALF = math.sqrt(0.5)
# Positions in the memory of an algorithm that notes every pull. Floats: ln(t/K), the number of arms
# that are surely above θ, ln N_a of every arm, what each adds to that number. Ints: when each arm
# rose.
LOG_ROUNDS, SURELY_ABOVE, LOG_COUNTS = range(3)

Index = Callable[[Run, int, float], float]
Number = Callable[[Run, int], float]


def no_scale(run: Run, t: int) -> float:
    """For an index that does not move with t."""
    return 0.0


def no_floor(run: Run, t: int) -> float:
    """For an algorithm that may pull an arm however low its evidence is."""
    return -math.inf


def exploration_scale(run: Run, t: int) -> float:
    """√(2 ln t), which over √N_a is the bonus of UCB."""
    return math.sqrt(2.0 * math.log(t))


def pull_memory(K: int) -> tuple[int, int]:
    """The memory that `note_pull` needs."""
    return LOG_COUNTS + 2 * K, K


def note_pull(run: Run, t: int, arm: int, value: float) -> None:
    """Keep what a scan would have to work out for every arm at every step, and when arms rise.

    An arm that is above θ has the number of pulls that it had when its mean last rose there, the
    others 0.
    """
    K = len(run.counts)
    run.floats[LOG_ROUNDS] = math.log(t / K)
    run.floats[LOG_COUNTS + arm] = math.log(run.counts[arm])
    sure = math.erf(evidence(run, arm) * ROOT_HALF) if run.gaps[arm] > 0.0 else 0.0
    run.floats[SURELY_ABOVE] += sure - run.floats[LOG_COUNTS + K + arm]
    run.floats[LOG_COUNTS + K + arm] = sure
    if run.gaps[arm] <= 0.0:
        run.ints[arm] = 0
    elif run.ints[arm] == 0:
        run.ints[arm] = run.counts[arm]


def cautious_gap(run: Run, arm: int, prior: float) -> float:
    """d_a; if it is above 0, as if `prior` outcomes at θ had been seen as well."""
    gap = run.gaps[arm]
    if gap > 0.0:
        gap *= run.counts[arm] / (run.counts[arm] + prior)
    return gap


def rose_lately(run: Run, arm: int, patience: float) -> bool:
    """Whether an arm above θ has had at most 1 + patience times as many pulls as when it rose."""
    return run.counts[arm] <= (1.0 + patience) * run.ints[arm]


def log_rounds(run: Run) -> float:
    """ln⁺(t/K)."""
    return max(run.floats[LOG_ROUNDS], 0.0)


def log_lag(run: Run, arm: int) -> float:
    """ln⁺(t/(K N_a)): 0 for an arm that has had its even share of the pulls."""
    lag = run.floats[LOG_ROUNDS] - run.floats[LOG_COUNTS + arm]
    return max(lag, 0.0)


def in_play(run: Run, arm: int) -> bool:
    """Whether the arm has not been eliminated, or ruled out by its certificate.

    Once the certificates say "none is good" every arm is in play again, for an experiment that
    goes on all the same.
    """
    if run.active[arm] == 0:
        return run.levels[KIND] == MIXTURE_KIND and run.clock[ACTIVE] == 0
    return True


def means_above(run: Run) -> int:
    """The number of arms whose mean is above θ; at least 1."""
    count = 0
    for a in range(len(run.gaps)):
        if run.gaps[a] > 0.0:
            count += 1
    return max(count, 1)


def means_surely_above(run: Run) -> float:
    """The same, each such arm counted as 2Φ(W_a) − 1: hardly, if it may be there by chance."""
    return max(run.floats[SURELY_ABOVE], 1.0)


def argmax(
    index: Index, scale: Number = no_scale, floor: Number = no_floor
) -> Callable[[Run, int, int], int]:
    """The scan for the arm of largest index(run, arm, scale(run, t)), NO_ARM when there is none.

    Arms with W_a < floor(run, t) or index −∞ do not take part. Ties are broken uniformly by the
    number in the given slot of the decision stream of step t.
    """

    def scan(run: Run, t: int, slot: int) -> int:
        low = floor(run, t)
        c = scale(run, t)
        best = -math.inf
        winner = NO_ARM
        ties = 0
        for a in range(len(run.counts)):
            if evidence(run, a) >= low:
                value = index(run, a, c)
                if value > best:
                    best = value
                    winner = a
                    ties = 1
                elif value == best:
                    ties += 1
        if ties < 2 or winner == NO_ARM:
            return winner
        skip = min(int(decision(run, t, slot) * ties), ties - 1)
        for a in range(len(run.counts)):
            if evidence(run, a) >= low and index(run, a, c) == best:
                if skip == 0:
                    return a
                skip -= 1
        return winner  # not reached

    return scan


def largest(
    index: Index, scale: Number = no_scale, floor: Number = no_floor
) -> Callable[[Run, int], int]:
    """The `choose` that pulls the arm of largest index; see `argmax`."""
    scan = argmax(index, scale, floor)

    def choose(run: Run, t: int) -> int:
        return scan(run, t, 0)

    return choose


def look_at_boundary(run: Run, t: int, arm: int, value: float) -> None:
    """Compute b(t) now and then, and its slopes: `level_above` and `level_below` use them."""
    if t >= run.ints[NEXT_LOOK] and run.levels[KIND] == GLR_KIND:
        later = t + 8 + t // 8
        b = level(run, t)
        slope = run.levels[SLOPE]
        run.floats[LAST_LEVEL] = b
        run.floats[CHORD] = (level(run, later) - b) / (later - t)
        # W̄' = W̄/(W̄ − 1), and b² = W̄(offset + slope·ln(slope + ln t)).
        run.floats[TANGENT] = 0.5 * b / (b * b - 1.0) * slope / ((slope + math.log(t)) * t)
        run.ints[LAST_LOOK] = t
        run.ints[NEXT_LOOK] = later


def level_below(run: Run, t: int) -> float:
    """A number just below b(t), which is concave: its chord, from one look to the next."""
    since = min(t, run.ints[NEXT_LOOK]) - run.ints[LAST_LOOK]
    return (run.floats[LAST_LEVEL] + since * run.floats[CHORD]) * (1.0 - ROUNDING)


def level_above(run: Run, t: int) -> float:
    """A number just above b(t): its tangent at the last look."""
    since = t - run.ints[LAST_LOOK]
    return (run.floats[LAST_LEVEL] + since * run.floats[TANGENT]) * (1.0 + ROUNDING)


def lowest_in_play(run: Run, t: int) -> float:
    """The least evidence of an arm in play: −b(t), or −∞ where nothing depends on t.

    An arm is in play while its upper confidence bound is at least θ, that is W_a ≥ −b(t), which
    is computed only when some −W_a lies between the numbers below and above it. Once the boundary
    says "none is good" every arm is in play again, for an experiment that goes on all the same.
    """
    if run.levels[KIND] != GLR_KIND:
        return -math.inf
    floor = -level_below(run, t)
    lowest = -level_above(run, t)
    for a in range(len(run.counts)):
        if lowest <= evidence(run, a) < floor:
            floor = -level(run, t)
            break
    return -math.inf if largest_evidence(run) < floor else floor


def _known_boundary(text: str) -> str:
    return parse_boundary(text, 2, 0.5).name


BOUNDARY_OPTION = Option(
    default=None,
    parse=_known_boundary,
    help="the boundary that decides which arms are in play and when to stop (such as kano)",
)
