"""The search for Scout: members of the UCB-G family on the training families of the league.

    python bench/league_search.py [--device cuda] [--out FILE]

Writes the counts of errors (docs/data/league_search.json was made so); examples/league_figures.py
draws the trade-off that they show. Works without the command line's packages.
"""

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.league import random_entries
from league import options, tell

KNOWN = ("APGAI", "HDoC", "TaS")


def members() -> list[str]:
    """Some members: what the bonus is, how large, whether shared, how far the leader is trusted."""
    found = ["UCB-G[bonus=time,weight=2,bad=apgai]"]
    plain = [("time", 2), ("rounds", 1), ("moss", 2), ("both", 2)]
    found += [f"UCB-G[bonus={b},weight={w},bad=floor]" for b, w in plain]
    shared = [("time", 2), ("rounds", 2), ("both", 1), ("both", 2)]
    found += [f"UCB-G[bonus={b},weight={w},share=yes,bad=floor]" for b, w in shared]
    led = [("time", 2, 2), ("time", 4, 3), ("both", 2, 2), ("both", 2, 3)]
    found += [f"UCB-G[bonus={b},weight={w},share=yes,bad=floor,lead={n}]" for b, w, n in led]
    trusted = [("both", w, q) for w in (1, 2) for q in (0.1, 0.2, 0.33, 0.5)]
    trusted += [("both", 1.5, 0.2), ("time", 1, 0.2), ("time", 2, 0.2)]
    found += [f"UCB-G[bonus={b},weight={w},share=yes,bad=floor,trust={q}]" for b, w, q in trusted]
    return found


def main() -> None:
    parser = options(__doc__, "league_search.json")
    parser.add_argument("--of-each", type=int, default=10)
    words = parser.parse_args()
    tell(random_entries(True, words.of_each), [*KNOWN, *members()], 3e7, words)


if __name__ == "__main__":
    main()
