"""Ask and tell for every question: several criteria, a control, arms that come and go.

`goodarm.Experiment` asks whether one arm clears one bar, with one certificate for each arm. An
inquiry is the general case: an arm is good if all of its criteria hold (`joint`), the question says
which answers are needed (`question`), and what each arm's certificates must reach is fixed
beforehand (`spending`). What is certain of an arm stays so: a certificate that ever reaches its
level has reached it.
"""

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from typing import Any

from goodarm import defaults
from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.certainty import Limits
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import check_cost, costs_of, names
from goodarm.inquiry.arm_state import CONTROL, RETIRED, STANDINGS, ArmState
from goodarm.inquiry.criteria import Criterion, bars_of_new, check_control, check_criteria
from goodarm.inquiry.joint import JointEvidence
from goodarm.inquiry.question import BAD, GOOD, IN_ORDER, UNDECIDED, Question
from goodarm.inquiry.spending import Spending, check_reserve
from goodarm.inquiry.steering import Steering
from goodarm.inquiry.tally import MeasurementTally
from goodarm.inquiry.weighing import Weighing
from goodarm.outcomes.contract import Reading
from goodarm.stopping import parse_boundary
from goodarm.stopping.contract import NEVER

USUAL_DELTA = 0.05  # for limits where no δ was given


