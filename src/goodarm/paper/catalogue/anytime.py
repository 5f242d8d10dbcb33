"""The figures of anytime errors."""

from goodarm.paper.items.error_figure import AnytimeCurves
from goodarm.paper.items.item import RunCounts
from goodarm.paper.judging.claims import (
    Claim,
    across,
    alike,
    below,
    far_below,
    on,
)
from goodarm.paper.judging.quantities import ERROR
from goodarm.paper.judging.theory_claims import FasterThanTheory

ANYTIME_ALGORITHMS = ("APGAI", "Unif", "DSR-G", "DSH-G-WR")
DOUBLING = ("DSR-G", "DSH-G-WR")
ANYTIME_RUNS = RunCounts(2000, 10_000)

DOUBLING_NOTE = (
    "A doubling algorithm has no answer before its first instance ends (about 2K log2 K pulls); "
    "those times are left out of the curves and of the comparisons."
)
CROSSING = (
    "The curves cross: forgetting nothing and committing early, APGAI is ahead at first; late, the "
    "few runs that locked on to a bad arm whose first rewards were high keep its error up."
)


def _beats_doubling(panels: tuple[str, ...]) -> Claim:
    return Claim(
        "APGAI always performs better than DSR-G and DSH-G-WR.",
        below(ERROR, on(panels, ["APGAI"], DOUBLING)),
        comment=CROSSING,
    )


def _unif_beats_doubling(panels: tuple[str, ...]) -> Claim:
    return Claim(
        "Unif is itself better than DSR-G and DSH-G-WR.",
        below(ERROR, on(panels, ["Unif"], DOUBLING)),
        comment="Just after an instance of a doubling algorithm ends, its answer is at its best; "
        "Unif is ahead at nearly all other times.",
    )


def _on_par_with_unif(panels: tuple[str, ...]) -> Claim:
    return Claim(
        "When there are good arms, APGAI performs on par with Unif.",
        alike(ERROR, on(panels, ["APGAI"], ["Unif"])),
        comment=CROSSING,
    )


MAIN = AnytimeCurves(
    label="fig:PoE_no_good_arms",
    title="Anytime error with three good arms near the threshold, and with none",
    runs=ANYTIME_RUNS,
    horizons={"Thr3": 8000, "NoA2": 1500},
    algorithms=ANYTIME_ALGORITHMS,
    claims=(
        Claim(
            "APGAI has significantly smaller error compared to Unif.",
            below(ERROR, on(("Thr3", "NoA2"), ["APGAI"], ["Unif"])),
            comment=CROSSING,
        ),
        _unif_beats_doubling(("Thr3", "NoA2")),
        _beats_doubling(("Thr3", "NoA2")),
        FasterThanTheory(
            "APGAI appears to perform better than its theorem suggests when there are good arms.",
            ("Thr3",),
        ),
    ),
    notes=(DOUBLING_NOTE,),
)

NONE_GOOD_ERRORS = AnytimeCurves(
    label="fig:supp_PoE_no_good_arms",
    title="Anytime error when no arm is good",
    runs=ANYTIME_RUNS,
    horizons={"NoA1": 300, "NoA2": 1500},
    algorithms=ANYTIME_ALGORITHMS,
    claims=(
        Claim(
            "APGAI significantly outperforms all the other anytime algorithms by a large margin.",
            far_below(ERROR, on(("NoA1", "NoA2"), ["APGAI"], ANYTIME_ALGORITHMS[1:])),
        ),
        Claim(
            "Unif outperforms both DSR-G and DSH-G-WR.",
            below(ERROR, on(("NoA1", "NoA2"), ["Unif"], DOUBLING)),
            comment="Just after an instance of a doubling algorithm ends, its answer is at its "
            "best; Unif is ahead at nearly all other times.",
        ),
    ),
    notes=(DOUBLING_NOTE,),
)

