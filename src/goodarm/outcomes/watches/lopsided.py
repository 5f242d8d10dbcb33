"""Outcomes that are not symmetric, under the model that asks for nothing else.

Of three outcomes of an arm, the middle one is nearer to the smallest or to the largest. If all are
symmetric around one centre, whatever their scales, both are equally likely: reflecting them at the
centre exchanges the two. With r and l of either kind among an arm's threes (its outcomes 1 to 3, 4
to 6, …), and ties left out,

    E = 2^(r + l) B(r + a, l + a)/B(a, a),    a = 5,

is a mixture of likelihood ratios: valid at any time for each arm by itself, at DOUBT/K. (Not for a
product over arms: which arm is tried a third time may depend on its first two outcomes.)
Reference: the triples test of Randles, Fligner, Policello and Wolfe (1980), in its simplest form.
"""

import math
from collections.abc import Mapping

from goodarm.outcomes.watches.contract import Names, Watch, whose

PRIOR = 5.0
RIGHT, LEFT, HELD = range(3)  # threes with the tail on either side; then what waits for a third


class Lopsided(Watch):
    """An e-process against "symmetric around one centre"."""

    name = "skewness"
    memory = 2

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Judge every three."""
        state.append(value)
        if len(state) == HELD + 3:
            low, middle, high = sorted(state[HELD:])
            del state[HELD:]
            bend = (high - middle) - (middle - low)
            if bend != 0.0:
                state[RIGHT if bend > 0.0 else LEFT] += 1.0

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """The first arm with outcomes that lean to one side."""
        for arm, state in sorted(states.items()):
            if evidence(*state[:HELD]) >= self.level(K):
                right, left = state[:HELD]
                share = max(right, left) / (right + left)
                return (
                    f"The outcomes of {whose(arm, names)} are not symmetric: of three, the middle "
                    f"one was nearer to the {'smallest' if right > left else 'largest'} in "
                    f"{100.0 * share:.3g} % of {right + left:,.0f} cases, and not in half of them. "
                    "The stated confidence may not hold; begin a study with bounded outcomes if "
                    "there are bounds."
                )
        return None


def evidence(right: float, left: float) -> float:
    """ln E of one arm."""
    lgamma, both = math.lgamma, right + left
    return (
        both * math.log(2.0)
        + (lgamma(right + PRIOR) - lgamma(PRIOR))
        + (lgamma(left + PRIOR) - lgamma(PRIOR))
        - (lgamma(both + 2.0 * PRIOR) - lgamma(2.0 * PRIOR))
    )
