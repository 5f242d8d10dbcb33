"""The league of anytime algorithms: who is never far from the best?

`families.py` draws random instances, `suites.py` says what is compared and when, `play.py` plays,
`rare_errors.py` goes on where errors are too rare to be counted, `results.py` keeps the errors,
`scores.py` turns them into ratios, `pictures.py` draws them. See docs/research/anytime-rules.md.
"""

from goodarm.league.play import LEAGUE_ALGORITHMS, play_league
from goodarm.league.rare_errors import estimate_rare_errors
from goodarm.league.results import League, load_league
from goodarm.league.scores import Standing, standings
from goodarm.league.suites import LeagueEntry, random_entries, suite

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
