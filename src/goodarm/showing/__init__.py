"""What results look like: short texts for a terminal, tables and pictures in HTML for a person.

`markup` puts HTML together so that names stay text, `tables` makes tables of it, `forest` draws
arms with their limits against a bar, `chart` draws curves. A `snippet` is what a notebook shows of
something, a `page` is a file that needs nothing else. All of it is plain Python without scripts. It
knows nothing of studies, gates or simulations: those say themselves what is to be shown.
"""
