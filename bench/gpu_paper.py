"""The whole paper on a GPU: how long does it take, compilation included?

    python bench/gpu_paper.py [--quick]

Works without the command line's packages; writes its report to a temporary folder.
"""

import sys
import tempfile
import time
from pathlib import Path

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.paper import PaperSettings, choose_items, reproduce
from goodarm.paper.report.drawing import BESIDE_A_GPU
from goodarm.simulation.store import ChunkStore


def main() -> None:
    full = "--quick" not in sys.argv
    for which in ("kernels not compiled", "kernels compiled"):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            settings = PaperSettings(
                full, workers=1, where="one GPU", device="cuda", drawing_processes=BESIDE_A_GPU
            )
            store = ChunkStore(Path(folder) / "chunks", fresh=True)
            report = reproduce(choose_items([]), Path(folder) / "report", settings, store)
            seconds = time.perf_counter() - began
            print(
                f"{which}: {seconds:.1f} s, {report.pulls:.3e} pulls, "
                f"{report.computing:.1f} s on it, added over streams",
                flush=True,
            )


if __name__ == "__main__":
    main()
