"""What a study may ask beyond "is one of them on the right side of one bar?", as it is typed."""

from typing import Any

from pydantic import BaseModel

from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.inquiry.question import ALL, ANY, IN_ORDER, TOP
from goodarm.web.forms.typed import read_whole

QUESTIONS = {
    ANY: "one good option, or that there is none",
    ALL: "every good option",
    TOP: "so many good options",
    IN_ORDER: "the first good option in the order of the list",
}
LABELS = {
    "question": "What to find",
    "many": "How many good options",
    "criteria": "Several measurements",
    "criterion": "Several measurements",
    "control": "The control",
    "margin": "Better by",
    "lift": "Better by, in per cent",
}


class QuestionForm(BaseModel):
    """What was typed; empty fields ask nothing."""

    question: str = ANY
    many: str = ""
    criteria: str = ""
    control: str = ""
    margin: str = ""
    lift: str = ""

    @property
    def is_more(self) -> bool:
        """Whether anything here was filled in."""
        return any(
            getattr(self, name).strip() != field.default
            for name, field in QuestionForm.model_fields.items()
        )

    def settings(self) -> dict[str, Any]:
        """As `Study.create` takes it, without what was left empty."""
        asked: dict[str, Any] = {}
        if self.question == TOP:
            asked["question"] = f"{TOP}:{read_whole('many', self.many)}"
        elif self.question != ANY:
            asked["question"] = self.question
        lines = [line.strip() for line in self.criteria.splitlines() if line.strip()]
        if lines:
            asked["criteria"] = lines
        if self.control.strip():
            asked["control"] = self.control.strip()
        if self.margin.strip():
            asked["margin"] = read_number("margin", self.margin)
        if self.lift.strip():
            asked["lift"] = read_number("lift", self.lift.replace("%", "")) / 100.0
        by = ("margin" in asked) + ("lift" in asked)
        if "control" in asked and not lines and by != 1:
            what = "say one of the two" if by else "say by how much; 0 asks for any difference"
            raise InputError(f"margin: {what}")
        return asked
