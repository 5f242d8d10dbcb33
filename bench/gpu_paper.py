"""The whole paper on a GPU: how long does it take, compilation included?

    python bench/gpu_paper.py [--quick]

Works without the command line's packages; writes its report to a temporary folder.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, old):  # numba-cuda 0.30 asks for names that numpy 2.5 no longer has
        setattr(np, old, getattr(np, new))
sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from goodarm.paper import Settings, choose_items, reproduce  # noqa: E402
from goodarm.simulation.store import ChunkStore  # noqa: E402


def main() -> None:
    full = "--quick" not in sys.argv
    for which in ("kernels not compiled", "kernels compiled"):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            settings = Settings(full=full, workers=1, where="one GPU", device="cuda")
            store = ChunkStore(Path(folder) / "chunks", fresh=True)
            report = reproduce(choose_items([]), Path(folder) / "report", settings, store)
            seconds = time.perf_counter() - began
            print(f"{which}: {seconds:.1f} s, {report.pulls:.3e} pulls, "
                  f"{report.computing:.1f} s on it, added over streams", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
