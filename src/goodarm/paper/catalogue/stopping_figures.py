"""The figures of stopping times."""

from goodarm.paper.items.item import Runs
from goodarm.paper.items.stopping_figure import Panel, StoppingBoxes, StoppingCurves
from goodarm.paper.judging.claims import ALIKE, BELOW, NOT_ABOVE, Claim, Pair, across, on
from goodarm.paper.judging.quantities import MEAN, OUTLIERS, SPREAD

ALGORITHMS = ("APGAI", "TaS", "MS", "HDoC", "LUCB-G", "Unif")
OTHERS = ("MS", "HDoC", "LUCB-G", "Unif")
NUMBERS = tuple(range(5, 100, 5))
COMPARABLE = 1.0  # within a factor of 2
TWO, LINEAR = (tuple(f"{family}(100, {g})" for g in NUMBERS) for family in ("TwoG", "LinG"))
SPARSE = tuple(f"LinG(100, {g})" for g in (5, 20, 50, 80, 95))


def _to_the_middle(panels: tuple[str, ...]) -> tuple[Pair, ...]:
    """APGAI on each panel against APGAI with 50 good arms, which is the panel in the middle."""
    middle = panels[len(panels) // 2]
    return across([(panel, middle) for panel in panels if panel != middle], ["APGAI"])


CAP_NOTE = (
    "Runs are given up after 100,000 pulls, as in the paper's tables, and count as 100,000. "
    "APGAI's means on LinG depend on that: a run that has locked on to an arm near the threshold "
    "hardly ever ends."
)
BOUNDARY_NOTE = (
    "The boundary is glr-tables, as in the paper's tables of stopping times; the one that the "
    "text states, glr, makes all times several percent shorter."
)

INVARIANT = Claim(
    "The performance of APGAI is invariant to varying numbers of good arms (TwoG).",
    MEAN, ALIKE, _to_the_middle(TWO), margin=0.5,
)  # fmt: skip
WORSE = (
    Claim(
        "The performance of APGAI is comparable to the one of TaS (TwoG).",
        MEAN, ALIKE, on(TWO, ["APGAI"], ["TaS"]), margin=COMPARABLE,
    ),
    Claim(
        "The other algorithms have worse performance (TwoG).",
        MEAN, BELOW, on(TWO, ["APGAI"], OTHERS),
    ),
    Claim(
        "The other algorithms suffer from an increased number of good arms (TwoG).",
        MEAN, BELOW, across([(TWO[0], TWO[-1])], OTHERS),
        comment="MS, HDoC and LUCB-G do, having an exploration bonus for each good arm. Unif has "
        "none: with more good arms the first of them passes the boundary sooner.",
    ),
)  # fmt: skip

MAIN = StoppingCurves(
    label="fig:varying_good_answers",
    title="Stopping time against the number of good arms, two groups of arms",
    runs=Runs(100, 1000),
    families=("TwoG",),
    algorithms=ALGORITHMS,
    more=("APGAI", "TaS"),
    claims=(INVARIANT, *WORSE),
    notes=(BOUNDARY_NOTE,),
)

VARYING = StoppingCurves(
    label="fig:supp_varying_good_answers",
    title="Stopping time against the number of good arms, TwoG and LinG",
    runs=Runs(100, 1000),
    families=("TwoG", "LinG"),
    algorithms=ALGORITHMS,
    more=("APGAI", "TaS"),
    claims=(
        INVARIANT,
        Claim(
            "The stopping time of APGAI remains the same when the number of good arms varies "
            "(LinG).",
            MEAN, ALIKE, _to_the_middle(SPARSE), margin=0.5,
            comment="On LinG the means are ruled by rare runs that lock on to a good arm near the "
            "threshold, and so by the cap; the medians are flat.",
        ),
        Claim(
            "On LinG, APGAI can have large outliers due to the good arms with small gaps.",
            OUTLIERS, BELOW, on(SPARSE, ["TaS"], ["APGAI"]),
        ),
    ),
    notes=(CAP_NOTE, BOUNDARY_NOTE),
)  # fmt: skip


def _beats_unif(*panels: str) -> Claim:
    return Claim(
        "APGAI outperforms Unif on average in all the considered instances (these ones here).",
        MEAN, BELOW, on(panels, ["APGAI"], ["Unif"]),
        comment="A time counts as at most 100,000 here, as in the paper's tables. Without that, "
        "APGAI's mean on RealL is several times larger, and above Unif's: it is ruled by the few "
        "runs that lock on to an arm near the threshold.",
    )  # fmt: skip


NONE_GOOD = StoppingBoxes(
    label="fig:supp_no_good_arms",
    title="Stopping time when no arm is good",
    runs=Runs(500, 2000),
    panels=(Panel("NoA1"), Panel("NoA2")),
    algorithms=ALGORITHMS,
    claims=(
        Claim(
            "APGAI has comparable performance with existing fixed-confidence algorithms.",
            MEAN, ALIKE, on(("NoA1", "NoA2"), ["APGAI"], ["TaS", "MS", "HDoC", "LUCB-G"]),
            margin=COMPARABLE,
        ),
        Claim(
            "APGAI achieves the best performance when there is no good arm.",
            MEAN, NOT_ABOVE, on(("NoA1", "NoA2"), ["APGAI"], ALGORITHMS[1:]), margin=0.05,
        ),
        Claim(
            "Uniform sampling performs poorly.",
            MEAN, BELOW, on(("NoA1", "NoA2"), ALGORITHMS[:-1], ["Unif"]),
        ),
    ),
    notes=(BOUNDARY_NOTE,),
)  # fmt: skip

SIMILAR = StoppingBoxes(
    label="fig:supp_similar_good_arms",
    title="Stopping time when good arms have similar gaps",
    runs=Runs(200, 1000),
    panels=(Panel("Thr3"), Panel("Med1")),
    algorithms=ALGORITHMS,
    claims=(
        Claim(
            "On Thr3, APGAI achieves better performance than the other fixed-confidence "
            "algorithms (but TaS).",
            MEAN, BELOW, on(("Thr3",), ["APGAI"], OTHERS),
        ),
        Claim(
            "On Thr3, Track-and-Stop has similar performance.",
            MEAN, ALIKE, on(("Thr3",), ["APGAI"], ["TaS"]), margin=0.2,
        ),
        Claim(
            "APGAI is competitive with other algorithms when good arms have similar means.",
            MEAN, NOT_ABOVE, on(("Thr3", "Med1"), ["APGAI"], ALGORITHMS[1:]), margin=0.25,
        ),
        _beats_unif("Thr3", "Med1"),
    ),
    notes=(BOUNDARY_NOTE,),
)  # fmt: skip

SIX = ("IsA2", "Med2", "IsA1", "RealL", "Thr1", "Thr2")
DISSIMILAR = StoppingBoxes(
    label="fig:supp_dissimilar_good_arms",
    title="Stopping time when good arms have dissimilar gaps",
    runs=Runs(500, 2000),
    panels=tuple(Panel("RealL-gaussian" if n == "RealL" else n, name=n) for n in SIX),
    algorithms=ALGORITHMS,
    claims=(
        Claim(
            "APGAI can suffer from very large outliers on such instances: the distribution of its "
            "stopping time has a heavy tail.",
            OUTLIERS, BELOW, on(SIX, ["TaS"], ["APGAI"]),
        ),
        _beats_unif(*SIX),
    ),
    notes=(
        "RealL is simulated with Gaussian arms, σ = 1 and the raw scores, as in the tables of "
        "stopping times.",
        BOUNDARY_NOTE,
    ),
)  # fmt: skip

LEVELS = ((1e-2, "1e-2"), (1e-4, "1e-4"), (1e-6, "1e-6"))
DELTAS = tuple(
    Panel(instance, delta, f"{instance}, δ = {shown}")
    for instance in ("Thr2", "IsA1")
    for delta, shown in LEVELS
)
VARYING_DELTA = StoppingBoxes(
    label="fig:supp_varying_delta",
    title="Stopping time at several confidence levels",
    runs=Runs(500, 2000),
    panels=DELTAS,
    algorithms=("APGAI", "TaS", "MS", "Unif"),
    columns=3,
    claims=(
        Claim(
            "The large outliers phenomenon also increases when δ decreases.",
            SPREAD, BELOW,
            across(
                [(DELTAS[i].title, DELTAS[j].title) for i, j in ((0, 1), (1, 2), (3, 4), (4, 5))],
                ["APGAI"],
            ),
        ),
    ),
    notes=(
        "The paper's caption says “empirical error”; its text is about stopping times, which "
        "are shown here, for the algorithms whose sampling rule does not depend on δ.",
        BOUNDARY_NOTE,
    ),
)  # fmt: skip

ITEMS = (NONE_GOOD, VARYING, SIMILAR, DISSIMILAR, VARYING_DELTA)
