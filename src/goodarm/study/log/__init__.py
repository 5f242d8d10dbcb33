"""The log of a study: events, what they amount to, and reading, writing and auditing them."""
