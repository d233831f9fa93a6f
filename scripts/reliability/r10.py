"""R10: fifty members of staff at work, then five times as many: how soon answered, and what is shed."""

import http.client
import json
import random
import sys
import threading
import time
import uuid
from collections import Counter

from . import places
from .places import GONE, Place, call
from .watch import Watch

USERS = 50
CROWD = 5
SECONDS = {False: 15, True: 600}
RUSH = {False: 6, True: 60}
THINKS = 1.0
"""Seconds between two calls of a user, in the mean."""
READ_WITHIN, WRITTEN_WITHIN = 0.3, 0.5
GROWTH = 0.10
OVER_WITHIN = 10.0
SHED = {429, 503}
CLIENTS = 200
PASSWORD = "quiet river 9"
READS = (
    ("/api/v1/admin/clients?page=1&limit=50", 5),
    ("/api/v1/clients?query=Client%201&page=1&limit=20", 2),
    ("/api/v1/admin/clients/client/{client}/profile", 5),
    ("/api/v1/admin/clients/client/{client}/portfolio", 3),
    ("/api/v1/admin/clients/client/{client}/holdings", 3),
    ("/api/v1/admin/clients/client/{client}/accounting", 3),
    ("/api/v1/admin/clients/client/{client}/xirr", 1),
    ("/api/v1/admin/clients/client/{client}/fees", 2),
    ("/api/v1/admin/advice/clients/{client}", 2),
    ("/api/v1/admin/remarks/client/{client}", 2),
    ("/api/v1/admin/dashboard/stats", 3),
    ("/api/v1/admin/dashboard/stocks-distribution", 1),
    ("/api/v1/instruments/search?query=INF", 2),
)
WRITES = 0.2
"""The share of calls that write."""


class Users:
    """Members of staff, each a thread with a connection of its own, until the end of a `with`."""

    def __init__(self, place, tokens, clients):
        self.place, self.clients = place, clients
        self.seen, self._lock = [], threading.Lock()
        """Whether a call wrote, when it ended, the seconds it took, its status; 0 for none."""
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(t,), daemon=True) for t in tokens]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join(30)

    def times(self, wrote, since=0.0):
        return [took for write, at, took, _ in self.seen if write == wrote and at >= since]

    def statuses(self):
        return Counter(status for *_, status in self.seen)

    def _work(self, token):
        chance, link = random.Random(), None
        self._over.wait(chance.uniform(0, THINKS))
        while not self._over.is_set():
            writes = chance.random() < WRITES
            began, is_fresh = time.monotonic(), link is None
            link = link or self._link()
            asked = self._asked(token, chance, writes)
            try:
                status = _answered(link, asked)
            except GONE:
                status, link = 0, link.close()
                if not is_fresh:
                    # Closed while its user thought: a browser also retries once.
                    continue
            ended = time.monotonic()
            with self._lock:
                self.seen.append((writes, ended, ended - began, status))
            self._over.wait(chance.expovariate(1 / THINKS))

    def _link(self):
        return http.client.HTTPConnection("127.0.0.1", self.place.port, timeout=30)

    def _asked(self, token, chance, writes):
        client, headers = chance.choice(self.clients), {"Authorization": f"Bearer {token}"}
        if not writes:
            path = chance.choices([one for one, _ in READS], [many for _, many in READS])[0]
            return "GET", path.format(client=client), None, headers
        headers["Content-Type"], headers["Idempotency-Key"] = "application/json", str(uuid.uuid4())
        path, body = _written(client, chance)
        return "POST", path.format(client=client), json.dumps(body), headers


def _answered(link, asked):
    link.request(*asked)
    answer = link.getresponse()
    answer.read()
    return answer.status


def _written(client, chance):
    if chance.random() < 0.6:
        return "/api/v1/admin/remarks", {"user": client, "remark": "Called; will call again."}
    body = {"date": "2026-01-05", "amount": chance.randint(1, 10_000), "type": "FUNDS_ADDED"}
    return "/api/v1/admin/clients/client/{client}/accounting/transaction", body


def main(long=False, kinds=None, seconds=None, rush=None):
    """The figures of R10."""
    rows = []
    for kind in kinds or places.kinds():
        rows += one(kind, seconds or SECONDS[long], rush or RUSH[long])
    return rows


