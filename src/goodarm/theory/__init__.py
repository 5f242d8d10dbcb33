"""What the theory says about an instance: complexities, bounds, sample sizes, and their slack.

Every statement of the paper, in two readings where they differ: ``published``, and ``corrected``,
which its proof supports (the default). docs/theory.md has the reason and a counterexample for each.

`complexities.py` measures an instance by the formulas of `quantities.py`, `upper_bounds.py` bounds
errors at a time by those of `error_formulas.py`, and `constants.py` has their asymptotic
constants. `unverifiable.py` and `sample_complexity.py` are about sample sizes, `lower_bounds.py`
about what nobody can beat, `time_uniform.py` about ever erring; `exact.py` is Unif's exact error,
`tables.py` the paper's tables, `boundaries.py` the thresholds, `rankings.py` who should win,
`summary.py` all of it at once. What a live study may say is in `goodarm.stopping`.
"""

from goodarm.theory.boundaries import (
    baec_thresholds,
    f1,
    f1_tilde,
    glr_threshold,
    kano_threshold,
    pkgai_q,
    pkgai_z,
)
from goodarm.theory.complexities import Complexity, complexity, logbar
from goodarm.theory.constants import error_rate_constant
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.exact import unif_error
from goodarm.theory.lower_bounds import (
    LowerBound,
    fixed_budget_hardness,
    lower_bound,
    other_arms_pulls,
)
from goodarm.theory.rankings import Ranked, SimulatedError, compare_bounds, dominance, ranking
from goodarm.theory.readings import CORRECTED, PUBLISHED, READINGS, LogBound, Quantity
from goodarm.theory.sample_complexity import SampleComplexity, expected_sample_complexity
from goodarm.theory.summary import theory_summary
from goodarm.theory.tables import (
    difficulty_row,
    error_table,
    lower_table,
    stopping_table,
    unverifiable_table,
)
from goodarm.theory.time_uniform import gamma_tilde, time_uniform_bound
from goodarm.theory.unverifiable import h1, h2, unverifiable_sample_complexity
from goodarm.theory.upper_bounds import ErrorBound, error_bound, error_bounds

__all__ = [
    "CORRECTED",
    "ERROR_THEOREMS",
    "PUBLISHED",
    "READINGS",
    "Complexity",
    "ErrorBound",
    "LogBound",
    "LowerBound",
    "Quantity",
    "Ranked",
    "SampleComplexity",
    "SimulatedError",
    "baec_thresholds",
    "compare_bounds",
    "complexity",
    "difficulty_row",
    "dominance",
    "error_bound",
    "error_bounds",
    "error_rate_constant",
    "error_table",
    "expected_sample_complexity",
    "f1",
    "f1_tilde",
    "fixed_budget_hardness",
    "gamma_tilde",
    "glr_threshold",
    "h1",
    "h2",
    "kano_threshold",
    "logbar",
    "lower_bound",
    "lower_table",
    "other_arms_pulls",
    "pkgai_q",
    "pkgai_z",
    "ranking",
    "stopping_table",
    "theory_summary",
    "time_uniform_bound",
    "unif_error",
    "unverifiable_sample_complexity",
    "unverifiable_table",
]
