"""What programs may ask of a plan for any question."""

from typing import Annotated

from pydantic import Field

from goodarm.remote.bodies import Number, Sent, Whole


class PlannedQuestion(Sent):
    """A study with any question, to be planned."""

    criteria: Annotated[
        list[str],
        Field(
            min_length=1,
            description="What an option must do to be good: all of these, each as "
            "NAME:MODEL>=BAR or <=BAR; against a control, >=control+0.02 or >=control*1.1.",
            examples=[["efficacy:bernoulli>=0.3", "harm:bernoulli<=0.1"]],
        ),
    ]
    means: Annotated[
        list[Number | str] | dict[str, list[Number | str]],
        Field(
            description="One guess per option, a number or a range as 0.3..0.6; with several "
            "criteria a list for each, by its name.",
            examples=[{"efficacy": [0.2, 0.5], "harm": [0.02, "0.05..0.2"]}],
        ),
    ]
    question: Annotated[str, Field(description="any, all, top:M or in-order.")] = "any"
    names: Annotated[list[str] | None, Field(description="The options' names.")] = None
    control: Annotated[str | None, Field(description="The option that others must beat.")] = None
    costs: Annotated[
        dict[str, Number] | None, Field(description="What a trial of an option costs; else 1.")
    ] = None
    reserve: Annotated[
        Number, Field(description="The share of δ that is kept for options added later.")
    ] = 0.0
    delta: Annotated[Number, Field(description="Stop when sure at 1 − δ.")] = 0.05
    budget: Annotated[Whole | None, Field(description="At most this many trials.")] = None
    scatter: Annotated[
        Number | dict[str, Number] | None,
        Field(description="A guess of the standard deviation, where the outcome says nothing."),
    ] = None
    runs: Annotated[Whole | None, Field(description="Simulate this many runs of each.")] = None
    seed: Whole = 0
