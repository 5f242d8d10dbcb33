"""The search for Scout: members of the UCB-G family on the training families of the league.

    python bench/league_search.py [--deep] [--device cuda] [--effort PULLS] [--out FILE]

First many members, then those worth a closer look (--deep). Writes the counts of errors:
docs/data/league_search.json and league_search_deep.json were made so, and
examples/league_figures.py draws the trade-off that they show. Works without the command line's
packages.
"""

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league import random_entries
from league import options, tell

KNOWN = ("APGAI", "HDoC", "TaS", "MS")


def members() -> list[str]:
    """Some members: what the bonus is, how large, whether shared, how far the leader is trusted."""
    found = ["UCB-G[bonus=time,weight=2,bad=apgai]", "UCB-G[bonus=both,bad=floor]"]
    base = "UCB-G[bonus=both,share=yes,bad=floor"
    found += [f"{base},{option}]" for option in ("trust=0.1", "trust=0.2", "trust=0.33")]
    base = "UCB-G[bonus=both,share=sure,bad=floor"
    found += [f"{base}]", f"{base},trust=0.1]"]
    found += [f"{base},patience={c}]" for c in (1, 2, 4, 8, 16)]
    found += [f"{base},weight=2,patience={c}]" for c in (2, 8)]
    found.append(f"{base},weight=0.5,patience=4]")
    for bonus, weight in (("time", 2), ("rounds", 1), ("moss", 2), ("pace", 1), ("pace", 2)):
        found.append(f"UCB-G[bonus={bonus},weight={weight},share=sure,bad=floor,patience=4]")
    found.append("UCB-G[bonus=pace,share=sure,bad=floor,patience=8]")
    found.append("UCB-G[bonus=pace,bad=floor,patience=4]")
    return found


def deep_members() -> list[str]:
    """From much trust in the leader to none, and from little exploration to much."""
    base = "UCB-G[bonus=both,share=sure,bad=floor"
    found = ["UCB-G[bonus=both,share=yes,bad=floor,trust=0.2]", f"{base}]", f"{base},trust=0.1]"]
    found += [f"{base},patience={c}]" for c in (1, 2, 4)]
    found += [f"{base},weight={w},patience=2]" for w in (0.5, 0.8, 2, 4)]
    base = "UCB-G[bonus=pace,share=sure,bad=floor"
    found += [f"{base},weight={w},patience=2]" for w in (1, 2)]
    return found


def main() -> None:
    parser = options(__doc__, "league_search.json")
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--of-each", type=int, default=10)
    words = parser.parse_args()
    chosen = deep_members() if words.deep else members()
    tell(random_entries(True, words.of_each), [*KNOWN, *chosen], 3e7, words)


if __name__ == "__main__":
    main()
