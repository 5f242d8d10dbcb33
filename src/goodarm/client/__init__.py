"""Studies on a server elsewhere, used as if they were here."""

from goodarm.client.studies import Client, RemoteStudy

__all__ = ["Client", "RemoteStudy"]
