"""The figures of stopping times."""

from goodarm.paper.items.item import RunCounts
from goodarm.paper.items.stopping_figure import Panel, StoppingBoxes, StoppingCurves
from goodarm.paper.judging.claims import (
    Claim,
    SeriesPair,
    across,
    alike,
    below,
    far_below,
    not_above,
    on,
)
from goodarm.paper.judging.quantities import MEAN, OUTLIERS, SPREAD

STOPPING_ALGORITHMS = ("APGAI", "TaS", "MS", "HDoC", "LUCB-G", "Unif")
OTHERS = ("MS", "HDoC", "LUCB-G", "Unif")
NUMBERS = tuple(range(5, 100, 5))
TWO_GROUP_PANELS = tuple(f"TwoG(100, {g})" for g in NUMBERS)
SPARSE = tuple(f"LinG(100, {g})" for g in (5, 20, 50, 80, 95))


def _to_the_middle(panels: tuple[str, ...]) -> tuple[SeriesPair, ...]:
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
    alike(MEAN, _to_the_middle(TWO_GROUP_PANELS)),
)
WORSE = (
    Claim(
        "The performance of APGAI is comparable to the one of TaS (TwoG).",
        alike(MEAN, on(TWO_GROUP_PANELS, ["APGAI"], ["TaS"])),
        comment="APGAI needs fewer pulls, the more so the more arms are good: about half as many "
        "where nearly all are.",
    ),
    Claim(
        "The other algorithms have worse performance (TwoG).",
        below(MEAN, on(TWO_GROUP_PANELS, ["APGAI"], OTHERS)),
    ),
    Claim(
        "The other algorithms suffer from an increased number of good arms (TwoG).",
        below(MEAN, across([(TWO_GROUP_PANELS[0], TWO_GROUP_PANELS[-1])], OTHERS)),
        comment="MS, HDoC and LUCB-G do, having an exploration bonus for each good arm. Unif has "
        "none: with more good arms the first of them passes the boundary sooner.",
    ),
)

MAIN = StoppingCurves(
    label="fig:varying_good_answers",
    title="Stopping time against the number of good arms, two groups of arms",
    runs=RunCounts(100, 1000),
    families=("TwoG",),
    algorithms=STOPPING_ALGORITHMS,
    more=("APGAI", "TaS"),
    claims=(INVARIANT, *WORSE),
    notes=(BOUNDARY_NOTE,),
)

VARYING_TIMES = StoppingCurves(
    label="fig:supp_varying_good_answers",
    title="Stopping time against the number of good arms, TwoG and LinG",
    runs=RunCounts(100, 1000),
    families=("TwoG", "LinG"),
    algorithms=STOPPING_ALGORITHMS,
    more=("APGAI", "TaS"),
    claims=(
        INVARIANT,
        Claim(
            "The stopping time of APGAI remains the same when the number of good arms varies "
            "(LinG).",
            alike(MEAN, _to_the_middle(SPARSE)),
            comment="On LinG the means are ruled by rare runs that lock on to a good arm near the "
            "threshold, and so by the cap; the medians are flat.",
        ),
        Claim(
            "On LinG, APGAI can have large outliers due to the good arms with small gaps.",
            below(OUTLIERS, on(SPARSE, ["TaS"], ["APGAI"])),
        ),
    ),
    notes=(CAP_NOTE, BOUNDARY_NOTE),
)


def _beats_unif(*panels: str) -> Claim:
    return Claim(
        "APGAI outperforms Unif on average in all the considered instances (these ones here).",
        below(MEAN, on(panels, ["APGAI"], ["Unif"])),
        comment="A time counts as at most 100,000 here, as in the paper's tables. Without that, "
        "APGAI's mean on RealL is several times larger, and above Unif's: it is ruled by the few "
        "runs that lock on to an arm near the threshold.",
    )


