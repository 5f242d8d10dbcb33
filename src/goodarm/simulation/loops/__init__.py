"""The loops that play runs: on a CPU, on a GPU, with late outcomes, and replayed in Python."""
