"""A max-tree over one number per arm, in an algorithm's memory, to find the largest in log K steps.

It lies in the first 2K numbers of `run.floats`: leaf K + a belongs to arm a, and node i holds the
larger of nodes 2i and 2i + 1, as in `run.tree`.
"""

from goodarm.run import Run, decision


def tree_memory(K: int) -> int:
    """How many floats the tree takes."""
    return 2 * K


def leaf(run: Run, arm: int) -> float:
    """The arm's number."""
    return run.floats[len(run.counts) + arm]


def set_leaf(run: Run, arm: int, value: float) -> None:
    """Replace the arm's number, and repair the path to the root."""
    tree = run.floats
    node = len(run.counts) + arm
    tree[node] = value
    while node > 1:
        sibling = tree[node ^ 1]
        value = value if value > sibling else sibling
        node >>= 1
        tree[node] = value


def largest_leaf(run: Run, t: int) -> int:
    """The arm of the largest number; among equal ones, chance decides at every fork.

    So any of them may win, but not all with the same chance.
    """
    K = len(run.counts)
    tree = run.floats
    node = 1
    chance = -1.0
    while node < K:
        left = tree[2 * node]
        right = tree[2 * node + 1]
        if left == right:
            chance = decision(run, t, 0) if chance < 0.0 else chance
            chance = 2.0 * chance  # its next binary digit
            node = 2 * node + (chance >= 1.0)
            chance = chance - 1.0 if chance >= 1.0 else chance
        else:
            node = 2 * node + (right > left)
    return node - K
