"""A conformance kit: is an outcome model what it says, and do its certificates prove what they say?

`outcome_case.py` holds what the checks look at: runs of one arm, and outcomes drawn for them.
"""

import json
import math
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.outcomes import Outcome, find_outcome, outcome_from_data, outcomes, parse_outcome
from goodarm.outcomes.contract import Functions
from goodarm.run import NAME_LEVEL, NONE_LEVEL, copy_run
from goodarm.simulation.job import make_job
from goodarm.testing.contract import ContractError, CudaToolsMissingError
from goodarm.testing.outcome_case import LENGTH, SIDES, Case, follow
from goodarm.testing.ptx import lower_to_ptx
from goodarm.testing.replay import check_compiled_equals_plain

SLACK = 1e-9  # for rounding, in logarithms
ALPHAS = (0.3, 0.05, 0.001)  # of the limits
CROSSINGS = (0.2, 0.05)  # chances with which a null may reach 1/α
LOOKS = (1, 2, 5, 20, 60, 100)  # numbers of outcomes after which the mean of E is looked at
STANDARD_ERRORS = 4.0  # that chance is given
PLAYED_WITH = ("Unif", "APGAI")
NO_VALUES = (math.nan, math.inf, -math.inf, "1", None)
TRUTHS = (True, False, np.True_)  # values where outcomes are yes or no, and only there

_lowered: set[Functions] = set()  # once is enough, whatever the parameters and thresholds


def check_outcome(
    outcome: str | Outcome, threshold: float, paths: int = 4000, seed: int = 11
) -> None:
    """Raise ContractError unless the outcome model keeps its contract at this threshold.

    It has a text and a form for the log that lead back to it; it refuses what is no number; its
    gap, certificates, shortcuts and limits agree with each other, on both sides of the threshold
    and for both goals; on `paths` simulated paths at the threshold itself the certificates have a
    mean of at most 1 and reach 1/α at most as often as α; and it behaves alike plain, compiled
    and, where NVIDIA's compiler is installed, lowered to PTX.
    """
    need(LAB, "check_outcome")
    model = find_outcome(outcome)
    case = Case(model, model.check_threshold(threshold), paths, seed)
    for promise, check in OUTCOME_PROMISES.items():
        try:
            check(case)
        except Exception as error:
            what = str(error) if isinstance(error, ContractError) else repr(error)
            raise ContractError(f"{case}: {promise}, but {what}") from error


def _demand(holds: bool, text: str) -> None:
    if not holds:
        raise ContractError(text)


def _check_declaration(case: Case) -> None:
    model = case.model
    for field in ("name", "title", "summary"):
        _demand(bool(getattr(model, field).strip()), f"its {field} is empty")
    _demand(bool(model.describe().strip()), "describe() says nothing")
    owner = outcomes.get(model.name)
    _demand(owner is type(model), f"the name {model.name!r} stands for {owner}; register it")
    again = parse_outcome(model.text())
    _demand(again == model, f"its text {model.text()!r} is read as {again!r}")
    data = json.loads(json.dumps(model.to_data()))
    back = outcome_from_data(data)
    _demand(back == model, f"its log form {data} is read as {back!r}")


def _check_values(case: Case) -> None:
    is_share = case.model.yes_or_no
    for value in NO_VALUES + TRUTHS:
        try:
            number = case.model.check(value, case.threshold)
        except InputError:
            continue
        except Exception as error:
            raise ContractError(f"check({value!r}) is no InputError, but {error!r}") from None
        if not (is_share and value in TRUTHS and number == float(value)):
            raise ContractError(f"check() takes {value!r} for one")
    for value in case.values:
        number = case.model.check(value, case.threshold)
        _demand(
            number == value, f"check() makes {number!r} of {value!r}, which the model itself drew"
        )


def _check_gap(case: Case) -> None:
    for side in SIDES:
        for look in case.looks[side]:
            sign = side * math.copysign(1.0, look.mean - case.threshold)
            # Means this close may fall on either side by rounding alone.
            if abs(look.mean - case.threshold) > SLACK * case.width:
                _demand(look.gap * sign > 0.0, f"{look} where side is {side:g}")
        for count in (1, 2, 64):
            gap = case.gap_at_threshold(side, count)
            _demand(abs(gap) <= SLACK, f"it is {gap:g} at a mean of θ, after {count}")


def _check_evidence(case: Case) -> None:
    for side in SIDES:
        for look in case.looks[side]:
            most = 0.5 * look.evidence**2
            for name, value, toward in (
                ("for_good", look.good, look.evidence > 0.0),
                ("for_bad", look.bad, look.evidence < 0.0),
            ):
                if toward and not case.model.within_evidence:
                    continue
                bound = most if toward else 0.0
                _demand(value <= bound + SLACK * (1.0 + most), f"{name} is {value:g}: {look}")


def _check_shortcuts(case: Case) -> None:
    for side in SIDES:
        levels = case.new_run(side).levels
        for look in case.looks[side]:
            for name, verdict, value, level in (
                ("surely_good", look.surely_good, look.good, levels[NAME_LEVEL]),
                ("surely_bad", look.surely_bad, look.bad, levels[NONE_LEVEL]),
            ):
                if abs(value - level) > SLACK:
                    right = verdict == (value >= level)
                    _demand(right, f"{name} is {verdict} at level {level:g}: {look}")
                enough = 0.5 * look.evidence**2 >= look.least
                _demand(enough or not verdict, f"{name} although W²/2 is below least: {look}")


