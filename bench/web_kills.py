"""Kill server processes with SIGKILL while clients tell: nothing acknowledged may be missing.

    python bench/web_kills.py [--kills 50] [--workers 3] [--servers 2] [--clients 6]

Several servers, each of several processes, on one PostgreSQL; with --only sqlite two servers of one
process on one file. Clients ask and tell, tell single outcomes and tell many at once, each with its
keys, and repeat what was not acknowledged, at whichever server answers. A worker is killed every
0.2 to 0.6 seconds, every tenth time a whole server. What was acknowledged is compared with the log.
"""

import argparse
import json
import os
import random
import signal
import threading
import time
from collections import Counter

from goodarm.study import Studies
from web_server import Client, Server, say, storages

ARMS = ["A", "B", "C"]
AT_ONCE = 25  # outcomes told together
STUDY = "/api/v1/studies/kills"


class Fleet:
    """Servers on one database; one that was killed is started anew elsewhere."""

    def __init__(self, storage: str, many: int, workers: int) -> None:
        self._storage = storage
        self._words = ["--workers", str(workers)] if workers > 1 else []
        self.servers = [Server(storage, *self._words) for _ in range(many)]
        self.restarts = 0

    def kill_one(self, chance: random.Random, whole: bool) -> None:
        server = chance.choice(self.servers)
        workers = server.workers()
        if workers and not whole:
            os.kill(chance.choice(workers), signal.SIGKILL)
            return
        self.servers.remove(server)
        server.process.kill()
        server.process.wait()
        self.servers.append(Server(self._storage, *self._words))
        self.restarts += 1

    def port(self, chance: random.Random) -> int:
        return chance.choice(self.servers).port

    def stop(self) -> None:
        for server in self.servers:
            server.stop()


class Teller:
    """Tells until it is over; what was acknowledged, by key."""

    def __init__(self, number: int, fleet: Fleet, over: threading.Event) -> None:
        self._number, self._fleet, self._over = number, fleet, over
        self._chance = random.Random(number)
        self._client: Client | None = None
        self.told: Counter[str] = Counter()
        self.repeated = 0
        self.trials: dict[int, int] = {}

    def work(self) -> None:
        n = 0
        while not self._over.is_set():
            key, n = f"{self._number}/{n}", n + 1
            if n % 3 == 0:
                trial = json.loads(self._send("ask", {"key": key}))[0]["number"]
                self._send("tell", {"trial": trial, "value": n % 2})
                self.trials[trial] = n % 2
            elif n % 3 == 1:
                self._send("tell", {"arm": "A", "value": n % 2, "key": key})
                self.told[key] = 1
            else:
                many = [{"arm": ARMS[i % 3], "value": i % 2} for i in range(AT_ONCE)]
                self._send("tell-many", {"outcomes": many, "brief": True, "key": key})
                self.told[key] = AT_ONCE

    def _send(self, what: str, body: dict[str, object]) -> bytes:
        end = time.monotonic() + 120.0
        while time.monotonic() < end:
            try:
                if self._client is None:
                    self._client = Client(self._fleet.port(self._chance))
                status, said = self._client.post(f"{STUDY}/{what}", body)
            except OSError:
                self._client, self.repeated = None, self.repeated + 1
                time.sleep(0.02)
                continue
            if status == 200:
                return said
            if status != 503:
                raise SystemExit(f"{what} {body}: {status} {said!r}")
        raise SystemExit("no server has answered for two minutes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--only", choices=["sqlite", "postgresql"], default="postgresql")
    options = parser.parse_args()
    workers = 1 if options.only == "sqlite" else options.workers
    with storages(options.only) as found:
        storage = found[options.only]
        study = Studies(storage, create=True).create(
            "kills", ARMS, 0.5, "bernoulli", delta=None, seed=1
        )
        fleet, over, began = (
            Fleet(storage, options.servers, workers),
            threading.Event(),
            time.time(),
        )
        tellers = [Teller(number, fleet, over) for number in range(options.clients)]
        threads = [threading.Thread(target=teller.work) for teller in tellers]
        for thread in threads:
            thread.start()
        chance = random.Random(1)
        for number in range(options.kills):
            time.sleep(chance.uniform(0.2, 0.6))
            fleet.kill_one(chance, whole=number % 10 == 9)
        over.set()
        for thread in threads:
            thread.join()
        fleet.stop()
        counts = Counter(
            "/".join(event.key.split("/")[1:3])
            for event in study.events()
            if event.kind == "told" and event.key is not None and not event.key.startswith("trial/")
        )
        values = {trial.number: trial.value for trial in study.trials}
        acknowledged = sum((teller.told for teller in tellers), Counter[str]())
        trials = {n: value for teller in tellers for n, value in teller.trials.items()}
        wrong = [key for key, many in acknowledged.items() if counts[key] != many]
        lost = [n for n, value in trials.items() if values[n] != value]
        sound = study.verify().ok
        say(
            f"kills, {options.only}",
            kills=options.kills,
            servers_begun_anew=fleet.restarts,
            requests_repeated=sum(teller.repeated for teller in tellers),
            outcomes_acknowledged=acknowledged.total() + len(trials),
            outcomes_in_the_log=study.status().trials,
            acknowledged_but_not_just_once=len(wrong) + len(lost),
            never_acknowledged=sum(counts.values()) - acknowledged.total(),
            events=study.seq,
            sound=sound,
            seconds=round(time.time() - began, 1),
        )
        if wrong or lost or not sound:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
