"""The league of errors: whose anytime answer is never far from the best one's?

`suites.py` says what is compared and when, `play.py` plays, `rare.py` goes on where errors are too
rare to be counted, `results.py` keeps the errors, `scores.py` turns them into ratios, `pictures.py`
draws them. See docs/research/anytime-rules.md.
"""
