"""goodarm where evaluations already live: one file for each tool, none of which goodarm needs.

`inspect_ai` and `optuna` decide while the other tool runs; what they count is in `tally`.
`promptfoo` and `lm_eval` read what has been run, as `records` that a study can import; `formats`
is the table of those.
"""
