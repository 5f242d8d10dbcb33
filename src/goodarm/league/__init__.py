"""Two leagues of algorithms on many instances: who is never far from the best?

`errors/`: how often the anytime answer is wrong, time by time. `trials/`: how many pulls until an
algorithm stops with a certificate. `families.py` draws random instances for both, `players.py`
says who may play, `heat_map.py` draws algorithms against instances.
"""

from goodarm.league.errors.play import LEAGUE_ALGORITHMS, play_league
from goodarm.league.errors.rare import estimate_rare_errors
from goodarm.league.errors.results import League, load_league
from goodarm.league.errors.scores import Standing, standings
from goodarm.league.errors.suites import LeagueEntry, random_entries, suite

__all__ = [
    "LEAGUE_ALGORITHMS",
    "League",
    "LeagueEntry",
    "Standing",
    "estimate_rare_errors",
    "load_league",
    "play_league",
    "random_entries",
    "standings",
    "suite",
]
