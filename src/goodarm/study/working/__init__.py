"""Workers on a study: its trials are made by a function, a command or other people's executors.

`desk` is where a worker gets its trials and hands in what came out, `objectives` runs a function,
`commands` a command. How trials are kept running is written once, in `goodarm.gating.loop`.
"""
