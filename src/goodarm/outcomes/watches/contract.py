"""What a watch is: a few numbers per arm, and a sentence once they speak against the model.

A model's guarantee holds for outcomes of its kind. A watch tests whether they are, beside the
study and without a say in it. Where it can be, it is a test that is valid at any time: however
often one looks and whatever the sampling rule does, outcomes of the declared kind are doubted with
a probability of at most DOUBT. Each arm is tested by itself, at DOUBT/K: sampling rules look at the
outcomes, so a product over arms would be no supermartingale.
"""

from collections.abc import Mapping
from typing import ClassVar

DOUBT = 0.01  # the chance that outcomes of the declared kind are ever doubted, at most


class Watch:
    """Looks at every outcome, remembers `memory` numbers of each arm, says what it doubts."""

    name: ClassVar[str]
    memory: ClassVar[int]

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Take in an outcome of an arm; its state begins with zeros."""
        raise NotImplementedError

    def doubt(self, states: Mapping[int, list[float]], K: int) -> str | None:
        """What speaks against the model, and what to do; None if nothing does.

        `states` has the arms with outcomes, of K in all.
        """
        raise NotImplementedError
