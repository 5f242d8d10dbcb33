"""Which model is mine: five questions lead to one whose assumptions hold, and say what it costs."""

import pytest

from goodarm.errors import InputError
from goodarm.outcomes import outcomes
from goodarm.outcomes.choosing import KINDS, Answers, advise, explain, known_model


@pytest.mark.parametrize(
    ("answers", "text", "others"),
    [
        (Answers("yes-no"), "bernoulli", ["bounded:0:1"]),
        (Answers("yes-no", varying=True), "bounded:0:1", []),
        (Answers("count"), "poisson", ["bounded:0"]),
        (Answers("count", hi=40), "poisson", ["bounded:0:40"]),
        (Answers("count", varying=True), "bounded:0", []),
        (Answers("count", varying=True, hi=40), "bounded:0:40", []),
        (Answers("duration"), "exponential", ["bounded:0"]),
        (Answers("duration", varying=True, hi=90), "bounded:0:90", []),
        (Answers("share"), "bounded:0:1", ["gaussian"]),
        (Answers("share", lo=1, hi=5, skewed=True), "bounded:1:5", []),
        (Answers("number", lo=-1, hi=1), "bounded:-1:1", ["gaussian"]),
        (Answers("number", sigma=2), "gaussian:2", ["gaussian"]),
        (Answers("number", sigma=2, skewed=True), "gaussian:2", []),
        (Answers("number"), "gaussian", []),
        (Answers("number", lo=0), "gaussian", ["bounded:0"]),
        (Answers("number", lo=0, skewed=True), "bounded:0", []),
        (Answers("number", hi=0, skewed=True), "bounded::0", []),
        (Answers("number", skewed=True), "gaussian", []),
    ],
)
def test_the_answer(answers: Answers, text: str, others: list[str]) -> None:
    advice = advise(answers)
    assert advice.outcome.text() == text
    assert [model.text() for model in advice.others if model.name != "symmetric"] == others
    assert advice.why.endswith(".")


def test_skewed_numbers_without_bounds_are_told_as_averages() -> None:
    assert "average of a batch" in advise(Answers("number", skewed=True)).why
    assert "share of yes" in advise(Answers("yes-no", varying=True)).why


@pytest.mark.parametrize(
    ("answers", "left"),
    [
        (Answers("yes-no"), ("varying",)),
        (Answers("count"), ("varying",)),
        (Answers("duration", varying=True), ("varying", "hi")),
        (Answers("share"), ("lo", "hi")),
        (Answers("number"), ("lo", "hi", "sigma", "skewed")),
        (Answers("number", lo=0, hi=1), ("lo", "hi")),
        (Answers("number", sigma=1), ("lo", "hi", "sigma")),
    ],
)
def test_only_what_matters_is_asked(answers: Answers, left: tuple[str, ...]) -> None:
    assert answers.matters == left


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("varying", [False, True])
@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize("bounds", [(None, None), (0.0, None), (0.0, 10.0)])
def test_whatever_is_answered_there_is_advice(
    kind: str, varying: bool, skewed: bool, bounds: tuple[float | None, float | None]
) -> None:
    if kind == "share" and bounds == (0.0, None):
        return  # the only thing that is asked for again: see below
    advice = advise(Answers(kind, varying, *bounds, skewed=skewed))
    data = advice.to_dict()
    assert known_model(data["outcome"]) == advice.outcome
    assert data["assumes"]
    assert data["breaks"]
    assert len({model.text() for model in advice.models}) == len(advice.models)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kind": "colour"}, "unknown kind 'colour'"),
        ({"kind": "number", "lo": 2, "hi": 1}, "hi: 1 is not above lo, 2"),
        ({"kind": "number", "sigma": 0}, "sigma: 0 is not positive"),
        ({"kind": "number", "lo": float("nan")}, "lo: nan is not a number"),
    ],
)
def test_answers_that_make_no_sense(values: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Answers(**values)


@pytest.mark.parametrize(
    ("bound", "missing"), [({"lo": 0}, "hi: .* largest"), ({"hi": 5}, "lo: .* smallest")]
)
def test_the_other_bound_of_a_share_is_not_made_up(bound: dict, missing: str) -> None:
    with pytest.raises(InputError, match=missing):
        advise(Answers("share", **bound))


@pytest.mark.parametrize("name", outcomes)
def test_every_model_says_what_it_rests_on(name: str) -> None:
    model = next(filter(None, map(known_model, (name, f"{name}:0:1", f"{name}:1"))))
    said = explain(model)
    for part in ("assumes", "breaks", "title", "summary"):
        assert said[part], f"{name} does not say {part}"
    assert said["assumes"].endswith(".")
    assert said["breaks"].endswith(".")


def test_what_one_bound_cannot_show_depends_on_what_is_good() -> None:
    advice = advise(Answers("number", lo=0, skewed=True))
    assert "never ruled out" in advice.to_dict()["note"]
    assert "never named good" in advice.to_dict(side=-1.0)["note"]