class Inquiry:
    """Ask and tell, for any question about arms that have one or several criteria to meet.

    >>> from goodarm import Bernoulli
    >>> inquiry = Inquiry(["a", "b"], Criterion.declare("bernoulli", 0.5), "all", 0.05)
    >>> for _ in range(12):
    ...     inquiry.tell("a", 1.0)
    >>> inquiry.standings
    {'a': 'good', 'b': 'undecided'}
    >>> inquiry.arms[inquiry.ask()]
    'b'

    `costs` of arms, 1 where nothing is said, are taken into account by algorithms that can.
    """

    def __init__(
        self,
        arms: Sequence[str] | int,
        criteria: Criterion | Sequence[Criterion],
        question: Question | str = "any",
        delta: float | None = None,
        control: str | None = None,
        algorithm: str | Algorithm = defaults.ALGORITHM,
        seed: int = 0,
        run: int = 0,
        reserve: float = 0.0,
        costs: Mapping[str, float] | None = None,
    ) -> None:
        given = [f"arm {a + 1}" for a in range(arms)] if isinstance(arms, int) else arms
        self._names = list(names(given))
        several = [criteria] if isinstance(criteria, Criterion) else list(criteria)
        self.criteria = check_criteria(several, len(self._names))
        self.question, self.delta = Question.parse(question), delta
        check_control(self.criteria, control)
        self.control = None if control is None else self._index(control)
        self._retired: set[int] = set()
        founders = len(self._names) - (self.control is not None)
        if founders < 1:
            raise InputError("arms: the control is the only one; name what to compare it with")
        self._spending = Spending(self.question, founders, check_reserve(reserve))
        self.algorithm = find_algorithm(algorithm)
        boundary = NEVER if delta is None else parse_boundary("mixture", founders, delta)
        self._costs = costs_of(self._names, costs)
        self._steering = Steering(self.algorithm, seed, run, boundary, self._costs)
        self._joint = JointEvidence(self.criteria, len(self._names), self.control)
        self._weighing = Weighing(self.question, self._joint, self._spending, self.control)
        self._stands = [UNDECIDED] * len(self._names)
        self._touched: dict[int, None] = {}
        self._pending: list[int] = []
        self._finished = False
        self._set_out()

    # Asking and telling

    def ask(self) -> int | None:
        """The arm to try next, or None if nothing is left to try."""
        arm = self.next_arm(self._pending)
        if arm is not None:
            self._pending.append(arm)
        return arm

    def tell(
        self, arm: int | str, value: float | Mapping[str, float], size: float | None = None
    ) -> None:
        """Record an outcome of an arm: its value, or values by the names of the criteria."""
        index = self._index(arm)
        values = value if isinstance(value, Mapping) else {self.criteria[0].name: value}
        if not isinstance(value, Mapping) and len(self.criteria) > 1:
            raise InputError(
                "value: one number for several measurements; give a mapping from their names: "
                + ", ".join(criterion.name for criterion in self.criteria)
            )
        told = [(self.measure(name), number) for name, number in values.items()]
        readings = [(i, self.check(i, index, number, size)) for i, number in told]
        if index in self._pending:
            self._pending.remove(index)
        for measure, reading in readings:
            self.enter(index, reading, measure, more=True)
        self.judge()

    def cancel(self, arm: int | str) -> None:
        """Withdraw one outstanding suggestion of an arm."""
        index = self._index(arm)
        if index not in self._pending:
            raise InputError(f"arm {self._names[index]!r} has no outstanding suggestion to cancel")
        self._pending.remove(index)

    def measure(self, name: str) -> int:
        """The position of the measurement of that name."""
        known = [criterion.name for criterion in self.criteria]
        if name not in known:
            raise unknown_name("measurement", name, known)
        return known.index(name)

    def check(self, measure: int, arm: int, value: object, size: object = None) -> Reading:
        """The outcome of a measurement, if there can be such a one."""
        return self._joint.check(measure, arm, value, size)

    def enter(self, arm: int, told: Reading, measure: int = 0, more: bool = False) -> None:
        """Record an outcome that has been checked; `more` follow that count at the same moment."""
        self._touched |= dict.fromkeys(self._joint.enter(measure, arm, told))
        if not more:
            self.judge()

    def judge(self, like: "Inquiry | None" = None) -> None:
        """Look at the arms whose evidence has changed: is anything certain of them?

        What is certain can come from another inquiry into the same arms, which knows less.
        """
        touched, self._touched = self._touched, {}
        is_new = like is not None and like._stands != self._stands  # of its kind
        for arm in touched:
            if arm == self.control or arm in self._retired or self._stands[arm] != UNDECIDED:
                continue
            stands = UNDECIDED
            if self.delta is not None and like is None:
                stands = self._verdict(arm)
            if stands != UNDECIDED:
                self._stands[arm], is_new = stands, True
            elif self.count(arm):
                self._steering.note(arm, self.count(arm), self._joint.evidence(arm))
        if like is not None:
            self._stands, self._finished = list(like._stands), like.finished
        if is_new:
            self._finished = self._finished or self._is_settled()
            if self._in_play() != self._steered:
                self._set_out()

    def _verdict(self, arm: int) -> int:
        """Where the arm stands at the study's δ."""
        assert self.delta is not None
        levels = self._weighing.levels(arm, -log(self.delta), bool(self._retired))
        return self._joint.verdict(arm, levels)

    def next_arm(self, pending: Sequence[int]) -> int | None:
        """The arm to try next if these arms' outcomes were still to come; changes nothing."""
        arm = self._steering.choose(pending)
        if arm is None or self.control is None:
            return arm
        # The control serves all arms that are compared with it by about as many trials.
        counts = [self.count(other) + pending.count(other) for other in self._steered]
        own = self.count(arm) + pending.count(arm)
        sharing = sum(2 * count >= own for count in counts)
        many = self.count(self.control) + pending.count(self.control)
        return self.control if many < max(1.0, own * sqrt(sharing)) else arm

    # What is known

    def _in_play(self) -> list[int]:
        arms = self.question.in_play(self._stands, self.present)
        return arms or self.present  # past the answer, everything may be looked at again

    def _set_out(self) -> None:
        self._steered = self._in_play()
        self._steering.set_out(
            self._steered,
            [self.count(arm) for arm in self._steered],
            [self._joint.evidence(arm) for arm in self._steered],
        )

    def count(self, arm: int) -> int:
        """The trials of an arm: of the measurement that was told most often."""
        return self._joint.count(arm)

    def evidence(self, arm: int) -> float:
        """The least W of the arm's criteria; 0 for the control."""
        return 0.0 if arm == self.control else self._joint.evidence(arm)

    def tally(self, measure: int) -> MeasurementTally:
        """The outcomes of a measurement."""
        return self._joint.tally(measure)

    def certificates(self, arm: int) -> tuple[float, float]:
        """Logarithms of the e-values: for "all criteria hold", and for "one does not"."""
        return (0.0, 0.0) if arm == self.control else self._joint.certificates(arm)

    def limits(
        self, measure: int = 0, delta: float | None = None, together: bool = False
    ) -> Limits:
        """Limits of every arm's mean of a measurement, missed as rarely as the question needs.

        `together`: all of them, on both sides and of all measurements, hold at 1 − δ.
        """
        aim = delta or self.delta or USUAL_DELTA
        arms = range(len(self._names))
        if together:
            risks = self._weighing.risks_together(arms, aim)
        else:
            risks = self._weighing.risks(arms, aim, bool(self._retired))
        are_sure = not together and aim == self.delta
        return self._joint.limits(measure, risks, self._stands if are_sure else ())

    @property
    def arms(self) -> tuple[str, ...]:
        """The names of all arms, in the order of coming."""
        return tuple(self._names)

    @property
    def present(self) -> list[int]:
        """The arms that the question is about: neither retired nor the control."""
        gone = {*self._retired, self.control}
        return [arm for arm in range(len(self._names)) if arm not in gone]

    @property
    def t(self) -> int:
        """The number of trials told so far."""
        return sum(self.count(arm) for arm in range(len(self._names)))

    @property
    def pending(self) -> tuple[int, ...]:
        """The arms of the outstanding suggestions, oldest first."""
        return tuple(self._pending)

    @property
    def standings(self) -> dict[str, str]:
        """What is certain of each arm that is present: good, not good or undecided."""
        return {self._names[arm]: STANDINGS[self._stands[arm]] for arm in self.present}

    @property
    def states(self) -> tuple[ArmState, ...]:
        """What is known of each arm."""
        return tuple(map(self._state, range(len(self._names))))

    def _state(self, arm: int) -> ArmState:
        known = self.count(arm), self._joint.means(arm), self.evidence(arm)
        return ArmState(arm, self._names[arm], self.standing(arm), *known, *self.certificates(arm))

    def standing(self, arm: int) -> str:
        """What is certain of an arm: good, not good or undecided; or control, or retired."""
        if arm == self.control:
            return CONTROL
        return RETIRED if arm in self._retired else STANDINGS[self._stands[arm]]

    @property
    def recommendation(self) -> tuple[int, ...]:
        """The arms to bet on now, best first; as many as the question asks for, or fewer."""
        looks_good = [
            arm
            for arm in self.present
            if self._stands[arm] == GOOD
            or (self._stands[arm] == UNDECIDED and self._joint.evidence(arm) > 0.0)
        ]
        if self.question.kind != IN_ORDER:
            looks_good.sort(key=lambda arm: (self._stands[arm] != GOOD, -self._joint.evidence(arm)))
        return tuple(looks_good[: self.question.wanted(max(1, len(self.present)))])

    @property
    def finished(self) -> bool:
        """Whether the question is answered at the δ given at creation."""
        return self._finished

    @property
    def conclusion(self) -> tuple[int, ...]:
        """The final answer once `finished`: the arms that are good, none if there is none."""
        if not self.finished:
            raise InputError("the stopping rule has not spoken yet; see recommendation")
        good = [arm for arm in self.present if self._stands[arm] == GOOD]
        return tuple(good[: self.question.wanted(max(1, len(self.present)))])

    @property
    def risk(self) -> float | None:
        """How probable a wrong answer may be, with what was added and retired; None without δ."""
        if self.delta is None:
            return None
        return self._spending.total(self.delta, self._has_changed)

    @property
    def _has_changed(self) -> bool:
        added = len(self._names) - (self.control is not None) > self._spending.founders
        return added or bool(self._retired)

    @property
    def confidence(self) -> float:
        """How sure one may be of an answer now: 1 − the smallest δ that would stop here."""
        support = self._weighing.support(self.present, bool(self._retired))
        if self._finished and self.delta is not None:
            support = max(support, log(1.0 / self.delta))
        return 1.0 - self._spending.total(exp(-max(support, 0.0)), self._has_changed)

    def can_stop(self, delta: float) -> bool:
        """Whether the stopping rule would stop now at that δ."""
        support = self._weighing.support(self.present, bool(self._retired))
        return support >= -log(delta) or (self._finished and delta == self.delta)

    def share(self, arm: int) -> float:
        """How far the arm has come: 1 where it is certain to be good, −1 where it is not good."""
        if arm == self.control or not self.count(arm):
            return 0.0
        if self._stands[arm] != UNDECIDED:  # what is certain stays so
            return 1.0 if self._stands[arm] == GOOD else -1.0
        nats = -log(self.delta or USUAL_DELTA)
        return self._weighing.share(arm, nats, bool(self._retired))

    # Arms that come and go

    def add_arm(
        self, name: str, thresholds: Mapping[str, float] | None = None, cost: float = 1.0
    ) -> int:
        """One more arm, with thresholds by criterion where every arm has its own.

        Its share of δ was laid aside beforehand.
        """
        price = check_cost(cost)
        (*_, checked) = names([*self._names, name])
        self._joint.add_arm(len(self._names), bars_of_new(self.criteria, thresholds or {}))
        self._names.append(checked)
        self._costs.append(price)
        self._stands.append(UNDECIDED)
        self._finished = self._is_settled()
        self._set_out()
        return len(self._names) - 1

    def _is_settled(self) -> bool:
        return self.delta is not None and self.question.is_settled(self._stands, self.present)

    def retire_arm(self, arm: int | str) -> None:
        """Take an arm out: it is not tried and cannot be named any more."""
        index = self._index(arm)
        if index == self.control:
            raise InputError(f"arm: {self._names[index]!r} is the control; the study needs it")
        if index in self._retired:
            raise InputError(f"arm: {self._names[index]!r} was retired before")
        if len(self.present) == 1:
            raise InputError("arm: it is the only one left; stop the study instead")
        self._retired.add(index)
        if self.delta is not None:  # being ruled out may need more from now on
            for other in self.present:
                if self._stands[other] == BAD:
                    self._stands[other] = self._verdict(other)
        self._finished = self._is_settled()
        self._set_out()

    # Keeping

    def state(self) -> dict[str, Any]:
        """What the outcomes so far have made of the inquiry, as plain data."""
        return {
            "tallies": self._joint.state(),
            "stands": list(self._stands),
            "finished": self._finished,
            "steering": self._steering.state(),
        }

    def restore(self, state: dict[str, Any], anew: bool = False) -> None:
        """Take up a state that an inquiry with the same arms has given away.

        `anew`: that one had another δ, so a fresh inquiry judges every arm by its own.
        """
        self._joint.restore(state["tallies"])
        if anew:
            self._touched = dict.fromkeys(self.present)
            self._set_out()
            self.judge()
            return
        self._stands, self._finished = list(state["stands"]), state["finished"]
        self._steered = list(state["steering"]["arms"])
        self._steering.restore(state["steering"])

    def _index(self, arm: int | str) -> int:
        if isinstance(arm, str):
            if arm not in self._names:
                raise unknown_name("arm", arm, self._names)
            return self._names.index(arm)
        if not 0 <= arm < len(self._names):
            raise InputError(f"arm: {arm} is not a position among {len(self._names)} arms")
        return int(arm)
