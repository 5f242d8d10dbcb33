"""The search for Scout: members of the UCB-G family on the training families of the league.

    python bench/league_search.py [--round wide|deep|coins|rare] [--device cuda] [--effort PULLS]
                                  [--deep ROUNDS] [--out FILE]

First many members, then those worth a closer look, then what zeros and ones called for (on the
family bernoulli alone), then how much to explore once errors down to 1e-6 are seen (with
--deep 1). Writes what was found: docs/data/league_search_wide.json and so on were made so, and
examples/league_figures.py draws the trade-off that they show. Works without the command line's
packages.
"""

from pathlib import Path

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league import random_entries
from goodarm.league.errors.suites import OF_EACH_FAMILY
from league import make_parser, play

KNOWN = ("APGAI", "HDoC", "TaS", "MS")


def wide_members() -> list[str]:
    """Some members: what the bonus is, how large, whether shared, how far the leader is trusted."""
    members = ["UCB-G[bonus=time,weight=2,bad=apgai]", "UCB-G[bonus=both,bad=floor]"]
    base = "UCB-G[bonus=both,share=yes,bad=floor"
    members += [f"{base},{option}]" for option in ("trust=0.1", "trust=0.2", "trust=0.33")]
    base = "UCB-G[bonus=both,share=sure,bad=floor"
    members += [f"{base}]", f"{base},trust=0.1]"]
    members += [f"{base},patience={c}]" for c in (1, 2, 4, 8, 16)]
    members += [f"{base},weight=2,patience={c}]" for c in (2, 8)]
    members.append(f"{base},weight=0.5,patience=4]")
    for bonus, weight in (("time", 2), ("rounds", 1), ("moss", 2), ("pace", 1), ("pace", 2)):
        members.append(f"UCB-G[bonus={bonus},weight={weight},share=sure,bad=floor,patience=4]")
    members.append("UCB-G[bonus=pace,share=sure,bad=floor,patience=8]")
    members.append("UCB-G[bonus=pace,bad=floor,patience=4]")
    return members


def deep_members() -> list[str]:
    """From much trust in the leader to none, and from little exploration to much."""
    base = "UCB-G[bonus=both,share=sure,bad=floor"
    members = ["UCB-G[bonus=both,share=yes,bad=floor,trust=0.2]", f"{base}]", f"{base},trust=0.1]"]
    members += [f"{base},patience={c}]" for c in (1, 2, 4)]
    members += [f"{base},weight={w},patience=2]" for w in (0.5, 0.8, 2, 4)]
    base = "UCB-G[bonus=pace,share=sure,bad=floor"
    members += [f"{base},weight={w},patience=2]" for w in (1, 2)]
    return members


def coins_members() -> list[str]:
    """Against leaving a leader for arms with a single success."""
    base = "UCB-G[bonus=both,share=sure,bad=floor,patience=2"
    members = [f"{base}]", *(f"{base},prior={n}]" for n in (0.5, 1, 2))]
    return [*members, f"{base},trust=0.1]"]


def rare_members() -> list[str]:
    """How much to explore, once errors down to 1e-6 are seen."""
    rest = "share=sure,bad=floor,prior=1,patience=2]"
    weights = {
        "both": (0.5, 1, 2, 4, 8),
        "time": (0.25, 0.5, 1, 2),
        "moss": (1, 2, 4, 8),
        "eager": (0.25, 0.5, 1, 2),
    }
    members = [
        f"UCB-G[bonus={bonus},weight={weight},{rest}"
        for bonus in weights
        for weight in weights[bonus]
    ]
    return [*members, "UCB-G[bonus=moss,weight=2]", "APGAI-FE", "Unif"]


ROUNDS = {  # members, effort, instances of each family
    "wide": (wide_members, 6e7, 10),
    "deep": (deep_members, 2e8, 10),
    "coins": (coins_members, 6e6, OF_EACH_FAMILY),
    "rare": (rare_members, 2e7, 8),
}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--round", choices=list(ROUNDS), default="wide")
    given = parser.parse_args()
    given.out = given.out or Path(f"league_search_{given.round}.json")
    make_members, effort, of_each = ROUNDS[given.round]
    entries = [
        entry
        for entry in random_entries(True, of_each)
        if given.round == "rare" or (entry.family == "bernoulli") == (given.round == "coins")
    ]
    play(entries, [*KNOWN, *make_members()], effort, given)


if __name__ == "__main__":
    main()
