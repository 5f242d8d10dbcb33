"""What a study is about: everything that was declared when it was created or amended.

Each setting is one field of `Settings`: what it means, how it is checked, what it is where nothing
is declared, how the log writes it. The first event of a log, the help of the command line and the
body of the API are made from these fields.
"""

import secrets
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any

from goodarm import __version__, defaults
from goodarm.algorithms import Algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.experiment import Experiment
from goodarm.inputs import LONGEST_NOTE, names, number, seconds, text, whole
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.outcomes import Outcome, find_outcome, outcome_from_data
from goodarm.rng import MAX_SEED, MAX_STEPS
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.algorithms import (
    REHEARSAL_SEED,
    algorithm_of_log,
    fingerprint_in,
    fingerprint_of,
    live_algorithm,
)

MIXTURE, PAPERS = "mixture", "glr"
AS_ASKED, AS_TOLD = "as-asked", "as-told"
MOST_FINGERPRINTS = 200
_FINGERPRINTS: dict[tuple[object, ...], str] = {}  # of this process


def check_boundary(value: object) -> str:
    """A stopping rule that holds for any sampling, with late and missing outcomes."""
    name = parse_boundary(str(value), 2, 0.5).name
    if name not in (MIXTURE, PAPERS):
        raise InputError(
            f"boundary: a live study stops by {MIXTURE!r} or the paper's {PAPERS!r}, not {name!r}"
        )
    return name


def check_delta(value: object) -> float:
    """δ, strictly between 0 and 1."""
    delta = number("delta", value)
    if not 0.0 < delta < 1.0:
        raise InputError(
            f"delta: {value!r} is not strictly between 0 and 1; 0.05 means sure at 95 %"
        )
    return delta


def _goal(value: object) -> str:
    if value not in (ABOVE, BELOW):
        raise InputError(f"goal: {value!r} is neither 'above' nor 'below'")
    return str(value)


def _decide(value: object) -> str:
    if value not in (AS_ASKED, AS_TOLD):
        raise unknown_name("decide", str(value), (AS_ASKED, AS_TOLD))
    return str(value)


def _seed(value: object) -> int:
    # 53 bits, so that programs that read numbers as doubles keep the seed exactly.
    return secrets.randbits(53) if value is None else whole("seed", value, 0, MAX_SEED)


def _same(value: Any) -> Any:
    return value


def _declared(
    help: str,  # noqa: A002
    check: Callable[[Any], Any] = _same,
    *,
    earlier: Any = MISSING,
    write: Callable[[Any], Any] = _same,
    read: Callable[[Any], Any] = _same,
) -> dict[str, Any]:
    """What a setting means, how it is checked, and how the log has it.

    A log of a version that did not have the setting yet means `earlier`.
    """
    return {"help": help, "check": check, "earlier": earlier, "write": write, "read": read}


