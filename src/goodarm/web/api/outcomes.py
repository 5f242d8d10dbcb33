"""What an outcome can be, as JSON: every model, and which of them recorded outcomes can be from."""

from dataclasses import fields
from typing import Any

from fastapi import APIRouter

from goodarm.instance.data import suggest_from
from goodarm.outcomes import Outcome, outcomes
from goodarm.remote.bodies import Recorded
from goodarm.remote.importing import pasted_text
from goodarm.web.api.shapes import OutcomeModel, SuggestionShape

router = APIRouter(prefix="/outcomes", tags=["outcomes"])


@router.get("", response_model=list[OutcomeModel])
def list_outcome_models() -> list[dict[str, Any]]:
    """Every outcome model: how it is written, what it is for, its parameters."""
    return [_described(model) for model in outcomes.values()]


@router.post("/suggest", response_model=SuggestionShape)
def suggest_outcome_model(body: Recorded) -> dict[str, Any]:
    """Which outcome model can recorded outcomes be from? Each with its reason; nothing is kept."""
    return suggest_from(pasted_text(body.data), "data", body.threshold).to_dict()


def _described(model: type[Outcome]) -> dict[str, Any]:
    return {
        "name": model.name,
        "form": model.form(),
        "title": model.title,
        "summary": model.summary,
        "parameters": [
            {
                "name": field.name,
                "meaning": field.metadata.get("help", ""),
                "hint": field.metadata.get("hint", ""),
                "optional": field.default is None,
                "per_arm": bool(field.metadata.get("per_arm")),
            }
            for field in fields(model)
        ],
        "columns": model.columns,
        "sizes": model.size_form,
    }
