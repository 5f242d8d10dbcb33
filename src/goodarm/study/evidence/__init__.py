"""What the outcomes of a study amount to: which arm next, what is certain, how far each has come.

`contract` says what a study needs to know. `one_bar` answers for one good arm and one bar, with an
`Experiment`; `many_bars` for every other question, with an `Inquiry`; `of_study` finds the one.
"""

from goodarm.study.evidence.contract import StudyEvidence
from goodarm.study.evidence.many_bars import ManyBars
from goodarm.study.evidence.of_study import ANY_ALGORITHM, evidence_of
from goodarm.study.evidence.one_bar import OneBar

__all__ = ["ANY_ALGORITHM", "ManyBars", "OneBar", "StudyEvidence", "evidence_of"]
