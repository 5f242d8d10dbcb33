"""inspect-ai: an evaluation that stops once it is certain whether its success rate clears a bar.

    Task(dataset=…, solver=…, scorer=match(), early_stopping=StopWhenSure(bar=0.9))

An outcome is a sample's score. Outcomes count in the order of the data set, each once all before it
are known: samples run side by side, and those that fail may take longer. The answer is about
further samples of the same kind, such as others that are drawn as these were. So the data set must
be in an order that has nothing to do with its difficulty; shuffle it, unless it is.

Several epochs of one sample are no independent draws of samples: their mean is the sample's
outcome, a number from 0 to 1. Where a data set has only one sample, each epoch is an outcome, and
the answer is about further runs of that sample.
"""

import math
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any

from goodarm.defaults import GATE_DELTA
from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NAME
from goodarm.instance.instance import ABOVE
from goodarm.integrations.tally import BarTally
from goodarm.outcomes import Outcome

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample
    from inspect_ai.log import EvalSpec
    from inspect_ai.scorer import SampleScore, Score
    from inspect_ai.util import EarlyStop

NAME = "goodarm"
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # as inspect-ai's own metrics take them
MEANS = "bounded:0:1"
YES_OR_NO = "bernoulli"

Key = tuple[str | int | None, int]  # a sample's id and its epoch


# Tasks that share a hook may run at the same time, each in a context of its own.
_RUNNING: "ContextVar[_RunningTask]" = ContextVar(NAME)


class StopWhenSure:
    """Stops a task once it is certain, at 1 − `delta`, on which side of `bar` its mean score is.

    `scorer` names the scorer that decides, where there are several. `value` turns its score into a
    number, where that is not a number, a truth value or one of the letters C, P, I and N. `outcome`
    is the kind of outcome: 1 and 0 unless given, or a number from 0 to 1 for the mean of several
    epochs. With `goal="below"`, less is better.

    One object may serve several tasks; `results` has what came out of each, which is also in the
    log of the evaluation, as `log.results.early_stopping.metadata`.
    """

    def __init__(
        self,
        bar: float,
        delta: float = GATE_DELTA,
        *,
        scorer: str | None = None,
        value: "Callable[[Score], float] | None" = None,
        outcome: Outcome | str | None = None,
        goal: str = ABOVE,
    ) -> None:
        self._tally = partial(BarTally, bar=bar, delta=delta, goal=goal)
        self._scorer, self._value, self._outcome = scorer, value, outcome
        self.results: list[dict[str, Any]] = []
        self._tally(["task"], outcome=outcome or YES_OR_NO)  # a wrong bar is told now

    async def start_task(self, task: "EvalSpec", samples: "list[Sample]", epochs: int) -> str:
        """A task begins."""
        name = f"{task.task} ({task.model})"[:LONGEST_NAME]
        ids = [sample.id for sample in samples]
        alone = len(ids) == 1
        units = (
            [[(ids[0], epoch)] for epoch in range(1, epochs + 1)]
            if alone
            else [[(id_, epoch) for epoch in range(1, epochs + 1)] for id_ in ids]
        )
        model = self._outcome or (YES_OR_NO if alone or epochs == 1 else MEANS)
        tally = self._tally([name], outcome=model, most=max(1, len(units)))
        _RUNNING.set(_RunningTask(tally, units))
        return NAME

    async def schedule_sample(self, id: str | int, epoch: int) -> "EarlyStop | None":  # noqa: A002
        """Whether a sample need not be run any more."""
        from inspect_ai.util import EarlyStop

        tally = _RUNNING.get().tally
        if not tally.finished:
            return None
        return EarlyStop(id=id, epoch=epoch, reason=tally.headline)

    async def complete_sample(
        self,
        id: str | int,  # noqa: A002
        epoch: int,
        scores: "dict[str, SampleScore]",
    ) -> None:
        """A sample has its scores."""
        score = self._chosen(scores)
        if score is not None:
            _RUNNING.get().take((id, epoch), self._number(score))

    async def complete_task(self) -> dict[str, Any]:
        """A task ends; what is returned goes into its log."""
        running = _RUNNING.get()
        result = {**running.tally.to_dict(), "waiting": running.waiting}
        self.results.append(result)
        return result

    def _chosen(self, scores: "dict[str, SampleScore]") -> "Score | None":
        """The score that decides; None if there is none."""
        if not scores:
            return None
        if self._scorer is None and len(scores) > 1:
            raise InputError(
                f"scorer: the task has several scorers ({', '.join(scores)}); name the one that "
                "decides, as in StopWhenSure(scorer=...)"
            )
        name = next(iter(scores)) if self._scorer is None else self._scorer
        if name not in scores:
            raise InputError(f"scorer: there is none called {name!r}, only {', '.join(scores)}")
        return scores[name].score

    def _number(self, score: "Score") -> float:
        if self._value is not None:
            return self._value(score)
        given = score.value
        if isinstance(given, str) and given in LETTERS:
            return LETTERS[given]
        if isinstance(given, bool | int | float):
            return float(given)
        raise InputError(
            f"value: the score {given!r} is not a number; say how to read it, as in "
            "StopWhenSure(value=lambda score: ...)"
        )


class _RunningTask:
    """What is known of the samples of one task, in the order of its data set."""

    def __init__(self, tally: BarTally, units: Sequence[Sequence[Key]]) -> None:
        self.tally = tally
        self._units = units
        self._known: dict[Key, float] = {}
        self._next = 0  # the first unit that does not count yet

    def take(self, key: Key, value: float) -> None:
        """A score; one that could not be given (nan) leaves its sample without an outcome."""
        if math.isnan(value):
            return
        self._known.setdefault(key, value)  # a sample that is run again has had its outcome
        while self._next < len(self._units) and self._has(self._next):
            unit = self._units[self._next]
            self.tally.count(0, math.fsum(self._known[key] for key in unit) / len(unit))
            self._next += 1

    @property
    def waiting(self) -> int:
        """How many outcomes are known, but do not count as one before them is not."""
        return sum(self._has(position) for position in range(self._next, len(self._units)))

    def _has(self, position: int) -> bool:
        return all(key in self._known for key in self._units[position])