NONE_GOOD_TIMES = StoppingBoxes(
    label="fig:supp_no_good_arms",
    title="Stopping time when no arm is good",
    runs=RunCounts(500, 2000),
    panels=(Panel("NoA1"), Panel("NoA2")),
    algorithms=STOPPING_ALGORITHMS,
    claims=(
        Claim(
            "APGAI has comparable performance with existing fixed-confidence algorithms.",
            alike(MEAN, on(("NoA1", "NoA2"), ["APGAI"], ["TaS", "MS", "HDoC", "LUCB-G"])),
            comment="TaS needs a third more pulls than APGAI on NoA1.",
        ),
        Claim(
            "APGAI achieves the best performance when there is no good arm.",
            below(MEAN, on(("NoA1", "NoA2"), ["APGAI"], STOPPING_ALGORITHMS[1:])),
        ),
        Claim(
            "Uniform sampling performs poorly.",
            far_below(MEAN, on(("NoA1", "NoA2"), STOPPING_ALGORITHMS[:-1], ["Unif"])),
            comment="On NoA1 it needs twice as many pulls as the best, and less than that compared "
            "with TaS and MS.",
        ),
    ),
    notes=(BOUNDARY_NOTE,),
)

SIMILAR_TIMES = StoppingBoxes(
    label="fig:supp_similar_good_arms",
    title="Stopping time when good arms have similar gaps",
    runs=RunCounts(200, 1000),
    panels=(Panel("Thr3"), Panel("Med1")),
    algorithms=STOPPING_ALGORITHMS,
    claims=(
        Claim(
            "On Thr3, APGAI achieves better performance than the other fixed-confidence "
            "algorithms (but TaS).",
            below(MEAN, on(("Thr3",), ["APGAI"], OTHERS)),
        ),
        Claim(
            "On Thr3, Track-and-Stop has similar performance.",
            alike(MEAN, on(("Thr3",), ["APGAI"], ["TaS"])),
        ),
        Claim(
            "APGAI is competitive with other algorithms when good arms have similar means.",
            not_above(MEAN, on(("Thr3", "Med1"), ["APGAI"], STOPPING_ALGORITHMS[1:])),
        ),
        _beats_unif("Thr3", "Med1"),
    ),
    notes=(BOUNDARY_NOTE,),
)

SIX_PANELS = ("IsA2", "Med2", "IsA1", "RealL", "Thr1", "Thr2")
DISSIMILAR_TIMES = StoppingBoxes(
    label="fig:supp_dissimilar_good_arms",
    title="Stopping time when good arms have dissimilar gaps",
    runs=RunCounts(500, 2000),
    panels=tuple(Panel("RealL-gaussian" if n == "RealL" else n, name=n) for n in SIX_PANELS),
    algorithms=STOPPING_ALGORITHMS,
    claims=(
        Claim(
            "APGAI can suffer from very large outliers on such instances: the distribution of its "
            "stopping time has a heavy tail.",
            below(OUTLIERS, on(SIX_PANELS, ["TaS"], ["APGAI"])),
        ),
        _beats_unif(*SIX_PANELS),
    ),
    notes=(
        "RealL is simulated with Gaussian arms, σ = 1 and the raw scores, as in the tables of "
        "stopping times.",
        BOUNDARY_NOTE,
    ),
)

DELTA_LABELS = ((1e-2, "1e-2"), (1e-4, "1e-4"), (1e-6, "1e-6"))
DELTA_PANELS = tuple(
    Panel(instance, delta, f"{instance}, δ = {text}")
    for instance in ("Thr2", "IsA1")
    for delta, text in DELTA_LABELS
)
VARYING_DELTA = StoppingBoxes(
    label="fig:supp_varying_delta",
    title="Stopping time at several confidence levels",
    runs=RunCounts(500, 2000),
    panels=DELTA_PANELS,
    algorithms=("APGAI", "TaS", "MS", "Unif"),
    columns=3,
    claims=(
        Claim(
            "The large outliers phenomenon also increases when δ decreases.",
            below(
                SPREAD,
                across(
                    [
                        (DELTA_PANELS[i].title, DELTA_PANELS[j].title)
                        for i, j in ((0, 1), (1, 2), (3, 4), (4, 5))
                    ],
                    ["APGAI"],
                ),
            ),
        ),
    ),
    notes=(
        "The paper's caption says “empirical error”; its text is about stopping times, which "
        "are shown here, for the algorithms whose sampling rule does not depend on δ.",
        BOUNDARY_NOTE,
    ),
)

ITEMS = (NONE_GOOD_TIMES, VARYING_TIMES, SIMILAR_TIMES, DISSIMILAR_TIMES, VARYING_DELTA)
