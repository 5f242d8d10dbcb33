"""Running the application: sockets, processes, limits, and what is said of all that."""
