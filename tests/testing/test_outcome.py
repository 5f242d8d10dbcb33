"""The kit for outcome models: every registered one passes, broken ones are found."""

import math

import pytest

from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, Gaussian, Outcome, outcomes, registry
from goodarm.outcomes.bernoulli import gap as bernoulli_gap
from goodarm.outcomes.gaussian import draw as gaussian_draw
from goodarm.outcomes.tilts import LOG_WEIGHTS, STEPS, engine
from goodarm.run import NAME_LEVEL, NONE_LEVEL, SIDE, THRESHOLD
from goodarm.testing import ContractError, check_outcome
from goodarm.testing.outcome import OUTCOME_PROMISES
from goodarm.testing.outcome_case import Case

EXAMPLES = {
    "bernoulli": [("bernoulli", 0.5), ("bernoulli", 0.04), ("bernoulli", 0.999)],
    "bounded": [
        ("bounded:0:1", 0.9),
        ("bounded:-20:80", 0.0),
        ("bounded:0", 2.0),
        ("bounded::1", 0.3),
    ],
    "poisson": [("poisson", 0.02), ("poisson", 3.0), ("poisson", 200.0)],
    "exponential": [
        ("exponential", 0.02),
        ("exponential", 3.0),
        ("exponential", 200.0),
        ("exponential:3", 2.0),
        ("exponential:0.3", 5.0),
    ],
    "gaussian": [
        ("gaussian:1", 0.0),
        ("gaussian:0.01", -3.0),
        ("gaussian:1,2,0.5", 0.5),
        ("gaussian", 0.5),
        ("gaussian", -1e6),
    ],
    "symmetric": [("symmetric", 0.0), ("symmetric", 300.0)],
}


FEWER_PATHS = {"poisson": 500, "exponential:3": 500, "exponential:0.3": 500}  # slow to draw


def test_every_registered_model_has_examples() -> None:
    assert set(EXAMPLES) == set(outcomes)


@pytest.mark.parametrize(
    ("text", "threshold"), [case for cases in EXAMPLES.values() for case in cases]
)
def test_ours_pass(text: str, threshold: float) -> None:
    check_outcome(text, threshold, paths=FEWER_PATHS.get(text, 4000))


def test_a_threshold_that_the_model_does_not_have_is_a_wrong_input() -> None:
    with pytest.raises(InputError, match="threshold: 1 is not between 0 and 1"):
        check_outcome("bernoulli", 1.0)


# Broken ones: each is a sound model with one thing changed.


def changed(base: type[Outcome], name: str, **members) -> type[Outcome]:
    return type(name, (base,), {"name": name, "__module__": __name__, **members})


def with_functions(base: type[Outcome], name: str, **functions) -> type[Outcome]:
    return changed(base, name, functions=base.functions._replace(**functions))


def wrong_sign(run, arm, n, total):
    return -bernoulli_gap(run, arm, n, total)


def off_centre(run, arm, n, total):
    return bernoulli_gap(run, arm, n, total) + 1e-3


def blind(run, arm):
    return 0.0


def goal_ignored(run, arm, n, total):
    return abs(bernoulli_gap(run, arm, n, total)) * (1.0 if total > 0.5 * n else -1.0)


def another_level(run, arm):
    return Bernoulli.functions.for_good(run, arm) >= run.levels[NONE_LEVEL]


def never_bad(run, arm):
    return False


def too_late(run):
    return run.levels[NAME_LEVEL] + 2.0


def over_dispersed(arms, arm, u):
    return arms.means[arm] + 1.5 * (gaussian_draw(arms, arm, u) - arms.means[arm])


def weighed(table, factor):
    changed = list(table)
    for j in range(STEPS):
        changed[LOG_WEIGHTS + j] += math.log(factor)
    return changed


def heavy(self, threshold, side, levels):
    return weighed(Bernoulli.numbers(self, threshold, side, levels), 3.0)


def weaker_where_less_is_good(self, threshold, side, levels):
    table = Bernoulli.numbers(self, threshold, side, levels)
    return weighed(table, 1.0 if side > 0.0 else 0.5)


def narrow_limits(self, seen, threshold, lower, upper):
    return Bernoulli.limits(self, seen, threshold, 2.0 * lower, upper)


def open_above(self, seen, threshold, lower, upper):
    low, high = Bernoulli.limits(self, seen, threshold, lower, upper)
    return low, high + 1.0


def exchanged(self, seen, threshold, lower, upper):
    return Bernoulli.limits(self, seen, threshold, lower, upper)[::-1]


def anything(self, value, threshold):
    return float(value)


def rounded(self, value, threshold):
    return float(round(Gaussian.check(self, value, threshold), 2))


def wraps_around(run, arm, n, total):
    """In plain Python numbers have no end; compiled, this is negative from n = 2 on."""
    return bernoulli_gap(run, arm, n, total) * (1.0 if (n << 62) > 0 else 3.0)


def not_plain(run, arm, n, total):
    return bernoulli_gap(run, arm, **{"n": n, "total": total})


def falling(self, arm, threshold, steps, scatter):
    return Bernoulli().means_near(arm, threshold, -steps, scatter)


def beside(self, arm, threshold, steps, scatter):
    return Bernoulli().means_near(arm, threshold, steps + 0.2, scatter)


