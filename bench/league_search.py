"""The search for Scout: members of the UCB-G family on the training families of the league.

    python bench/league_search.py [--device cuda] [--out FILE]

Writes the counts of errors (docs/data/league_search.json was made so); examples/league_figures.py
draws the trade-off that they show. Works without the command line's packages.
"""

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league import random_entries
from league import options, tell

KNOWN = ("APGAI", "HDoC", "TaS", "MS")


def members() -> list[str]:
    """Some members: what the bonus is, how large, whether shared, how far the leader is trusted."""
    found = ["Scout", "UCB-G[bonus=time,weight=2,bad=apgai]"]
    for bonus, weight in (("time", 2), ("rounds", 1), ("moss", 2), ("both", 1)):
        base = f"bonus={bonus},weight={weight},bad=floor"
        found += [f"UCB-G[{base}]", f"UCB-G[{base},share=sure,patience=2]"]
    for share in ("yes", "sure"):
        for weight in (1, 2):
            base = f"bonus=both,weight={weight},share={share},bad=floor"
            found.append(f"UCB-G[{base}]")
            found += [f"UCB-G[{base},trust={q}]" for q in (0.1, 0.33)]
            found += [f"UCB-G[{base},patience={c}]" for c in (0.5, 1, 2, 4, 8, 16)]
    found += [f"UCB-G[bonus=both,weight=0.5,share=sure,bad=floor,patience={c}]" for c in (1, 4)]
    return found


def main() -> None:
    parser = options(__doc__, "league_search.json")
    parser.add_argument("--of-each", type=int, default=10)
    words = parser.parse_args()
    tell(random_entries(True, words.of_each), [*KNOWN, *members()], 3e7, words)


if __name__ == "__main__":
    main()
