"""The loops over runs, what they share, and how they are compiled; see `goodarm.simulation`."""
