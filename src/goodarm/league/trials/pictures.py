"""Pictures of the league of trials: a heat map of algorithms and families."""

from typing import TYPE_CHECKING

from goodarm.league.heat_map import draw_heat_map
from goodarm.league.trials.results import TrialsLeague
from goodarm.league.trials.scores import trials_standings, worst_by_family

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARKEST_TRIALS = 30.0  # ratios beyond are as dark


def trials_heat_map(league: TrialsLeague) -> "Figure":
    """Every algorithm's worst ratio to the best one, family by family."""
    families, worst = worst_by_family(league)
    names = [standing.algorithm for standing in trials_standings(league)]
    order = [league.algorithms.index(name) for name in names]
    title = "worst mean pulls over the best algorithm's"
    return draw_heat_map(families, names, worst[order], title, DARKEST_TRIALS, decimals=2)
