"""The evidence that a study's settings ask for."""

from goodarm.algorithms import Algorithm
from goodarm.study.evidence.contract import StudyEvidence
from goodarm.study.evidence.many_bars import ManyBars
from goodarm.study.evidence.one_bar import ANY_ALGORITHM, OneBar
from goodarm.study.roster import Roster
from goodarm.study.settings import Settings

__all__ = ["ANY_ALGORITHM", "evidence_of"]


def evidence_of(settings: Settings, algorithm: Algorithm, roster: Roster) -> StudyEvidence:
    """Evidence without an outcome, for the arms that the study has now."""
    if settings.is_plain and not roster.has_changed:
        return OneBar(settings, algorithm)
    evidence = ManyBars(settings, algorithm, roster.founders)
    for arm in roster.added:
        evidence.add_arm(arm)
    for number in roster.retired:
        evidence.retire_arm(number)
    return evidence
