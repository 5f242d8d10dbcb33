"""What is being tried: K arms with their means, scales and kinds, and the threshold.

`instance.py` is the Instance itself, `catalogue.py` the paper's instances by name (which users
reach as ``goodarm.instances``), `files.py` reads one's own from JSON or CSV, `data.py` reads
recorded outcomes and says which model they can be from.
"""

from goodarm.instance.catalogue import Catalogue, instances
from goodarm.instance.data import suggest_outcome
from goodarm.instance.files import load_instance
from goodarm.instance.instance import Arm, Instance

__all__ = ["Arm", "Catalogue", "Instance", "instances", "load_instance", "suggest_outcome"]
