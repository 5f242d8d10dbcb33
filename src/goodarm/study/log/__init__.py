"""The log of a study: events, what they amount to, and reading, writing and auditing them.

`events` is one event and its hash, `kinds` what each kind does, `columns` the log as a table.
`fold` is the state that events amount to (`goodarm.asked_order`: which count; `evidence_trail`:
how the evidence grew), `checkpoint` keeps it. `ledger` holds a study in its database, `writing`
adds events to it, `standing` keeps what stands of a long log in little room. `tables`, `importing`
and `export` read and write files, `verify` audits.
"""
