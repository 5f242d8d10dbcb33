"""What pages show, and how."""
