"""What outcomes prove, for people: in words, and in a notebook with a picture."""

import math
from typing import TYPE_CHECKING

from goodarm.showing.forest import AGAINST, FOR, DrawnArm, forest_snippet, lay_out
from goodarm.showing.markup import Html
from goodarm.showing.snippet import snippet
from goodarm.wording import NOTHING, counted

if TYPE_CHECKING:
    from goodarm.outcomes.certificates import Certificate

OF_OUTCOMES = ("outcomes", "number", "mean", "limits")


def certificate_text(proof: "Certificate", hope: str = "") -> str:
    """The certificate for people; `hope` is added where nothing is shown yet."""
    bar, mean = f"{proof.threshold:g}", NOTHING if proof.mean is None else f"{proof.mean:.6g}"
    low = "−∞" if proof.lower is None else f"{proof.lower:.6g}"
    high = "∞" if proof.upper is None else f"{proof.upper:.6g}"
    above, below = (math.exp(min(0.0, -log_e)) for log_e in (proof.above, proof.below))
    return "\n".join(
        [
            f"{counted(proof.count, 'outcome')} ({proof.outcome}), mean {mean}",
            f"ln E⁺ = {proof.above:<9.4f} against a mean of at most {bar}: p ≤ {above:.3g}",
            f"ln E⁻ = {proof.below:<9.4f} against a mean of at least {bar}: p ≤ {below:.3g}",
            f"limits  {low} to {high}, each missed with probability at most {proof.alpha:g}",
            "",
            _conclusion(proof.alpha, bar, above, below, hope),
        ]
    )


def _conclusion(alpha: float, bar: str, above: float, below: float, hope: str) -> str:
    """What the two p-values say, in words that do not promise too much."""
    p, side = min((above, "above"), (below, "below"))
    if p > alpha:
        return f"Neither side of {bar} is shown at {alpha:g}{hope}."
    return (
        f"The mean is {side} {bar}. If it were not, evidence this strong would ever come up with "
        f"probability at most {p:.3g}, however often one looks, provided that outcomes are "
        "independent and of the declared kind."
    )


def certificate_html(proof: "Certificate") -> Html:
    """The mean with its limits beside the bar, and what that shows."""
    look = ""
    if max(proof.above, proof.below) >= -math.log(proof.alpha):
        look = FOR if proof.above > proof.below else AGAINST
    drawn = DrawnArm(proof.outcome, proof.count, proof.mean, proof.lower, proof.upper, look)
    *facts, _, conclusion = certificate_text(proof).split("\n")
    picture = forest_snippet(lay_out([drawn], proof.threshold), OF_OUTCOMES)
    return snippet(conclusion, picture, note="; ".join(fact.strip() for fact in facts[1:]))
