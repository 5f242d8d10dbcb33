"""What is used where nothing is named; imported by the command line, so it imports nothing."""

ALGORITHM = "Prospector"  # of a live study or experiment
STORAGE = "sqlite:///studies.db"  # of live studies: a file in the present folder
