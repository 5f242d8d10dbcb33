"""Requests of programs and agents, whichever way they come: by the API or as tools.

`bodies` is what they may send, `reading` what it means, `acting` what it does to a study,
`importing` enters tables of past outcomes, `plans` keeps plans within what a server can bear,
`failures` says what went wrong. Nothing here knows how a request travels.
"""
