"""The tables that are computed: instances, difficulties, asymptotic constants."""

from goodarm import theory
from goodarm.instance import Instance, instances
from goodarm.paper.items.constants import (
    ConstantsTable,
    DifficultyTable,
    InstanceTable,
    MeansTable,
)
from goodarm.paper.judging.theory_claims import Dominance

TABLE_INSTANCES = (
    "Thr1",
    "Thr2",
    "Thr3",
    "Med1",
    "Med2",
    "IsA1",
    "NoA1",
    "IsA2",
    "NoA2",
    "RealL",
    "TwoG(100, 30)",
    "LinG(100, 30)",
)
# With one good arm far above the threshold and many just below it, H1 is large for their sake.
LOPSIDED = Instance(0.0, [1.0, *[-0.05] * 99], name="one arm at 1, 99 at −0.05")
INSTANCES_WITH_GOOD = (
    *(instances[name] for name in TABLE_INSTANCES if not name.startswith("NoA")),
    LOPSIDED,
)

BERNOULLI_NOTE = "RealL is the Bernoulli instance here: gaps are in units of σ = 1/2."

LOWER_BOUNDS = ConstantsTable(
    label="tab:summary_lb_GAI",
    title="Lower bounds on the performance of any algorithm",
    rows_of=theory.lower_table,
    instances=(*TABLE_INSTANCES, "TwoG(100, 1)"),
    unit="Lower bounds on each instance.",
    notes=(
        "The first three rows speak of instances with one good arm and all others at one mean; "
        "TwoG with one good arm is such an instance. The last row is published without its factor "
        "2.",
        BERNOULLI_NOTE,
    ),
)
ERROR_RATES = ConstantsTable(
    label="tab:summary_anytimeGAI",
    title="Asymptotic error rates",
    rows_of=theory.error_table,
    instances=TABLE_INSTANCES,
    unit="C(μ) with t/ln(1/error) ≤ C(μ) in the limit: smaller is better.",
    claims=(
        Dominance("Unif", "Pareto equivalent", theory.error_table, INSTANCES_WITH_GOOD),
        Dominance("DSR-G", "Pareto equivalent", theory.error_table, INSTANCES_WITH_GOOD),
        Dominance("DSH-G", "Pareto equivalent", theory.error_table, INSTANCES_WITH_GOOD),
        Dominance("PKGAI", "dominant", theory.error_table, INSTANCES_WITH_GOOD),
        Dominance("PKGAI(Unif)", "dominant", theory.error_table, INSTANCES_WITH_GOOD),
    ),
    notes=(
        "The published table swaps the references of DSR-G and DSH-G. The corrected constants are "
        "the limits of bounds whose proofs hold; SR-G and SH-G are added.",
        BERNOULLI_NOTE,
    ),
)
UNVERIFIABLE_SIZES = ConstantsTable(
    label="tab:summary_unverif_GAI",
    title="Unverifiable sample complexity",
    rows_of=theory.unverifiable_table,
    instances=TABLE_INSTANCES,
    unit="Limit of U/ln(1/δ).",
    claims=(
        Dominance("Unif", "Pareto equivalent", theory.unverifiable_table, INSTANCES_WITH_GOOD),
    ),
    notes=(
        "Published 36 H1 and 8 H1; the theorem says 18 H1 and 4 H1, and its repair 18 and 8.",
        BERNOULLI_NOTE,
    ),
)
SAMPLE_SIZES = ConstantsTable(
    label="tab:summary_FCGAI",
    title="Expected sample complexity",
    rows_of=theory.stopping_table,
    instances=TABLE_INSTANCES,
    unit="Limit of E[τ]/ln(1/δ).",
    claims=(
        Dominance("Unif", "Pareto equivalent", theory.stopping_table, INSTANCES_WITH_GOOD),
        Dominance("S-TaS", "dominant", theory.stopping_table, INSTANCES_WITH_GOOD),
        Dominance("HDoC", "dominant", theory.stopping_table, INSTANCES_WITH_GOOD),
    ),
    notes=(BERNOULLI_NOTE,),
)

PARAMETERS = InstanceTable(label="tab:instances_constants", title="Parameters of the instances")
MEANS = MeansTable(
    label="tab:instances_arms",
    title="Means of the instances",
    notes=(
        "IsA1 and NoA1 are evenly spaced; the paper publishes them rounded and used them "
        "unrounded. RealL's scores are shown raw: as Bernoulli means, negative ones become 0.",
    ),
)
DIFFICULTIES = DifficultyTable(
    label="tab:instances_constants_value",
    title="How hard the instances are",
    reasons={
        "IsA1": "The published row is that of linspace(0.6, −0.6, 10).",
        "NoA1": "The published row is close to that of linspace(−0.3, −0.6, 5).",
        "IsA2": "The published values are truncated, not rounded.",
        "NoA2": "The published value is truncated, not rounded.",
        "TwoG(100, 30)": "Hθ and K/Δ̂² are swapped in the published row.",
    },
    notes=("In this table Med2 has σ = 1 and RealL its raw scores.",),
)

SUMMARIES = (LOWER_BOUNDS, ERROR_RATES, UNVERIFIABLE_SIZES, SAMPLE_SIZES)
ITEMS = (PARAMETERS, MEANS, DIFFICULTIES)
