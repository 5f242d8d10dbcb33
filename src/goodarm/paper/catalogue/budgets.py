"""The fixed-budget tables, their curves against T, and the two thresholds of PKGAI."""

from goodarm.paper.items.budget_table import BudgetTable
from goodarm.paper.items.error_figure import BudgetCurves, Curves
from goodarm.paper.items.item import RunCounts
from goodarm.paper.judging.claims import (
    Claim,
    across,
    alike,
    below,
    far_below,
    not_far,
    on,
)
from goodarm.paper.judging.quantities import ERROR

PKGAI = ("PKGAI(APT_P)", "PKGAI(LCB-G)", "PKGAI(UCB)", "PKGAI(Unif)")
ADAPTIVE = ("APGAI", "PKGAI(APT_P)", "PKGAI(LCB-G)", "PKGAI(UCB)")
UNIFORM = ("SH-G", "SR-G", "Unif", "PKGAI(Unif)")
BUDGET_ALGORITHMS = ("APGAI", *PKGAI, "SH-G", "SR-G", "Unif")
PKGAI_PRIOR = tuple(f"{name}[beta=prior]" for name in PKGAI)

REJECTING = (
    "The SR-G and SH-G rows of the paper do not follow from the algorithms as it defines them. "
    "They look like an implementation whose Successive Rejects stops one phase early and whose "
    "Sequential Halving runs one round more. We simulate the definitions."
)
CURVE_RUNS, TABLE_RUNS = RunCounts(1000, 10_000), RunCounts(5000, 20_000)

PAPER_LABELS = {"RealL": "PREMSTEM", "IsA1": "IsA1", "IsA2": "IsA2", "NoA1": "NoA1", "NoA2": "NoA2"}
BUDGETS_OF = {
    "RealL": tuple(range(40, 201, 20)),
    "IsA1": tuple(range(50, 701, 50)),
    "IsA2": tuple(range(50, 701, 50)),
    "NoA1": tuple(range(10, 151, 10)),
    "NoA2": tuple(range(50, 701, 50)),
}


def _table(instance: str) -> BudgetTable:
    return BudgetTable(
        label=f"tab:results_{PAPER_LABELS[instance]}_appendix",
        title=f"Fixed-budget error on {instance}",
        runs=TABLE_RUNS,
        instance=instance,
        algorithms=(*BUDGET_ALGORITHMS, "SH-G-WR"),
        reasons={"SR-G": REJECTING, "SH-G": REJECTING},
        notes=(REJECTING, "PKGAI's β is z(T, δ) with δ = 0.01: no prior knowledge."),
    )


def _uniform_is_worse(instance: str) -> Claim:
    return Claim(
        "Uniform samplings (SH-G, SR-G, Unif, PKGAI(Unif)) are less efficient than the adaptive "
        "strategies.",
        below(ERROR, on((instance,), ADAPTIVE, UNIFORM)),
        comment="The exceptions are the smallest budgets, where an adaptive algorithm has made "
        "only a few choices of its own, and, on NoA1, PKGAI(UCB) against SR-G.",
    )


def _as_good_as_pkgai(instance: str) -> Claim:
    return Claim(
        "APGAI performs as well as the elimination-based algorithms PKGAI.",
        alike(ERROR, on((instance,), ["APGAI"], PKGAI)),
        comment="PKGAI(APT_P) and PKGAI(LCB-G) sample much as APGAI does. It is ahead of "
        "PKGAI(Unif), by more than “as well as” allows; and of PKGAI(UCB), but on IsA1, where "
        "that one is ahead of it.",
    )


