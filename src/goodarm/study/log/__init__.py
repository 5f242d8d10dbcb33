"""The log of a study: events, what they amount to, and reading, writing and auditing them.

`events` is one event and its hash, `kinds` what each kind does, `columns` the log as a table.
`fold` is the state that events amount to (`asked_order`: which outcomes count; `evidence_trail`:
how the evidence grew), `checkpoint` keeps it. `ledger` appends events in the database, `importing`
and `export` read and write files, `verify` audits.
"""
