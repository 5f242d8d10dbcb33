"""Commands that take an outcome model: their help lists the models that there are.

The list is made only when such a command runs or explains itself: the models need numpy, and every
other command starts faster without it.
"""

from dataclasses import fields
from typing import Any

from typer.core import TyperCommand, TyperOption

OUTCOME_HELP = "What an outcome is: MODELS."


class OutcomeCommand(TyperCommand):
    """Puts the outcome models into the help of its options."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters as declared, with MODELS spelt out."""
        params = super().get_params(ctx)
        for param in params:
            if isinstance(param, TyperOption) and "MODELS" in (param.help or ""):
                param.help = str(param.help).replace("MODELS", models_text())
        return params


def models_text() -> str:
    """How every outcome model is written."""
    from goodarm.outcomes import outcomes

    forms = ", ".join(model.form() for model in outcomes.values())
    several = [
        field.name.upper()
        for model in outcomes.values()
        for field in fields(model)
        if field.metadata.get("per_arm")
    ]
    each = f" ({' and '.join(several)}: one for all arms, or one for each, with commas)"
    return forms + (each if several else "")
