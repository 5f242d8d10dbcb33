"""What an outcome is, and what it proves: one file per model; `contract.py` says what one is."""

from goodarm.outcomes.bernoulli import Bernoulli
from goodarm.outcomes.bounded import Bounded
from goodarm.outcomes.certificates import Certificate, certificate
from goodarm.outcomes.contract import Outcome
from goodarm.outcomes.exponential import Exponential
from goodarm.outcomes.gaussian import Gaussian
from goodarm.outcomes.poisson import Poisson
from goodarm.outcomes.registry import find_outcome, outcome_from_data, outcomes, parse_outcome
from goodarm.outcomes.suggesting import Candidate, Suggestions
from goodarm.outcomes.symmetric import Symmetric

__all__ = [
    "Bernoulli",
    "Bounded",
    "Candidate",
    "Certificate",
    "Exponential",
    "Gaussian",
    "Outcome",
    "Poisson",
    "Suggestions",
    "Symmetric",
    "certificate",
    "find_outcome",
    "outcome_from_data",
    "outcomes",
    "parse_outcome",
]
