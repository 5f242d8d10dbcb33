"""Which outcome model is mine? Five questions, an answer, its price; or recorded outcomes."""

from functools import lru_cache
from threading import BoundedSemaphore
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import Response

from goodarm.errors import InputError
from goodarm.instance.data import suggest_from
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Outcome, outcomes
from goodarm.outcomes.choosing import (
    BOUNDS,
    KINDS,
    SIGMA,
    SKEWED,
    VARYING,
    Advice,
    Answers,
    advise,
    explain,
)
from goodarm.planning.prices import Effect, ModelPrice, effect_of, price_models
from goodarm.remote.failures import BusyError
from goodarm.remote.importing import pasted_text
from goodarm.web.forms.typed import explain as explain_error
from goodarm.web.forms.typed import optional_number, optional_whole, read_percent, upload
from goodarm.web.pages import MenuEntry
from goodarm.web.server.failures import status_of
from goodarm.web.shown.render import page

MENU = MenuEntry(3, "Outcomes", "/outcomes")
router = APIRouter(prefix="/outcomes")
LABELS = {
    "kind": "What one outcome is",
    "lo": "The smallest value",
    "hi": "The largest value",
    "sigma": "The standard deviation",
    "data": "Recorded outcomes",
    "threshold": "The bar",
    "mean": "The option’s average",
    "scatter": "Its scatter",
    "confidence": "How sure",
    "arms": "Number of options",
    "goal": "Which side is good",
}
PRICE_INPUTS = ("threshold", "mean", "scatter", "confidence", "arms")
PRICES_AT_ONCE = 2
PRICES_KEPT = 100
_pricing = BoundedSemaphore(PRICES_AT_ONCE)
Text = Annotated[str, Form()]


class Typed(BaseModel):
    """What was answered; a question that was not asked yet has no answer."""

    kind: str = ""
    varying: str = ""
    lo: str = ""
    hi: str = ""
    sigma: str = ""
    skewed: str = ""
    goal: str = ABOVE  # from here on: of the price
    threshold: str = ""
    mean: str = ""
    scatter: str = ""
    confidence: str = "95"
    arms: str = "10"


@router.get("")
def show(request: Request, typed: Annotated[Typed, Query()]) -> Response:
    """The questions; once the first is answered, the model and the questions that still matter."""
    if not typed.kind:
        return _page(request, typed)
    advice = None
    try:
        advice = advise(_answers(typed))
        return _page(request, typed, advice, effect=_effect(typed, advice))
    except InputError as error:
        return _page(request, typed, advice, error)


@router.get("/prices")
def prices(request: Request, typed: Annotated[Typed, Query()]) -> Response:
    """Trials under each model that would do, by simulation."""
    advice = advise(_answers(typed))
    effect = _effect(typed, advice)
    found = _prices(effect, advice.models)
    models = {model.text(): model.describe() for model in advice.models}
    return page(
        request.scope,
        "prices.html",
        effect=effect,
        prices=found,
        models=models,
        query=request.url.query,
    )


@router.post("/suggested")
def look_at_data(
    request: Request, data: Text = "", data_file: UploadFile | None = None
) -> Response:
    """What recorded outcomes say about each model; nothing is kept of them."""
    try:
        text = pasted_text(data, upload(data_file))
        suggestions = suggest_from(text, "data")
    except InputError as error:
        return _page(request, Typed(), error=error, data=data)
    return _page(request, Typed(), suggestions=suggestions, data=text)


def _answers(typed: Typed) -> Answers:
    """What was answered to the questions that matter for this kind of outcome."""
    numbers = {name: optional_number(name, getattr(typed, name)) for name in ("lo", "hi", "sigma")}
    is_so = {name: getattr(typed, name) == "yes" for name in ("varying", "skewed")}
    given = {**numbers, **is_so}
    answers = Answers(typed.kind)
    for _ in given:  # an answer can make another question matter
        answers = Answers(typed.kind, **{name: given[name] for name in answers.matters})
    return answers


def _effect(typed: Typed, advice: Advice) -> Effect:
    return effect_of(
        advice.answers,
        threshold=optional_number("threshold", typed.threshold),
        mean=optional_number("mean", typed.mean),
        scatter=optional_number("scatter", typed.scatter),
        delta=read_percent("confidence", typed.confidence) or 0.05,
        arms=optional_whole("arms", typed.arms) or 10,
        goal=typed.goal,
    )


@lru_cache(maxsize=PRICES_KEPT)
def _prices(effect: Effect, models: tuple[Outcome, ...]) -> tuple[ModelPrice, ...]:
    """Simulated once for each question; the first of a kind compiles, which takes a while."""
    if not _pricing.acquire(blocking=False):
        raise BusyError("other prices are being simulated; try again in a moment")
    try:
        return price_models(effect, models)
    finally:
        _pricing.release()


def _page(
    request: Request,
    typed: Typed,
    advice: Advice | None = None,
    error: InputError | None = None,
    **more: Any,
) -> Response:
    message, wrong = (None, "") if error is None else explain_error(error, LABELS)
    asked: tuple[str, ...] = ()
    side = 1.0 if typed.goal == ABOVE else -1.0
    if advice is not None:
        asked = advice.answers.matters
    elif typed.kind in KINDS:
        asked = Answers(typed.kind).matters
    return page(
        request.scope,
        "outcomes.html",
        200 if error is None else status_of(error),
        kinds=KINDS,
        varying=VARYING.get(typed.kind, ""),
        bounds=BOUNDS,
        sigma=SIGMA,
        skewed=SKEWED,
        price_inputs=PRICE_INPUTS,
        entered=typed.model_dump(),
        asked=asked,
        advice=advice,
        advised=None if advice is None else explain(advice.outcome, side),
        query=request.url.query,
        models=outcomes.values(),
        error=message,
        wrong=wrong,
        **{"suggestions": None, "data": "", "effect": None, **more},
    )
