"""Telling others of changes: open pages, programs that listen, other servers."""
