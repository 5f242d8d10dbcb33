"""Kinds of items of the paper: tables and figures, and the simulations that they ask for."""
