"""What an outcome is, and what it proves: one file per model; `contract.py` says what one is."""

from goodarm.outcomes.bernoulli import Bernoulli
from goodarm.outcomes.bounded import Bounded
from goodarm.outcomes.certificates import Certificate, certificate
from goodarm.outcomes.contract import Outcome
from goodarm.outcomes.gaussian import Gaussian
from goodarm.outcomes.registry import find_outcome, outcome_from_data, outcomes, parse_outcome

__all__ = [
    "Bernoulli",
    "Bounded",
    "Certificate",
    "Gaussian",
    "Outcome",
    "certificate",
    "find_outcome",
    "outcome_from_data",
    "outcomes",
    "parse_outcome",
]
