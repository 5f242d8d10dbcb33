"""What is used where nothing is named; imported by the command line, so it imports nothing."""

ALGORITHM = "Prospector"  # of a live study or experiment
STORAGE = "sqlite:///studies.db"  # of live studies: a file in the present folder
GATE_DELTA = 0.05  # how often the answer of a gate may be wrong
GATE_BUDGET = 1000  # trials of a gate at most: one at the bar would never end
GATE_OUTCOME = "bernoulli"  # of a gate: an exit code, or True and False
