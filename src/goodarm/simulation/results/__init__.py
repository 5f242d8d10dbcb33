"""What simulations give: results of runs, results by time, and two of them compared."""
