"""Numbers of many events at once, drawn exactly with nothing but `random.Random`.

Reference: Ahrens and Dieter, Computing 12 (1974): a gamma or a beta number tells how far half of
the events are, which leaves half as many to draw.
"""

import math
from random import Random

import numpy as np

from goodarm.outcomes.contract import Floats

FEW = 16  # events that are drawn one by one


def binomial(chance: Random, many: int, share: float) -> int:
    """How many of so many independent trials succeed, each with this chance."""
    found = 0
    while many > FEW:
        # Of the uniform numbers that stand for the trials, the one in the middle.
        middle = 1 + many // 2
        place = chance.betavariate(middle, many + 1 - middle)
        if share < place:
            many, share = middle - 1, share / place
        else:
            found += middle
            many, share = many - middle, (share - place) / (1.0 - place)
    return found + sum(chance.random() < share for _ in range(many))


def poisson(chance: Random, mean: float) -> int:
    """How many events of a steady stream come in a time in which so many are expected."""
    found = 0
    while mean > FEW:
        early = int(0.875 * mean)
        time = chance.gammavariate(early, 1.0)  # of that event, at one event per unit of time
        if time > mean:
            return found + binomial(chance, early - 1, mean / time)
        found += early
        mean -= time
    time = chance.expovariate(1.0)
    while time <= mean:
        found += 1
        time += chance.expovariate(1.0)
    return found


def shares_near(share: float, steps: Floats) -> Floats:
    """Shares whose odds are so far from those of this one, in logarithms."""
    odds = math.log(share) - math.log1p(-share) + steps
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))
