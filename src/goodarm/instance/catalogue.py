"""Every instance of the paper by name (Appendix "Benchmark Instances", Table of means)."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np

from goodarm.errors import UnknownNameError, unknown_name
from goodarm.instance.instance import Instance

# The published means of IsA1 and NoA1 are rounded; the paper's numbers come from these.
ISA1 = tuple(float(m) for m in np.linspace(0.5, -0.5, 10))
NOA1 = tuple(float(m) for m in np.linspace(-0.5, -1.0, 5))
REALL_SCORES = (
    0.800, 0.791, 0.676, 0.545, 0.538, 0.506, 0.360, 0.329, 0.306,
    0.274, 0.241, 0.203, 0.112, 0.084, 0.081, 0.007, -0.018, -0.120,
)  # fmt: skip

GAUSSIAN: dict[str, tuple[float, float, tuple[float, ...], str]] = {
    # name: threshold, sigma, means, what it shows
    "Thr1": (0.5, 1.0, (0.9, 0.9, 0.9, 0.65, 0.55, 0.45, 0.35, 0.1, 0.1, 0.1), "three groups"),
    "Thr2": (0.35, 1.0, (0.6, 0.5, 0.4, 0.3, 0.2, 0.1), "arithmetic progression"),
    "Thr3": (0.5, 1.0, (0.55,) * 3 + (0.45,) * 7, "all close to the threshold"),
    "Med1": (0.5, 1.0, (0.537, 0.469, 0.465, 0.36, 0.34), "dose finding, secukinumab"),
    "Med2": (1.2, 1.2, (1.8, 1.6, 1.1, 1.0, 0.7, 0.6, 0.5), "dose finding, GSK654321"),
    "IsA1": (0.0, 1.0, ISA1, "evenly spaced, half of them good"),
    "NoA1": (0.0, 1.0, NOA1, "evenly spaced, no good arm"),
    "IsA2": (0.0, 1.0, (1.0, 0.5, 0.1, -0.1, -0.4, -0.5, -0.6), "unequal gaps, three good"),
    "NoA2": (0.0, 1.0, (-0.1, -0.4, -0.5, -0.6), "unequal gaps, no good arm"),
    "RealL-gaussian": (0.5, 1.0, REALL_SCORES, "stem-cell scores as Gaussian arms"),
}

FAMILY_TEXTS = {
    "TwoG": "K arms, g at 0.5 and the rest at −0.5",
    "LinG": "K arms, g evenly spaced up to 0.5 and the rest at −0.5",
}


def two_groups(K: int, good: int) -> Instance:
    """TwoG(K, g): g arms of mean 0.5, K − g of mean −0.5, threshold 0."""
    means = [0.5] * good + [-0.5] * (K - good)
    return Instance(0.0, means, name=f"TwoG({K}, {good})")


def linear_good(K: int, good: int) -> Instance:
    """LinG(K, g): g good arms of means 0.5·i/g, the largest first, K − g of mean −0.5."""
    means = [0.5 * i / good for i in range(good, 0, -1)] + [-0.5] * (K - good)
    return Instance(0.0, means, name=f"LinG({K}, {good})")


_FAMILY_MAKERS: dict[str, Callable[[int, int], Instance]] = {
    "twog": two_groups,
    "ling": linear_good,
}
_FAMILY_PATTERN = re.compile(r"(twog|ling)\s*(?:\((.*)\)|:(.*))", re.IGNORECASE)


@cache
def _fixed(name: str) -> Instance:
    if name == "RealL":
        # Bernoulli arms cannot have the two negative scores: the paper clips them at 0.
        clipped = [max(score, 0.0) for score in REALL_SCORES]
        return Instance(0.5, clipped, kind="bernoulli", name="RealL")
    threshold, sigma, means, _ = GAUSSIAN[name]
    return Instance(threshold, means, sigma=sigma, name=name)


def _family(match: re.Match[str], text: str) -> Instance:
    family = match.group(1)
    parts = re.split(r"[,:]", match.group(2) or match.group(3) or "")
    try:
        size, good = (int(part) for part in parts)
    except ValueError:
        raise UnknownNameError(
            f"instance {text!r}: give the numbers of arms and of good arms, as in TwoG:100:30"
        ) from None
    if not 1 <= size <= 1_000_000:
        raise UnknownNameError(f"instance {text!r}: {size} arms; give 1 to 1,000,000")
    if not 0 <= good <= size:
        raise UnknownNameError(f"instance {text!r}: {good} good arms of {size}; give 0 to {size}")
    return _FAMILY_MAKERS[family.lower()](size, good)


class Catalogue(Mapping[str, Instance]):
    """The paper's instances by name; families take numbers: ``instances["TwoG(100, 30)"]``.

    >>> instances["thr2"].K
    6
    >>> instances["TwoG:100:30"].name
    'TwoG(100, 30)'
    """

    names = (*[n for n in GAUSSIAN if n != "RealL-gaussian"], "RealL", "RealL-gaussian")

    def __getitem__(self, name: str) -> Instance:
        match = _FAMILY_PATTERN.fullmatch(name.strip())
        if match:
            return _family(match, name)
        for fixed in self.names:
            if fixed.lower() == name.strip().lower():
                return _fixed(fixed)
        raise unknown_name("instance", name, (*self.names, *FAMILY_TEXTS))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def describe(self, name: str) -> str:
        """What the instance is for, in a few words."""
        if name == "RealL":
            return "stem-cell protocols, Bernoulli"
        return FAMILY_TEXTS[name] if name in FAMILY_TEXTS else GAUSSIAN[name][3]


instances = Catalogue()
