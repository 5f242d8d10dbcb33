"""What a study is about: everything that was declared when it was created or amended.

Each setting is one field of `Settings`: what it means, how it is checked, what it is where nothing
is declared, how the log writes it. The first event of a log, the help of the command line and the
body of the API are made from these fields.
"""

from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any

from goodarm import __version__, defaults
from goodarm.algorithms import Algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.experiment import Experiment
from goodarm.inputs import LONGEST_NAME, LONGEST_NOTE, names, number, seconds, text, whole
from goodarm.inquiry import Criterion, Inquiry
from goodarm.inquiry.spending import check_reserve
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Outcome, find_outcome, outcome_from_data
from goodarm.rng import MAX_STEPS
from goodarm.study.algorithms import (
    REHEARSAL_SEED,
    algorithm_of_log,
    fingerprint_in,
    fingerprint_in_inquiry,
    fingerprint_of,
    live_algorithm,
)
from goodarm.study.arms import NOTHING_SAID, ArmDetails, check_details
from goodarm.study.bars import OF_THE_FIRST, bars, mirrored
from goodarm.study.declared import (
    AS_ASKED,
    AS_TOLD,
    MIXTURE,
    PAPERS,
    check_boundary,
    check_decide,
    check_delta,
    check_goal,
    check_question,
    check_seed,
    declared,
    optional,
    read_criteria,
    same,
)