def _claims(instance: str) -> tuple[Claim, ...]:
    """What the appendix's text says about the instance."""
    panel = (instance,)
    claims = [
        Claim(
            "The performance of APGAI is closely related to that of PKGAI(APT_P).",
            alike(ERROR, on(panel, ["APGAI"], ["PKGAI(APT_P)"])),
        ),
    ]
    if instance == "IsA2":
        claims.append(
            Claim(
                "On IsA2 APGAI does not perform as well as PKGAI.",
                below(ERROR, on(panel, PKGAI, ["APGAI"])),
                comment="PKGAI(APT_P) and PKGAI(LCB-G) sample as APGAI does.",
            )
        )
    else:
        claims.append(_as_good_as_pkgai(instance))
    if instance in ("RealL", "NoA1", "NoA2"):
        claims.append(_uniform_is_worse(instance))
        claims += [
            Claim(
                "The performance of PKGAI turns out to be the best of all algorithms.",
                below(ERROR, on(panel, ["PKGAI(APT_P)"], ["APGAI", "SH-G", "SR-G", "Unif"])),
            ),
            Claim(
                "In particular, using the UCB sampling rule seems to be the most efficient.",
                below(ERROR, on(panel, ["PKGAI(UCB)"], BUDGET_ALGORITHMS)),
                comment="It is behind the algorithms that follow the largest evidence: on RealL "
                "for small budgets only, and ahead of them for large ones; with no good arm "
                "throughout, because it spreads its pulls over all arms that may still be good.",
            ),
        ]
    if instance in ("NoA1", "NoA2"):
        claims.append(
            Claim(
                "An algorithm that only aims at the best arm (UCB) is penalised where there is no "
                "good arm.",
                below(ERROR, on(panel, ["PKGAI(APT_P)"], ["PKGAI(UCB)"])),
            )
        )
    if instance != "RealL":
        claims.append(
            Claim(
                "The curves of PKGAI(APT_P) and PKGAI(LCB-G) overlap.",
                alike(ERROR, on(panel, ["PKGAI(APT_P)"], ["PKGAI(LCB-G)"])),
            )
        )
    return tuple(claims)


def _curves(label: str, instance: str, claims: tuple[Claim, ...]) -> BudgetCurves:
    return BudgetCurves(
        label=label,
        title=f"Fixed-budget error against T on {instance}",
        runs=CURVE_RUNS,
        instance=instance,
        budgets=BUDGETS_OF[instance],
        panels=(Curves(instance, BUDGET_ALGORITHMS),),
        claims=claims,
        notes=("SH-G's curve begins at K⌈log2 K⌉ pulls, which it needs.",),
    )


MAIN = _curves(
    "fig:results_PREMSTEM_graphics",
    "RealL",
    (_uniform_is_worse("RealL"), _as_good_as_pkgai("RealL")),
)


def _pair(instance: str) -> BudgetCurves:
    z, q = f"{instance}, β = z", f"{instance}, β from prior knowledge"
    claims = []
    hurt = ("PKGAI(APT_P)", "PKGAI(LCB-G)") if instance == "RealL" else ()
    helped = tuple(name for name in PKGAI if name not in hurt)
    if hurt:
        claims.append(
            Claim(
                "On RealL prior knowledge severely impacts the index policies APT_P and LCB-G "
                "(which the text calls LUCB-G).",
                far_below(ERROR, across([(z, q)], hurt)),
            )
        )
    claims.append(
        Claim(
            "Thresholds from prior knowledge considerably improve PKGAI across most instances "
            f"(here: on {instance}{', but for those two' if hurt else ''}).",
            far_below(ERROR, across([(q, z)], helped)),
            comment="On IsA1 they help PKGAI(Unif), and hurt the algorithms that follow the "
            "largest evidence at small budgets: β is then so small that good arms are dropped.",
        )
    )
    if instance != "NoA2":
        claims.append(
            Claim(
                "With prior knowledge the gap between APGAI and PKGAI, PKGAI(Unif) included, is "
                "not very large.",
                not_far(ERROR, on((q,), ["APGAI"], helped)),
                comment="On IsA1 and IsA2 PKGAI(UCB), and on IsA2 PKGAI(Unif), are far ahead at "
                "some budgets, if the ratio of the errors is what is looked at.",
            )
        )
    return BudgetCurves(
        label=f"fig:results_{instance}_compare_thresholds",
        title=f"PKGAI without and with prior knowledge on {instance}",
        runs=CURVE_RUNS,
        instance=instance,
        budgets=BUDGETS_OF[instance],
        panels=(Curves(z, BUDGET_ALGORITHMS), Curves(q, ("APGAI", *PKGAI_PRIOR))),
        claims=tuple(claims),
        notes=("Prior knowledge uses the true means: it exists in simulations only.",),
    )


TABLES = tuple(_table(instance) for instance in PAPER_LABELS)
CURVES = tuple(
    _curves(f"fig:results_{label}_appendix", instance, _claims(instance))
    for instance, label in PAPER_LABELS.items()
)
PAIRS = tuple(_pair(instance) for instance in ("RealL", "IsA1", "NoA1", "IsA2", "NoA2"))