def one(kind, seconds, rush):
    """The same on one database."""
    with Place(kind, rate_limit_scale="1") as place:
        clients = place.found(clients=CLIENTS)
        names = _add_staff(place, USERS * CROWD)
        place.start()
        tokens = [_token_of(place, name) for name in names]
        with Users(place, tokens[:USERS], clients) as warm:
            time.sleep(max(3, seconds / 5))
        before = place.memory()
        with Users(place, tokens[:USERS], clients) as usual:
            time.sleep(seconds)
        after = place.memory()
        with Watch(place) as alive, Users(place, tokens, clients) as crowd:
            time.sleep(rush)
        calm, over = _calm(place, tokens, clients)
        place.stop()
    read, written = (places.share_of(usual.times(wrote), 95) for wrote in (False, True))
    rows = [
        _statuses(f"R10 {kind}: {USERS} users", usual.statuses() + warm.statuses(), set()),
        (f"R10 {kind}: read", f"p95 {read * 1000:.0f} ms of {len(usual.times(False))}",
         f"{READ_WITHIN * 1000:.0f} ms", read <= READ_WITHIN),
        (f"R10 {kind}: written", f"p95 {written * 1000:.0f} ms of {len(usual.times(True))}",
         f"{WRITTEN_WITHIN * 1000:.0f} ms", written <= WRITTEN_WITHIN),
        (f"R10 {kind}: memory", f"{before / 1e6:.0f} to {after / 1e6:.0f} MB",
         f"under {GROWTH:.0%}", after <= before * (1 + GROWTH)),
        _statuses(f"R10 {kind}: {len(tokens)} users", crowd.statuses(), SHED),
        (f"R10 {kind}: over", f"calm again after {over:.1f} s ({calm})", f"{OVER_WITHIN:.0f} s",
         over <= OVER_WITHIN),
    ]  # fmt: skip
    dead = {status: count for status, count in alive.answers.items() if status != 200}
    return [*rows, (f"R10 {kind}: alive", str(dead or "always"), "always", not dead)]


def _statuses(name, found, allowed):
    wrong = {s: n for s, n in found.items() if s not in {200, 201} | allowed}
    shed = sum(n for s, n in found.items() if s in allowed)
    total = sum(found.values())
    told = f"{total} calls, {shed} shed, other answers {wrong or 'none'}"
    return (name, told, "0 answers 5xx, 429 and 503 of a crowd apart", not wrong)


def _calm(place, tokens, clients):
    """Seconds after the crowd until a whole second is as it was before it, and how that second was."""
    began = time.monotonic()
    with Users(place, tokens[:USERS], clients) as users:
        while time.monotonic() - began < 3 * OVER_WITHIN:
            since = time.monotonic()
            time.sleep(1)
            read = places.share_of(users.times(False, since), 95)
            late = [s for _, at, _, s in users.seen if at >= since and s not in {200, 201}]
            if read <= READ_WITHIN and not late:
                return f"read p95 {read * 1000:.0f} ms", since - began
    return f"read p95 {read * 1000:.0f} ms, other answers {Counter(late)}", float("inf")


def _add_staff(place, many):
    """USERs who can sign in; their addresses."""
    from tarazu.kit import clock
    from tarazu.kit.security import hash_password
    from tarazu.kit.audit_log import SYSTEM
    from tarazu.people import service as people
    from tarazu.people.service import Login, NewPerson
    from tarazu.people.tables import Role

    database, now, login = place.opened(), clock.now(), Login(Role.USER, hash_password(PASSWORD))
    names = [f"user{number}@desk.example" for number in range(many)]
    with database.transaction() as session:
        for name in names:
            people.add_staff(session, SYSTEM, now, NewPerson("Farhan Ali", name), login)
    database.dispose()
    return names


def _token_of(place, name):
    body = {"email": name, "password": PASSWORD}
    return call(place.port, "POST", "/api/v1/auth/login", body)[1]["accessToken"]


if __name__ == "__main__":
    print(*main("long" in sys.argv), sep="\n")
    print(f"load {places.load():.1f}")
