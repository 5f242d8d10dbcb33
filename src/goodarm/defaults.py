"""What is used where nothing is named; imported by the command line, so it imports nothing."""

ALGORITHM = "Scout"  # of a live study or experiment