MOST_FINGERPRINTS = 200
_FINGERPRINTS: dict[tuple[object, ...], str] = {}  # of this process


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The declared facts, in the user's own units."""

    arms: tuple[str, ...] = field(
        metadata=declared("The arms' names.", names, write=list, read=tuple)
    )
    threshold: float = field(  # type: ignore[assignment]  # None: see `criteria`, `control`
        default=None,
        metadata=declared(
            "The threshold that an arm's mean must clear, or one for each arm; none where "
            "criteria or a control say it.",
            per_arm=True,
        ),
    )
    outcome: Outcome = field(  # type: ignore[assignment]  # the same
        default=None,
        metadata=declared(
            "What an outcome is: MODELS.",
            optional(find_outcome),
            write=lambda outcome: outcome.to_data(),
            read=outcome_from_data,
        ),
    )
    goal: str = field(
        default=ABOVE,
        metadata=declared("above: higher is better; below: lower is better.", check_goal),
    )
    delta: float | None = field(
        default=None,
        metadata=declared("Stop by itself when sure at 1 − δ.", optional(check_delta)),
    )
    algorithm: str = field(
        default=defaults.ALGORITHM, metadata=declared("The algorithm that suggests what to try.")
    )
    fingerprint: str = ""  # of what the algorithm chooses
    seed: int = field(  # type: ignore[assignment]  # None: a random one is drawn
        default=None,
        metadata=declared("The seed; random if not given.", check_seed),
    )
    budget: int | None = field(
        default=None,
        metadata=declared(
            "Suggest at most this many trials.",
            optional(lambda value: whole("budget", value, 1, MAX_STEPS)),
        ),
    )
    lease: float | None = field(
        default=None,
        metadata=declared(
            "Seconds after which a suggestion without an outcome expires.",
            lambda value: seconds("lease", value),
        ),
    )
    boundary: str = field(
        default=MIXTURE,
        metadata=declared(
            "The stopping rule: mixture (certificates of the outcome model, fewest trials) or glr "
            "(the paper's boundary).",
            check_boundary,
            earlier=PAPERS,
        ),
    )
    decide: str = field(
        default=AS_ASKED,
        metadata=declared(
            "When an outcome counts: as-asked (once those of its arm asked before it are known, so "
            "that delays cannot hurt) or as-told (at once; delays must have nothing to do with the "
            "values).",
            check_decide,
            earlier=AS_TOLD,
        ),
    )

    question: str = field(
        default="any",
        metadata=declared(
            "What is asked: any (one good arm, or none), all (which are good), top:M (M good ones) "
            "or in-order (the first good one of the list).",
            check_question,
            earlier="any",
            rare=True,
        ),
    )
    criteria: tuple[Criterion, ...] = field(
        default=(),
        metadata=declared(
            "Several measurements of a trial, each with its bar: NAME:MODEL>=BAR or <=BAR, where "
            "BAR may be control+0.02 or control*1.1. An arm is good when all hold.",
            read_criteria,
            earlier=(),
            write=lambda criteria: [criterion.to_data() for criterion in criteria],
            read=lambda data: tuple(map(Criterion.from_data, data)),
            rare=True,
        ),
    )
    control: str | None = field(
        default=None,
        metadata=declared(
            "The arm that the others are compared with; with margin, lift or criteria.",
            optional(lambda value: text("control", value, LONGEST_NAME)),
            earlier=None,
            rare=True,
        ),
    )
    margin: float | None = field(
        default=None,
        metadata=declared(
            "Better than the control by at least this; negative: at most so much worse.",
            optional(lambda value: number("margin", value)),
            earlier=None,
            rare=True,
        ),
    )
    lift: float | None = field(
        default=None,
        metadata=declared(
            "The same as a share of the control's mean: 0.1 is 10 % better.",
            optional(lambda value: number("lift", value)),
            earlier=None,
            rare=True,
        ),
    )
    reserve: float = field(
        default=0.0,
        metadata=declared(
            "The share of δ that is kept for arms added later.",
            check_reserve,
            earlier=0.0,
            rare=True,
        ),
    )
    details: tuple[ArmDetails, ...] = field(
        default=(),
        metadata=declared(
            "What is known of arms besides their names: a label, the cost of a trial, a note.",
            check_details,
            earlier=(),
            write=lambda details: {one.name: one.to_data() for one in details},
            read=lambda data: tuple(ArmDetails(name, **said) for name, said in data.items()),
            rare=True,
        ),
    )

    thresholds: tuple[float, ...] | None = field(
        default=None,
        metadata={
            "earlier": None,
            "rare": True,
            "write": list,
            "read": lambda bars: None if bars is None else tuple(bars),
        },
    )
    """One for each arm, where they differ; `threshold` is then the first of them."""
    by_cost: bool = field(default=False, metadata={"earlier": False, "rare": True})
    """Whether what trials cost steers: it does where costs were said at the creation."""
    command: str | None = field(default=None, metadata={"earlier": None, "rare": True})
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
        algorithm = live_algorithm(checked["algorithm"])
        checked |= bars(checked) | {
            "algorithm": algorithm.label,
            "by_cost": any(one.cost is not None for one in checked["details"]),
            "command": None if command is None else text("command", command, LONGEST_NOTE),
        }
        checked["outcome"].check_arms(len(checked["arms"]))
        for one in checked["details"]:
            if one.name not in checked["arms"]:
                raise unknown_name("arm", one.name, checked["arms"])
        settings = cls(**checked)
        settings.check(algorithm)
        return replace(settings, fingerprint=settings.fingerprint_with(algorithm))

    @property
    def is_plain(self) -> bool:
        """Whether it is about one good arm and one bar for all, as in the paper."""
        first = (self.question, self.criteria, self.control, self.thresholds, self.reserve)
        return first == ("any", (), None, None, 0.0)

    @property
    def every_criterion(self) -> tuple[Criterion, ...]:
        """What an arm must do to be good, with one measurement or several."""
        if self.criteria:
            return self.criteria
        bar = None if self.control is not None else self.thresholds or self.threshold
        one = Criterion(self.outcome, bar, self.goal, margin=self.margin, lift=self.lift)
        return (one,)

    def details_of(self, arm: str) -> ArmDetails:
        """What was said of an arm."""
        return next((one for one in self.details if one.name == arm), NOTHING_SAID)

    @property
    def is_priced(self) -> bool:
        """Whether trials cost something."""
        return any(one.cost is not None for one in self.details)

    def cost_of(self, arm: str) -> float:
        """What a trial of the arm costs; 1 where nothing was said."""
        return self.details_of(arm).cost or 1.0

    def costs(self, founders: int | None = None) -> list[float] | None:
        """What a trial of each arm costs, where that steers."""
        return [self.cost_of(arm) for arm in self.arms[:founders]] if self.by_cost else None

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
        if not self.is_plain:
            control = None if self.control is None else self.arms.index(self.control)
            asked = (self.question, self.every_criterion, control, self.reserve)
            played = (*played, *asked)  # type: ignore[assignment]
        played = (*played, *(self.costs() or ()))
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
        rehearsal = replace(self, seed=REHEARSAL_SEED, delta=0.05)
        if self.is_plain:
            return fingerprint_in(rehearsal.experiment(algorithm))
        return fingerprint_in_inquiry(rehearsal.inquiry(algorithm))

    def check(self, algorithm: Algorithm) -> None:
        """Raise what the algorithm, or the question, does not accept."""
        if self.is_plain:
            self.experiment(algorithm)
            return
        if self.boundary == PAPERS:
            raise InputError(
                f"boundary: the paper's {PAPERS!r} is for one good arm and one bar; leave it out"
            )
        self.inquiry(algorithm)

    def check_values(self) -> None:
        """Raise a ValueError if nobody could have declared this: it comes from a log."""
        given = {setting.name: getattr(self, setting.name) for setting in declared_settings()}
        if self.criteria:
            given |= {"threshold": None, "outcome": None, "goal": ABOVE}
            given["criteria"] = tuple(criterion.declared_anew() for criterion in self.criteria)
        elif self.thresholds is not None or self.control is not None:
            given["threshold"] = self.thresholds
        checked = {
            setting.name: setting.metadata["check"](given[setting.name])
            for setting in declared_settings()
        }
        for name, value in (checked | bars(checked)).items():
            if value != getattr(self, name):
                raise ValueError(f"{name}: {getattr(self, name)!r} cannot be declared")

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
            costs=self.costs(),
        )

    def inquiry(self, algorithm: Algorithm, founders: int | None = None, run: int = 0) -> Inquiry:
        """A fresh inquiry with these settings, into the arms of the study's creation."""
        return Inquiry(
            self.arms[:founders],
            self.every_criterion,
            self.question,
            self.delta,
            self.control,
            algorithm,
            self.seed,
            run,
            reserve=self.reserve,
            costs=dict(zip(self.arms[:founders], self.costs(founders) or (), strict=False)),
        )

    def to_data(self) -> dict[str, Any]:
        """The settings as plain data, for the first event of the log."""
        data = {}
        for setting in fields(self):
            value = getattr(self, setting.name)
            if not (setting.metadata.get("rare") and value == setting.default):
                data[setting.name] = setting.metadata.get("write", same)(value)
        if self.criteria:
            for mirrored in OF_THE_FIRST:
                del data[mirrored]
        return {**data, "goodarm": __version__}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Settings":
        """The settings that `to_data` wrote."""
        values = {}
        for setting in fields(cls):
            value = data.get(setting.name, setting.metadata.get("earlier", MISSING))
            if value is not MISSING:
                is_default = setting.name not in data
                read = same if is_default else setting.metadata.get("read", same)
                values[setting.name] = read(value)
            elif not (data.get("criteria") and setting.name in OF_THE_FIRST):
                raise KeyError(setting.name)
        return cls(**values | mirrored(values.get("criteria", ())))


def declared_settings() -> tuple[Field[Any], ...]:
    """The settings that a user declares, each with its `default` and `metadata["help"]`."""
    return tuple(setting for setting in fields(Settings) if "help" in setting.metadata)