def unlikely(self, arm, total, count, means, scatter):
    return -Bernoulli().log_likelihoods(arm, total, count, means, scatter)


BROKEN = [
    (changed(Bernoulli, "untitled", title=" "), 0.5, "its title is empty"),
    (changed(Bernoulli, "mute", text=lambda self: "bernoulli"), 0.5, "'bernoulli' is read as"),
    (
        changed(Bernoulli, "misfiled", to_data=lambda self: {"kind": "bernoulli"}),
        0.5,
        "its log form .* is read as",
    ),
    (changed(Bernoulli, "credulous", check=anything), 0.5, "check.. takes nan for one"),
    (changed(Gaussian, "rounding", check=rounded), 0.5, "check.. makes .*itself drew"),
    (with_functions(Bernoulli, "backwards", gap=wrong_sign), 0.5, "the gap has the sign"),
    (with_functions(Bernoulli, "shifted", gap=off_centre), 0.5, "it is 0.001 at a mean of θ"),
    (changed(Bernoulli, "heavy", numbers=heavy), 0.5, "ln E is at most W²/2.*for_good is"),
    (with_functions(Bernoulli, "hasty", surely_good=another_level), 0.5, "surely_good is True"),
    (with_functions(Bernoulli, "lame", surely_bad=never_bad), 0.5, "surely_bad is False"),
    (with_functions(Bernoulli, "late", least=too_late), 0.5, "W²/2 is below least"),
    (with_functions(Bernoulli, "blind", for_bad=blind, surely_bad=never_bad), 0.5, "for_bad does"),
    (with_functions(Bernoulli, "one-way", gap=goal_ignored), 0.5, "side is -1"),
    (changed(Bernoulli, "timid", numbers=weaker_where_less_is_good), 0.2, "sides with the goal"),
    (changed(Bernoulli, "narrow", limits=narrow_limits), 0.5, "for_good disagrees: limits"),
    (changed(Bernoulli, "open", limits=open_above), 0.5, "for_bad disagrees: limits"),
    (changed(Bernoulli, "exchanged", limits=exchanged), 0.5, "the mean is outside limits"),
    (changed(Bernoulli, "falling", means_near=falling), 0.5, "does not rise with the steps"),
    (changed(Bernoulli, "beside", means_near=beside), 0.5, "is 0.5.* with a step of 0"),
    (changed(Bernoulli, "unlikely", log_likelihoods=unlikely), 0.5, "are not largest at"),
    (with_functions(Gaussian, "wild", draw=over_dispersed), 0.5, r"E⁺ has mean .* drawn outcomes"),
    (with_functions(Bernoulli, "endless", gap=wraps_around), 0.5, "plain and compiled.*, run "),
    (with_functions(Bernoulli, "fancy", gap=not_plain), 0.5, "UnsupportedBytecodeError"),
]


@pytest.mark.parametrize(
    ("model", "threshold", "message"), BROKEN, ids=[case[0].name for case in BROKEN]
)
def test_a_broken_model_is_found(
    model: type[Outcome], threshold: float, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._by_name(), model.name, model)
    given = model(1.0) if issubclass(model, Gaussian) else model()
    with pytest.raises(ContractError, match=f"(?s){message}"):
        check_outcome(given, threshold)


def test_a_model_that_nobody_can_find_by_name_is_found() -> None:
    with pytest.raises(ContractError, match="'unknown' stands for None; register it"):
        check_outcome(changed(Bernoulli, "unknown")(), 0.5)


# A model with a memory of its own: successes are counted a second time, and only that is used.


def remember(run, arm, value, size):
    run.kept[arm] += value


def forget(run, arm, value, size):
    run.kept[arm] = value


def remembered(run, arm):
    return run.kept[arm] * run.levels[SIDE]


def remembering(name: str, how) -> type[Outcome]:
    functions = engine(bernoulli_gap, remembered, Bernoulli.functions.draw)
    return changed(Bernoulli, name, memory=1, functions=functions._replace(remember=how))


def test_a_model_with_a_memory_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = remembering("remembering", remember)
    monkeypatch.setitem(registry._by_name(), model.name, model)
    check_outcome(model(), 0.3)


def test_a_model_that_forgets_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    model = remembering("forgetful", forget)
    monkeypatch.setitem(registry._by_name(), model.name, model)
    with pytest.raises(ContractError, match=r"else at most 0, but for_(good|bad) is"):
        check_outcome(model(), 0.3)


# Fair at every single time is not enough.


def twenty_five_to_one(run, arm):
    """x/θ of the last outcome alone: its mean is 1 each time, but one success will come."""
    return math.log(max(run.kept[arm] / run.levels[THRESHOLD], 1e-9))


def test_a_certificate_that_is_fair_only_at_one_time_is_found() -> None:
    functions = Bernoulli.functions._replace(
        for_good=twenty_five_to_one, for_bad=blind, remember=forget
    )
    model = changed(Bernoulli, "impatient", memory=1, functions=functions)
    with pytest.raises(ContractError, match=r"E⁺ reaches 1/0\.2 on .* of the paths"):
        OUTCOME_PROMISES["certificates are e-processes at θ"](Case(model(), 0.04, 2000, 1))
