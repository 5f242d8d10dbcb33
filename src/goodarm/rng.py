"""Counter-based random streams: every draw is a pure function of where it is used.

Philox4x32-10 (Salmon et al., 2011) turns a 64-bit key and a 128-bit counter into 128 random
bits. The key is the seed; the counter says what the bits are for:

* rewards: run, arm and the block that holds the n-th reward (two rewards per block);
* decisions (ties, randomised algorithms): run, step and slot.

So a draw does not depend on threads, chunks, devices or on what was drawn before. Written with
masked integers: plain Python, compiled CPU code and CUDA give the same bits.
"""

MASK32 = 0xFFFFFFFF
DECISIONS = 0x80000000  # set in the arm's counter word: no arm has so large a number
MAX_STEPS = 0xFFFFFFFF  # a step must fit one counter word
MAX_SEED = 0xFFFFFFFFFFFFFFFF


def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Philox4x32-10 of one counter and key, each word in 0..2³²−1 (Random123's definition)."""
    for _ in range(10):
        low_product = 0xD2511F53 * c0
        high_product = 0xCD9E8D57 * c2
        c0 = ((high_product >> 32) & MASK32) ^ c1 ^ k0
        c2 = ((low_product >> 32) & MASK32) ^ c3 ^ k1
        c1 = high_product & MASK32
        c3 = low_product & MASK32
        k0 = (k0 + 0x9E3779B9) & MASK32
        k1 = (k1 + 0xBB67AE85) & MASK32
    return c0, c1, c2, c3


def uniform(high: int, low: int) -> float:
    """A uniform number in (0, 1), never 0 or 1, from 52 of the 64 bits of two words."""
    return ((high << 20) + (low >> 12) + 0.5) * 2.220446049250313e-16


def decision_uniform(seed0: int, seed1: int, run0: int, run1: int, step: int, slot: int) -> float:
    """The slot-th uniform number that a decision after `step` observations may use."""
    w0, w1, w2, w3 = philox(step, DECISIONS + (slot >> 1), run0, run1, seed0, seed1)
    if slot & 1:
        return uniform(w2, w3)
    return uniform(w0, w1)


def split(number: int) -> tuple[int, int]:
    """The low and the high 32-bit word of a non-negative integer below 2⁶⁴."""
    return number & MASK32, (number >> 32) & MASK32
