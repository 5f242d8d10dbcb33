"""Optuna: a study that stops once it is certain whether a configuration clears the bar.

    callback = GoodArmCallback(bar=0.8, configurations={"lr": [0.1, 0.01], "depth": [2, 4]})
    callback.enqueue(study)
    study.optimize(objective, n_trials=500, callbacks=[callback])
    callback.best          # {"lr": 0.01, "depth": 4}, or None

Where the objective is noisy, the best value seen is mostly luck: with enough trials some value
clears any bar. Here each configuration is tried repeatedly, and goodarm says which one to try next
and when it is certain. The configurations are declared before the first trial, as are the bar and
δ: with those that turn up later, the probability of an error could not be bounded.

Outcomes count in the order of the trials' numbers, each once all before it have ended, whatever
order they end in. Everything is read from Optuna's storage, so a study that is taken up again, or
worked on by several processes, is one study here, too.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from threading import Lock
from typing import TYPE_CHECKING, Any

from goodarm.defaults import GATE_DELTA
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import LONGEST_NAME, whole
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.integrations.tally import BarTally
from goodarm.outcomes import Outcome

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

Configuration = dict[str, Any]
FAIL, STOP = "fail", "stop"
MOST_CONFIGURATIONS = 1000
FIXED = "fixed_params"  # where Optuna keeps what was enqueued


class GoodArmCallback:
    """Stops a study once it is certain, at 1 − `delta`, whether a configuration clears `bar`.

    `configurations` are those that may be tried: a list of dicts, or for each parameter the list
    of its values, whose combinations are meant. `outcome` is what the objective gives: 1 and 0
    (or True and False) unless given otherwise, such as "bounded:0:1" for a score or "gaussian" for
    a measurement. A study that maximises looks for a mean of at least `bar`, one that minimises
    (`goal="below"`) for one of at most `bar`.

    A trial that fails or is pruned has no outcome. Leaving it out would flatter its configuration,
    so it is an error, unless `on_error="fail"` counts it as the worst outcome that there can be.
    """

    def __init__(
        self,
        bar: float,
        configurations: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]],
        delta: float = GATE_DELTA,
        *,
        outcome: Outcome | str = "bernoulli",
        goal: str = ABOVE,
        on_error: str = STOP,
    ) -> None:
        self.configurations = _declared(configurations)
        self._keys = [_key(configuration) for configuration in self.configurations]
        if len(set(self._keys)) < len(self._keys):
            raise InputError("configurations: one occurs twice; give each once")
        self.tally = BarTally(_names(self.configurations), bar, delta, outcome, goal)
        if on_error not in (FAIL, STOP):
            raise unknown_name("on_error", str(on_error), (FAIL, STOP))
        model = self.tally.question.model
        self._worst = model.low if goal == ABOVE else model.high
        if on_error == FAIL and self._worst is None:
            raise InputError(f"on_error: {model.text()} outcomes have no worst one; give 'stop'")
        self._fails = on_error == FAIL
        self._next = 0  # the number of the first trial that does not count yet
        self._lock = Lock()

    def __call__(self, study: "Study", trial: "FrozenTrial") -> None:
        """After every trial: count it, stop if it is certain, else enqueue the next one."""
        self.update(study)
        if self.finished:
            with suppress(RuntimeError):  # called from a loop of one's own
                study.stop()
        else:
            self.enqueue(study)

    @property
    def finished(self) -> bool:
        """Whether it is certain."""
        return self.tally.finished

    @property
    def best(self) -> Configuration | None:
        """The configuration that certainly clears the bar, if one does."""
        arm = self.tally.arm
        return None if arm is None else self.configurations[self.tally.question.arms.index(arm)]

    @property
    def result(self) -> dict[str, Any]:
        """The verdict, how sure it is, and how every configuration did."""
        return {**self.tally.to_dict(), "best": self.best}

    def update(self, study: "Study") -> None:
        """Count what has ended since the last time; for loops that ask and tell themselves."""
        self._check_direction(study)
        with self._lock:
            for trial in study.get_trials(deepcopy=False)[self._next :]:
                if not trial.state.is_finished():
                    break
                self.tally.count(self._arm(trial), self._outcome(trial))
                self._next += 1

    def enqueue(self, study: "Study", n: int = 1) -> None:
        """Have Optuna try next what goodarm suggests: n more trials, unless it is certain.

        Call it once before `study.optimize`, with `n` the number of jobs.
        """
        self.update(study)
        for _ in range(whole("n", n, 1, MOST_CONFIGURATIONS)):
            with self._lock:
                suggestion = None if self.finished else self._suggestion(study)
                if suggestion is not None:
                    study.enqueue_trial(suggestion)

    def _suggestion(self, study: "Study") -> Configuration | None:
        """What to try next, given what is being tried."""
        later = study.get_trials(deepcopy=False)[self._next :]
        open_arms = [self._keys.index(key) for t in later if (key := _tried(t)) in self._keys]
        arm = self.tally.experiment.next_arm(open_arms)
        return None if arm is None else dict(self.configurations[arm])

    def _arm(self, trial: "FrozenTrial") -> int:
        key = _tried(trial)
        if key not in self._keys:
            raise InputError(
                f"configurations: trial {trial.number} tried {trial.params}, which was not "
                "declared; declare every configuration that can be tried before the first trial, "
                "and enqueue what is tried (GoodArmCallback.enqueue)"
            )
        return self._keys.index(key)

    def _outcome(self, trial: "FrozenTrial") -> float | None:
        if trial.state.name == "COMPLETE":
            return trial.value
        if self._fails:
            return self._worst
        raise InputError(
            f"on_error: trial {trial.number} has ended without an outcome "
            f"({trial.state.name.lower()}); on_error='fail' counts such trials as the worst outcome"
        )

    def _check_direction(self, study: "Study") -> None:
        directions = [direction.name for direction in study.directions]
        goal = self.tally.question.goal
        wanted = {ABOVE: "MAXIMIZE", BELOW: "MINIMIZE"}[goal]
        if directions != [wanted]:
            raise InputError(
                f"goal: {goal!r} is for a study with one direction, {wanted.lower()}; this one has "
                f"{', '.join(directions).lower()}"
            )


def _declared(
    given: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]],
) -> list[Configuration]:
    """The configurations one by one."""
    if isinstance(given, Mapping):
        values = [list(each) if not isinstance(each, str) else [each] for each in given.values()]
        configurations = [dict(zip(given, each, strict=True)) for each in product(*values)]
    else:
        configurations = [dict(each) for each in given]
    if not configurations or not all(configurations):
        raise InputError("configurations: give at least one, each with at least one parameter")
    for name, value in (pair for each in configurations for pair in each.items()):
        if not isinstance(value, str | int | float | bool | None):
            raise InputError(
                f"configurations: {name}: {value!r} is nothing that Optuna suggests; give numbers, "
                "texts, True, False or None"
            )
    whole("configurations (how many)", len(configurations), 1, MOST_CONFIGURATIONS)
    return configurations


def _names(configurations: Sequence[Configuration]) -> list[str]:
    """What each is called: lr=0.01, depth=4."""
    names = [", ".join(f"{k}={v}" for k, v in each.items()) for each in configurations]
    return [
        name if len(name) <= LONGEST_NAME else f"configuration {number}"
        for number, name in enumerate(names)
    ]


def _key(parameters: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    """What makes two configurations the same: 1 and 1.0 are, True and 1 are not."""
    return frozenset((name, (isinstance(v, bool), v)) for name, v in parameters.items())


def _tried(trial: "FrozenTrial") -> frozenset[tuple[str, Any]]:
    """What a trial tries: as far as it has asked for it, or else as it was enqueued."""
    return _key(trial.params or trial.system_attrs.get(FIXED, {}))
