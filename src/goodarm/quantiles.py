"""Quantiles of many levels at once, by scipy: for planning and leagues (the extra goodarm[lab]).

What a live study needs is in `numerics`.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Levels: TypeAlias = NDArray[np.float64]


def normal(levels: Levels) -> Levels:
    """Those of the standard normal distribution."""
    from scipy.special import ndtri

    return np.asarray(ndtri(levels))


def beta(first: float, second: float, levels: Levels) -> Levels:
    """Those of a Beta distribution."""
    from scipy.special import betaincinv

    return np.asarray(betaincinv(first, second, levels))


def gamma(shape: float, levels: Levels) -> Levels:
    """Those of a gamma distribution of scale 1."""
    from scipy.special import gammaincinv

    return np.asarray(gammaincinv(shape, levels))


def student(freedom: float, level: float) -> float:
    """That of Student's distribution with so many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, level))
