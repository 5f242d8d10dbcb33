"""What people type, read and checked."""
