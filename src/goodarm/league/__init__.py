"""The league of anytime rules: who is never far from the best? See docs/research/anytime-rules.md.

`families.py` draws random instances, `suite.py` says what is compared and when, `play.py` plays,
`deeper.py` goes on where errors are too rare to be counted, `results.py` keeps what was found,
`scores.py` turns it into ratios, `pictures.py` draws them.
"""

from goodarm.league.play import RULES, play_league
from goodarm.league.rare_errors import go_deeper
from goodarm.league.results import League, load_league
from goodarm.league.scores import Standing, standings
from goodarm.league.suites import Entry, random_entries, suite

__all__ = [
    "RULES",
    "Entry",
    "League",
    "Standing",
    "go_deeper",
    "load_league",
    "play_league",
    "random_entries",
    "standings",
    "suite",
]
