"""Studies as tools for agents, by the Model Context Protocol. Needs the extra goodarm[mcp].

`server` speaks the protocol and says what went wrong; `tools` is the table of what there is, in
`looking`, `changing` and `planning`; `workplace` is what they work on, `answers` how they answer.
What a tool takes and does is what the API takes and does: `goodarm.remote`.
"""
