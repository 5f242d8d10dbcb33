"""Imported first by what runs on a machine where goodarm is not installed, and numpy is newer.

GOODARM_SOURCE names another source folder than this repository's, to compare with an older state.
"""

import os
import sys
from pathlib import Path

import numpy as np

for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, old):  # numba-cuda 0.30 asks for names that numpy 2.5 no longer has
        setattr(np, old, getattr(np, new))
SOURCE = Path(os.environ.get("GOODARM_SOURCE") or Path(__file__).parent.parent / "src").resolve()
sys.path.insert(0, str(SOURCE))