NUMBERS_GOOD = (5, 15, 30)
TWO_GROUPS, LINEAR_MEANS = (
    tuple(f"{family}(100, {g})" for g in NUMBERS_GOOD) for family in ("TwoG", "LinG")
)
VARYING_ERRORS = AnytimeCurves(
    label="fig:supp_PoE_varying_good_answers",
    title="Anytime error with 5, 15 and 30 good arms among 100",
    runs=RunCounts(1000, 10_000),
    horizons=dict.fromkeys((*TWO_GROUPS, *LINEAR_MEANS), 2500),
    algorithms=ANYTIME_ALGORITHMS,
    columns=3,
    log_time=True,
    claims=(
        Claim(
            "The error of APGAI decreases significantly as the number of good arms increases.",
            below(
                ERROR,
                across(
                    [(f[i + 1], f[i]) for f in (TWO_GROUPS, LINEAR_MEANS) for i in (0, 1)],
                    ["APGAI"],
                ),
            ),
        ),
        Claim(
            "APGAI outperforms all the other anytime algorithms by a large margin.",
            far_below(ERROR, on((*TWO_GROUPS, *LINEAR_MEANS), ["APGAI"], ANYTIME_ALGORITHMS[1:])),
            comment="DSR-G and DSH-G-WR have their first answer when APGAI's error has almost "
            "vanished: there is little left to compare.",
        ),
    ),
    notes=(DOUBLING_NOTE,),
)

SIMILAR_ERRORS = AnytimeCurves(
    label="fig:supp_PoE_similar_good_arms",
    title="Anytime error when good arms have similar gaps",
    runs=ANYTIME_RUNS,
    horizons={"Thr3": 8000, "Med1": 15_000},
    algorithms=ANYTIME_ALGORITHMS,
    claims=(
        Claim(
            "APGAI is better than Unif on Thr3.",
            below(ERROR, on(("Thr3",), ["APGAI"], ["Unif"])),
            comment=CROSSING,
        ),
        Claim(
            "APGAI is worse than Unif on Med1.",
            below(ERROR, on(("Med1",), ["Unif"], ["APGAI"])),
        ),
        _beats_doubling(("Thr3", "Med1")),
        _on_par_with_unif(("Thr3", "Med1")),
        FasterThanTheory(
            "APGAI performs better than the theoretical guarantees suggest.", ("Thr3", "Med1")
        ),
    ),
    notes=(DOUBLING_NOTE,),
)

SIX_HORIZONS = {
    "IsA2": 300,
    "Med2": 600,
    "IsA1": 600,
    "RealL-gaussian": 1500,
    "Thr1": 800,
    "Thr2": 1500,
}
DISSIMILAR_ERRORS = AnytimeCurves(
    label="fig:supp_PoE_dissimilar_good_arms",
    title="Anytime error when good arms have dissimilar gaps",
    runs=ANYTIME_RUNS,
    horizons=SIX_HORIZONS,
    algorithms=ANYTIME_ALGORITHMS,
    claims=(
        _beats_doubling(tuple(SIX_HORIZONS)),
        Claim(
            "Unif seems to outperform APGAI on some instances (Thr2 and Med2).",
            below(ERROR, on(("Thr2", "Med2"), ["Unif"], ["APGAI"])),
            comment=CROSSING,
        ),
        Claim(
            "Unif has worse performance on other instances (RealL and Thr1).",
            below(ERROR, on(("RealL-gaussian", "Thr1"), ["APGAI"], ["Unif"])),
            comment=CROSSING,
        ),
        _on_par_with_unif(tuple(SIX_HORIZONS)),
        FasterThanTheory(
            "APGAI enjoys better performance than suggested by the theoretical guarantees.",
            tuple(SIX_HORIZONS),
        ),
    ),
    notes=(
        DOUBLING_NOTE,
        "RealL is simulated with Gaussian arms, σ = 1 and the raw scores: the paper's anytime "
        "experiments come from the same program as its stopping times.",
    ),
)

REFRESH_HORIZONS = {
    "NoA1": 300,
    "IsA1": 600,
    "Thr1": 800,
    "RealL-gaussian": 1500,
    "Med1": 15_000,
    "Thr3": 8000,
}
REFRESH = AnytimeCurves(
    label="fig:supp_PoE_doublingSH_withrefresh",
    title="Doubling Sequential Halving with and without refresh",
    runs=ANYTIME_RUNS,
    horizons=REFRESH_HORIZONS,
    algorithms=("DSH-G", "DSH-G-WR", "APGAI", "Unif"),
    claims=(
        Claim(
            "Dropping past observations dramatically increases the error of DSH-G.",
            far_below(ERROR, on(tuple(REFRESH_HORIZONS), ["DSH-G-WR"], ["DSH-G"])),
            comment="It increases the error everywhere; on Med1 and Thr3, where errors are large, "
            "not by the factor that “dramatically” asks for.",
        ),
    ),
    notes=(DOUBLING_NOTE,),
)

ITEMS = (REFRESH, NONE_GOOD_ERRORS, VARYING_ERRORS, SIMILAR_ERRORS, DISSIMILAR_ERRORS)
