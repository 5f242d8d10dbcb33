"""The web page: run a study without writing code. Needs the extra goodarm[web].

`app.py` puts it together. `gate.py` stands before everything and refuses what it does not know;
`pages/` are the pages, `api/` the same actions as JSON; `site.py` is what they share. Nothing here
computes: studies do.
"""
