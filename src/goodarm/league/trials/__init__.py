"""The league of trials: who needs the fewest pulls until it stops with a certificate?

Fixed confidence, as in a study: the boundary "mixture" and the arms' own outcome model.
`suites.py` says what is compared, from `families.py` and `later.py`; `play.py` plays, `results.py`
keeps what came out, `scores.py` turns it into ratios, `pictures.py` draws them, `records.py` has
what others published. See docs/research/trials.md.
"""
