"""What takes seconds, and is worked out beside the pages."""
