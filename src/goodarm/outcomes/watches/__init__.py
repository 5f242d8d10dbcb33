"""What looks out for signs that outcomes are not what their model says: one file per watch."""