def _check_order(case: Case) -> None:
    if not case.model.monotone:
        return
    good, bad = case.model.functions.for_good, case.model.functions.for_bad
    less, more = min(case.values), max(case.values)
    for side in SIDES:
        for history in case.histories:
            for length in (0, 1, 7, 30):
                run = case.new_run(side, history[:length])
                worse, better = copy_run(run), copy_run(run)
                case.record(worse, less if side > 0.0 else more)
                case.record(better, more if side > 0.0 else less)
                after = f"after {length} outcomes and {less:g} or {more:g}, side {side:g}"
                rises = good(better, case.arm) > good(worse, case.arm)
                _demand(rises, f"for_good does not rise {after}")
                falls = bad(better, case.arm) < bad(worse, case.arm)
                _demand(falls, f"for_bad does not fall {after}")


def _check_goals(case: Case) -> None:
    for above, below in zip(case.looks[1.0], case.looks[-1.0], strict=True):
        pairs = ((above.good, below.bad), (above.bad, below.good), (above.gap, -below.gap))
        for one, other in pairs:
            same = abs(one - other) <= SLACK * (1.0 + abs(one))
            _demand(same, f"{above} became {below}")


def _check_limits(case: Case) -> None:
    looks = case.looks[1.0]
    for alpha in ALPHAS:
        level = -math.log(alpha)
        for look, (low, high) in zip(looks, case.limits(looks, alpha), strict=True):
            ends = f"limits {low!r} and {high!r} at {alpha:g}: {look}"
            near = SLACK * case.width
            _demand(
                low <= look.mean + near and look.mean <= high + near, f"the mean is outside {ends}"
            )
            if abs(look.good - level) > SLACK:
                _demand(
                    (low >= case.threshold) == (look.good >= level), f"for_good disagrees: {ends}"
                )
            if abs(look.bad - level) > SLACK:
                _demand(
                    (high < case.threshold) == (look.bad >= level), f"for_bad disagrees: {ends}"
                )


def _check_nulls(case: Case) -> None:
    for kind, values in case.nulls(max(LOOKS)).items():
        certificates = follow(case, values)
        for name, logs in zip(("E⁺", "E⁻"), certificates, strict=True):
            for count in LOOKS:
                E = np.exp(logs[:, count - 1])
                mean, error = float(E.mean()), float(E.std() / math.sqrt(len(E)))
                _demand(
                    mean <= 1.0 + STANDARD_ERRORS * error,
                    f"{name} has mean {mean:.3g} ± {error:.2g} after {count} {kind}",
                )
            for alpha in CROSSINGS:
                share = float((logs.max(axis=1) >= -math.log(alpha)).mean())
                error = math.sqrt(alpha * (1.0 - alpha) / len(logs))
                _demand(
                    share <= alpha + STANDARD_ERRORS * error,
                    f"{name} reaches 1/{alpha:g} on {share:.1%} of the paths of {kind}",
                )


def _check_suppositions(case: Case) -> None:
    model, arm, steps = case.model, case.arm, np.linspace(-3.0, 3.0, 61)
    scatter = case.scales[arm] ** 2
    means = model.means_near(arm, case.threshold, steps, scatter)
    _demand(bool((np.diff(means) >= 0.0).all()), "means_near() does not rise with the steps")
    away = abs(float(means[30]) - case.threshold)
    _demand(away <= SLACK * case.width, f"means_near() is {means[30]:g} with a step of 0")
    for mean in means.tolist():
        model.check_mean("means_near()", mean)
    for look in case.looks[1.0][LENGTH - 1 :: LENGTH]:
        logs = model.log_likelihoods(
            arm, look.total, model.amount(look.n, look.kept), means, scatter
        )
        # Rounding aside, they rise up to the mean that was seen and fall beyond it.
        slopes = np.diff(logs) * np.sign(look.mean - 0.5 * (means[1:] + means[:-1]))
        clear = (means[1:] <= look.mean) | (means[:-1] >= look.mean)
        low = float(slopes[clear].min(initial=0.0))
        _demand(low >= -SLACK, f"log_likelihoods() are not largest at {look.mean:g}: {look}")


def _check_compiled(case: Case) -> None:
    mode, model = "fixed-confidence", case.model
    for name in PLAYED_WITH:
        for instance in case.instances():
            job = make_job(name, instance, mode, 300, case.seed, 0.1, "mixture", None, model)
            check_compiled_equals_plain(job, 3)


def _check_ptx(case: Case) -> None:
    functions = case.model.functions
    if functions not in _lowered:
        with suppress(CudaToolsMissingError):
            lower_to_ptx(PLAYED_WITH[-1], case.model)
            _lowered.add(functions)


OUTCOME_PROMISES: dict[str, Callable[[Case], None]] = {
    "a model is declared, named and written down": _check_declaration,
    "an outcome is a number": _check_values,
    "the gap has the sign of mean − θ": _check_gap,
    "ln E is at most W²/2 where the evidence points that way, else at most 0": _check_evidence,
    "the shortcuts agree with the certificates": _check_shortcuts,
    "certificates rise and fall with the outcomes": _check_order,
    "certificates change sides with the goal": _check_goals,
    "limits agree with the certificates": _check_limits,
    "means are supposed and likely around what was seen": _check_suppositions,
    "certificates are e-processes at θ": _check_nulls,
    "runs are the same plain and compiled": _check_compiled,
    "it lowers to PTX": _check_ptx,
}
