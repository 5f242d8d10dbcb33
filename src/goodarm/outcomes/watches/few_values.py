"""Outcomes with a few distinct values under the model of normal ones with unknown scatter.

Normal outcomes are all distinct, and rounding to half a standard deviation, which does no harm,
still leaves about ten values. An arm with fewer than ENOUGH distinct values after LOOKED_AT
outcomes is doubted until it has them. For normal outcomes that never happens; so this watch needs
no share of DOUBT.
"""

from collections.abc import Mapping

from goodarm.outcomes.watches.contract import Names, Watch, whose

ENOUGH, LOOKED_AT = 5, 20.0
COUNT, VALUES = range(2)


class FewValues(Watch):
    """A count of distinct values, as far as ENOUGH."""

    name = "few distinct values"
    memory = 1

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Keep the value if it is new."""
        state[COUNT] += 1.0
        if len(state) < VALUES + ENOUGH and value not in state[VALUES:]:
            state.append(value)

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """The first arm with too few."""
        for arm, state in sorted(states.items()):
            if state[COUNT] >= LOOKED_AT and len(state) < VALUES + ENOUGH:
                many = len(state) - VALUES
                return (
                    f"{state[COUNT]:,.0f} outcomes of {whose(arm, names)} have only {many} distinct"
                    f" {'value' if many == 1 else 'values'}. The stated confidence holds for "
                    "outcomes that vary continuously, and nothing is decided from so few values; "
                    "begin a study with bounded outcomes, or with yes and no (bernoulli)."
                )
        return None
