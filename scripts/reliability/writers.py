"""Writers that put marked records into a server, and send again what was not answered.

Each record carries a mark that is its own: in its text, its sum or its address. A write in doubt is
sent again with the same Idempotency-Key until the server says that it is kept.
"""

import datetime as dt
import random
import threading
import time
import uuid
from collections import Counter, defaultdict
from itertools import count

from .places import GONE, call

KINDS = ("remark", "transaction", "fee", "client", "advice")
MIX = {"remark": 40, "transaction": 30, "fee": 15, "client": 12, "advice": 3}
KEPT = 201
AGAIN = {401, 429, 503, 507}
"""Answers after which the same write is tried again: not now, or not signed in any more."""


class Writers:
    """Threads that write until they are stopped.

    Args:
        place: the installation.
        token: of an ADMIN.
        clients: whose records are written.
        many: how many write at once.
        mix: how often each kind is written.
        pause: seconds between two writes of a writer.
    """

    def __init__(self, place, token, clients, many=8, mix=None, pause=0.0):
        self.place, self.token, self.clients, self.pause = place, token, clients, pause
        self.mix = mix or MIX
        self.acknowledged = {kind: {} for kind in KINDS}
        """The id that the server gave to each mark."""
        self.twice = 0
        self.resent, self.answers = 0, Counter()
        self.timeline = []
        """When a call began, the seconds it took and its status; 0 where no answer came."""
        self.faults = []
        self._sent = defaultdict(set)
        self._numbers, self._lock, self._stop = count(1), threading.Lock(), threading.Event()
        self._threads = [threading.Thread(target=self._write, daemon=True) for _ in range(many)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.finish(0)

    def finish(self, patience=60):
        """Let every writer end once its last write is kept; how many could not."""
        self._stop.set()
        ends = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, ends - time.monotonic()))
        return sum(thread.is_alive() for thread in self._threads)

    @property
    def kept(self):
        """How many writes were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def since(self, began):
        """What came of the calls that ended later than that moment."""
        with self._lock:
            return [one for one in self.timeline if one[0] + one[1] >= began]

    def _write(self):
        chance = random.Random()
        while not self._stop.is_set():
            kind = chance.choices(list(self.mix), list(self.mix.values()))[0]
            with self._lock:
                number = next(self._numbers)
            client = chance.choice(self.clients)
            path, body, mark = self._make(kind, number, client)
            if path is None:
                time.sleep(0.1)
                continue
            self._sent[kind].add(mark)
            self._send_until_kept(kind, path, body, mark)
            time.sleep(self.pause)

    def _send_until_kept(self, kind, path, body, mark):
        key, stopped_at = str(uuid.uuid4()), None
        while True:
            status, answer = self._call("POST", path, body, key)
            if status == KEPT:
                told = answer["data"]
                one = told[0] if isinstance(told, list) else told
                with self._lock:
                    self.twice += mark in self.acknowledged[kind]
                    self.acknowledged[kind][mark] = one["_id"]
                return
            if status not in AGAIN | {0}:
                self.faults.append((kind, status, answer))
                return
            if self._stop.is_set():
                stopped_at = stopped_at or time.monotonic()
                if time.monotonic() - stopped_at > 60:
                    return
            time.sleep(0.2)

    def _call(self, method, path, body=None, key=None):
        began = time.monotonic()
        try:
            status, answer, _ = call(self.place.port, method, path, body, self.token, key)
        except GONE:
            status, answer = 0, None
        with self._lock:
            self.timeline.append((began, time.monotonic() - began, status))
            self.answers[status] += 1
            self.resent += status == 0
        if status == 401:
            self._sign_in()
        return status, answer

    def _sign_in(self):
        # One at a time: the clock may have ended everybody's session at once.
        with self._lock:
            try:
                self.token = self.place.sign_in()
            except GONE:
                return

    def _make(self, kind, number, client):
        """Where one record goes, what it says, and its mark; None where it cannot be made now."""
        day = dt.datetime.now(dt.timezone(dt.timedelta(hours=5, minutes=30))).date()
        past = (day - dt.timedelta(days=30)).isoformat()
        one = f"/api/v1/admin/clients/client/{client}"
        if kind == "remark":
            mark = str(uuid.uuid4())
            return "/api/v1/admin/remarks", {"user": client, "remark": mark}, mark
        if kind == "transaction":
            body = {"date": past, "amount": number, "type": "FUNDS_ADDED"}
            return f"{one}/accounting/transaction", body, number
        if kind == "fee":
            return f"{one}/fees", fee_of(number, day), number
        if kind == "client":
            mark = f"new{number}@home.example"
            new = {"name": f"New {number}", "email": mark}
            return "/api/v1/clients/add", {"clients": [new]}, mark
        mark = f"mark {uuid.uuid4()}"
        body = self._advice(client, mark)
        return ("/api/v1/admin/advice/create", body, mark) if body else (None, None, None)

    def _advice(self, client, mark):
        targets = {"INFY": 30, "TCS": 40, "CASH": 30}
        wish = {
            "clientId": client,
            "clientName": "whoever",
            "targetInvestmentValue": 500_000,
            "targetHoldings": [
                {"tradingSymbol": name, "exchange": "NSE", "allocationPercentage": share}
                for name, share in targets.items()
            ],
        }
        while True:
            status, found = self._call("POST", "/api/v1/admin/advice/rebalance-portfolio", wish)
            if status == 200 and any(row["isPriceStale"] for row in found["data"]):
                # A stock that nobody holds has no price of now until it is followed.
                stock = {"symbolName": "TCS", "exchange": "NSE"}
                status, found = self._call("POST", "/api/v1/instruments/add", stock)
                status = 503 if status in {200, 201} else status
            if status == 200:
                return advice_of(client, found) | {"rationale": mark}
            if status not in AGAIN | {0}:
                self.faults.append(("rebalance", status, found))
                return None
            if self._stop.is_set():
                return None
            time.sleep(0.2)


SENT_FIELDS = (
    "type", "symbol", "exchange", "product", "quantity", "instrumentToken",
    "allocationPercentage", "possibleAllocationPercentage", "drift", "message", "ltp",
    "currentInvestmentValue", "additionalInvestmentValue", "projectedInvestmentValue",
)  # fmt: skip


def fee_of(number, today):
    """A fee of one day of its own: the periods of a client never overlap."""
    own = (today - dt.timedelta(days=30 + number)).isoformat()
    value = {"startingValue": number, "finalValue": number + 100}
    return {"startingDate": own, "finalDate": own} | value


def advice_of(client, rebalance):
    """What the screen sends of a rebalance: the rows that are traded."""
    traded = [row for row in rebalance["data"] if row["type"] != "HOLD"]
    bought, sold = (
        round(sum(row["projectedInvestmentValue"] for row in traded if row["type"] == side), 2)
        for side in ("BUY", "SELL")
    )
    return {
        "userId": client,
        "totalStocks": len(traded),
        "totalInvestedValue": 500_000,
        "totalBuyValue": bought,
        "totalSellValue": sold,
        "stocks": [{name: row[name] for name in SENT_FIELDS} for row in traded],
        "rebalanceId": rebalance["rebalanceId"],
    }
