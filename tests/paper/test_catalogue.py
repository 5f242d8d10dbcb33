"""Every experimental table and figure of the paper has its item, and every item can be run."""

import pytest

from goodarm import InputError, instances
from goodarm.paper import ITEMS, choose_items
from goodarm.paper.data import costs, published
from goodarm.paper.judging.claims import Claim

LABELS = [
    "tab:summary_lb_GAI",
    "tab:summary_anytimeGAI",
    "tab:summary_unverif_GAI",
    "tab:summary_FCGAI",
    "fig:results_PREMSTEM_graphics",
    "fig:PoE_no_good_arms",
    "fig:varying_good_answers",
    "tab:instances_constants",
    "tab:instances_arms",
    "tab:instances_constants_value",
    "fig:supp_PoE_doublingSH_withrefresh",
    "tab:stickyTaS_ordering",
    "tab:results_PREMSTEM_appendix",
    "tab:results_IsA1_appendix",
    "tab:results_IsA2_appendix",
    "tab:results_NoA1_appendix",
    "tab:results_NoA2_appendix",
    "fig:results_PREMSTEM_appendix",
    "fig:results_IsA1_appendix",
    "fig:results_IsA2_appendix",
    "fig:results_NoA1_appendix",
    "fig:results_NoA2_appendix",
    "fig:results_RealL_compare_thresholds",
    "fig:results_IsA1_compare_thresholds",
    "fig:results_NoA1_compare_thresholds",
    "fig:results_IsA2_compare_thresholds",
    "fig:results_NoA2_compare_thresholds",
    "fig:supp_PoE_no_good_arms",
    "fig:supp_PoE_varying_good_answers",
    "fig:supp_PoE_similar_good_arms",
    "fig:supp_PoE_dissimilar_good_arms",
    "fig:supp_no_good_arms",
    "fig:supp_varying_good_answers",
    "fig:supp_similar_good_arms",
    "fig:supp_dissimilar_good_arms",
    "fig:supp_varying_delta",
    "tab:APGAI_forced_exploration",
]


def test_every_label_of_the_paper_has_an_item() -> None:
    ours = [item.label for item in ITEMS]
    assert set(LABELS) <= set(ours)
    assert len(set(ours)) == len(ours)
    assert set(ours) - set(LABELS) == {"app:sssec_FC_algos"}  # what the text says without showing


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.label)
@pytest.mark.parametrize("full", [False, True])
def test_every_simulation_is_possible(item, full: bool) -> None:
    for simulation in item.simulations(full):
        assert simulation.job(0).instance.name == simulation.instance
        assert simulation.runs in (item.runs.of(full), 4 * item.runs.of(full))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.label)
def test_full_makes_the_papers_number_of_runs_or_more(item) -> None:
    if item.simulations(True):
        least = 10_000 if "PoE" in item.label else 1000
        assert item.runs.full >= least
        assert item.runs.quick <= item.runs.full


def test_every_published_number_is_compared() -> None:
    stopping = {
        (simulation.instance, simulation.algorithm)
        for item in ITEMS
        if item.label in ("tab:stickyTaS_ordering", "tab:APGAI_forced_exploration")
        for simulation in item.simulations(False)
    }
    numbers = published()["stopping_time"]
    for algorithm in ("APGAI", "APGAI-FE", "S-TaS", "S-TaS[order=desc]"):
        assert {(instance, algorithm) for instance in numbers[algorithm]} <= stopping
    errors = published()["fixed_budget_error"]
    for name in errors["budget"]:
        (item,) = [i for i in ITEMS if getattr(i, "instance", "") == name and "tab:" in i.label]
        assert set(errors[name]) <= set(item.algorithms)
    assert set(published()["means"]) == set(published()["instances"]) <= set(instances)


def test_figures_and_simulated_tables_have_claims() -> None:
    for item in ITEMS:
        if item.label.startswith("fig:"):
            assert item.claims, item.label
            assert any(isinstance(claim, Claim) for claim in item.claims)


def test_costs_are_known_for_every_item() -> None:
    assert set(costs()) == {item.label for item in ITEMS}
    for item in ITEMS:
        assert all(
            (cost > 0) == bool(item.simulations(False)) for cost in costs()[item.label].values()
        )


def test_choosing_items() -> None:
    assert choose_items([]) == list(ITEMS)
    (item,) = choose_items(["stickytas_ordering"])
    assert item.label == "tab:stickyTaS_ordering"
    tables = choose_items(["tab:results_*"])
    assert len(tables) == 5
    assert choose_items(["tab:results_*", "tab:results_NoA1_appendix"]) == tables
    with pytest.raises(InputError, match="did you mean 'tab:stickyTaS_ordering'"):
        choose_items(["tab:stickyTaS_orderin"])