def _optional(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else check(value)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The declared facts, in the user's own units."""

    arms: tuple[str, ...] = field(
        metadata=_declared("The arms' names.", names, write=list, read=tuple)
    )
    threshold: float = field(metadata=_declared("The threshold that an arm's mean must clear."))
    outcome: Outcome = field(
        metadata=_declared(
            "What an outcome is: MODELS.",
            find_outcome,
            write=lambda outcome: outcome.to_data(),
            read=outcome_from_data,
        )
    )
    goal: str = field(
        default=ABOVE, metadata=_declared("above: higher is better; below: lower is better.", _goal)
    )
    delta: float | None = field(
        default=None,
        metadata=_declared("Stop by itself when sure at 1 − δ.", _optional(check_delta)),
    )
    algorithm: str = field(
        default=defaults.ALGORITHM, metadata=_declared("The algorithm that suggests what to try.")
    )
    fingerprint: str = ""  # of what the algorithm chooses
    seed: int = field(  # type: ignore[assignment]  # None: a random one is drawn
        default=None,
        metadata=_declared("The seed; random if not given.", _seed),
    )
    budget: int | None = field(
        default=None,
        metadata=_declared(
            "Suggest at most this many trials.",
            _optional(lambda value: whole("budget", value, 1, MAX_STEPS)),
        ),
    )
    lease: float | None = field(
        default=None,
        metadata=_declared(
            "Seconds after which a suggestion without an outcome expires.",
            lambda value: seconds("lease", value),
        ),
    )
    boundary: str = field(
        default=MIXTURE,
        metadata=_declared(
            "The stopping rule: mixture (certificates of the outcome model, fewest trials) or glr "
            "(the paper's boundary).",
            check_boundary,
            earlier=PAPERS,
        ),
    )
    decide: str = field(
        default=AS_ASKED,
        metadata=_declared(
            "When an outcome counts: as-asked (once those of its arm asked before it are known, so "
            "that delays cannot hurt) or as-told (at once; delays must have nothing to do with the "
            "values).",
            _decide,
            earlier=AS_TOLD,
        ),
    )

    command: str | None = field(default=None, metadata={"earlier": None})
    """The command that makes its trials, where a gate began it: another would be another study."""

    @classmethod
    def declare(cls, **values: object) -> "Settings":
        """Check what a user declares; what is left out has its default."""
        command = values.pop("command", None)
        checked = {
            setting.name: setting.metadata["check"](values.pop(setting.name, setting.default))
            for setting in declared_settings()
        }
        if values:
            raise unknown_name("setting", next(iter(values)), checked)
        outcome, algorithm = checked["outcome"], live_algorithm(checked["algorithm"])
        outcome.check_arms(len(checked["arms"]))
        checked |= {
            "threshold": outcome.check_threshold(checked["threshold"]),
            "algorithm": algorithm.label,
            "command": None if command is None else text("command", command, LONGEST_NOTE),
        }
        settings = cls(**checked)
        settings.experiment(algorithm)  # raises what the algorithm itself does not accept
        return replace(settings, fingerprint=settings.fingerprint_with(algorithm))

    def judged_as(self, outcome: Outcome) -> "Settings":
        """These settings with an outcome model that an earlier version has for the same text."""
        if outcome == self.outcome or outcome.text() != self.outcome.text():
            return self
        settings = replace(self, outcome=outcome)
        algorithm = live_algorithm(self.algorithm)
        return replace(settings, fingerprint=settings.fingerprint_with(algorithm))

    def find_algorithm(self) -> Algorithm | None:
        """The algorithm that this study began with, or None if it is no longer installed."""
        return algorithm_of_log(self.algorithm, self.fingerprint, self.fingerprint_with)

    def fingerprint_with(self, algorithm: Algorithm) -> str:
        """A hash of what an algorithm would choose here; see `study.algorithms`."""
        # It depends on neither names nor seed; with many arms it takes a while.
        played = (len(self.arms), self.threshold, self.outcome, self.goal, self.boundary)
        rules = (algorithm.choose, algorithm.start, algorithm.observe, algorithm.constants)
        key = (algorithm.label, *rules, *played)
        if key not in _FINGERPRINTS:
            if len(_FINGERPRINTS) >= MOST_FINGERPRINTS:
                _FINGERPRINTS.clear()
            _FINGERPRINTS[key] = self._rehearse(algorithm)
        return _FINGERPRINTS[key]

    def _rehearse(self, algorithm: Algorithm) -> str:
        if self.boundary == PAPERS:
            return fingerprint_of(algorithm, len(self.arms))
        rehearsal = replace(self, seed=REHEARSAL_SEED, delta=0.05).experiment(algorithm)
        return fingerprint_in(rehearsal)

    def experiment(self, algorithm: Algorithm) -> Experiment:
        """A fresh experiment with these settings."""
        return Experiment(
            self.arms,
            threshold=self.threshold,
            outcome=self.outcome,
            algorithm=algorithm,
            seed=self.seed,
            delta=self.delta,
            boundary=self.boundary,
            goal=self.goal,
        )

    def to_data(self) -> dict[str, Any]:
        """The settings as plain data, for the first event of the log."""
        data = {
            setting.name: setting.metadata.get("write", _same)(getattr(self, setting.name))
            for setting in fields(self)
        }
        if self.command is None:
            del data["command"]  # most studies have none
        return {**data, "goodarm": __version__}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Settings":
        """The settings that `to_data` wrote."""
        values = {}
        for setting in fields(cls):
            value = data.get(setting.name, setting.metadata.get("earlier", MISSING))
            if value is MISSING:
                raise KeyError(setting.name)
            values[setting.name] = setting.metadata.get("read", _same)(value)
        return cls(**values)


def declared_settings() -> tuple[Field[Any], ...]:
    """The settings that a user declares, each with its `default` and `metadata["help"]`."""
    return tuple(setting for setting in fields(Settings) if "help" in setting.metadata)
