"""Find an option that clears the bar, or learn that none does, with few noisy trials.

Public names are listed in ``__init__.pyi`` and loaded on first use, so ``import goodarm`` is
instant.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
