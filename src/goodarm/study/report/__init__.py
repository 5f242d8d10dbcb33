"""What a study says: its answer, its cautions, its forecast, and all that as text."""
