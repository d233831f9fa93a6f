"""R7: many at one record, many at one counter, and the same write twice at once.

Twenty edits with one version leave one winner; fifty new clients get fifty codes; a write that is
sent twice at once with one Idempotency-Key is done once and answers the same both times.
A call that waited too long for the others is refused with a Retry-After and sent again after it:
it must have left nothing, so the codes still have no gap.
"""

import datetime as dt
import random
import sys
import threading
import time
import uuid
from collections import Counter

from . import places
from .places import GONE, Place, call
from .comparison import compare
from .writers import fee_of

BUSY = 503
EDITORS = 20
CREATORS = 50
WRITES = {False: 120, True: 1_000}
WRITERS = 8
SHARE_TWICE = 0.15
MOST_TRIES = 10
PAST = (dt.date.today() - dt.timedelta(days=30)).isoformat()


def main(long=False, kinds=None):
    """The figures of R7 on each database."""
    rows = []
    for kind in kinds or places.kinds():
        with Place(kind) as place:
            clients = place.found()
            place.start()
            desk = Desk(place, place.sign_in())
            rows += edits(kind, desk, clients[0])
            rows += creations(kind, desk, len(clients))
            place.stop()
        rows += doubles(kind, WRITES[long])
    return rows


class Desk:
    """A signed-in ADMIN; a call that got no answer at all counts as status 0."""

    def __init__(self, place, token):
        self.place, self.token = place, token

    def ask(self, method, path, body=None, key=None):
        for _ in range(MOST_TRIES):
            answer = self._ask_once(method, path, body, key)
            status, _, headers = answer
            if status != BUSY or "Retry-After" not in headers:
                break
            time.sleep(int(headers["Retry-After"]))
        return answer

    def _ask_once(self, method, path, body, key):
        try:
            # Long, as the last of fifty waits for the forty-nine before it.
            return call(self.place.port, method, f"/api/v1{path}", body, self.token, key, timeout=60)
        except GONE as error:
            return 0, {"message": repr(error)}, {}

    def made(self, path, body):
        """The record that a call made."""
        status, answer, _ = self.ask("POST", path, body)
        if status != 201:
            raise ValueError(f"{path} answered {status}: {answer}")
        told = answer["data"]
        return told[0] if isinstance(told, list) else told


def at_once(many, act):
    """What `act(number)` gives for each number, all begun at the same moment."""
    gate, found = threading.Barrier(many), [None] * many

    def run(number):
        gate.wait()
        found[number] = act(number)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def edits(kind, desk, client):
    """Twenty edits at once with one version, of every kind of record that has one."""
    one = f"/admin/clients/client/{client}"
    remark = desk.made("/admin/remarks", {"user": client, "remark": "first"})
    flow = {"date": PAST, "amount": 100, "type": "FUNDS_ADDED"}
    transaction = desk.made(f"{one}/accounting/transaction", flow)
    fee = desk.made(f"{one}/fees", {"startingDate": PAST, "startingValue": 1000, "finalValue": 1100})
    new = {"name": "Farhan Ali", "email": "farhan@desk.example", "role": "USER"}
    user = desk.made("/users/add", {"users": [new]})
    broker = next(iter(desk.ask("GET", "/brokers")[1]["data"]), None)
    broker = broker or desk.made("/brokers/add", {"name": "ZERODHA"})
    kinds = {
        "client": ("/clients/edit", {"id": client}, "name", "Edited {}", "/clients"),
        "user": ("/users/edit", {"id": user["_id"]}, "name", "User {}", "/users"),
        "remark": ("/admin/remarks", {"remarkId": remark["_id"]}, "remark", "text {}",
                   f"/admin/remarks/client/{client}"),
        "transaction": (f"{one}/accounting/transaction",
                        flow | {"transactionId": transaction["_id"]}, "amount", 200,
                        f"{one}/accounting"),
        "fee": (f"{one}/fees", {"feeId": fee["_id"]}, "dueDate", dt.date(2026, 1, 1), f"{one}/fees"),
        "broker": ("/brokers/edit", {"id": broker["_id"]}, "description", "Desk {}",
                   f"/brokers/{broker['_id']}"),
        "firm": ("/settings/firm", {}, "address", "{} Prabhat Road", "/settings/firm"),
    }  # fmt: skip
    rows = []
    for name, (path, told, field, base, shown) in kinds.items():
        found = _fight(desk, path, told, field, base, shown)
        rows.append((f"R7 {kind}: {EDITORS} edits of one {name}", found[0],
                     f"1 x 200, {EDITORS - 1} x 409, the winner's kept", found[1]))  # fmt: skip
    return rows


def _fight(desk, path, told, field, base, shown):
    record_id = next((told[name] for name in told if name.lower().endswith("id")), None)
    before = _shown(desk, shown, record_id)
    values = [_value(base, number) for number in range(EDITORS)]
    answers = at_once(
        EDITORS,
        lambda n: desk.ask("PUT", path, told | {field: values[n], "version": before["version"]}),
    )
    count = Counter(status for status, _, _ in answers)
    winners = [values[n] for n, (status, _, _) in enumerate(answers) if status == 200]
    after = _shown(desk, shown, record_id)
    holds = count == {200: 1, 409: EDITORS - 1}
    is_kept = holds and after[field] == winners[0] and after["version"] == before["version"] + 1
    said = ", ".join(f"{many} x {status}" for status, many in sorted(count.items()))
    return f"{said}; kept {'as the winner said' if is_kept else after.get(field)}", is_kept


def _value(base, number):
    if isinstance(base, dt.date):
        return (base + dt.timedelta(days=number)).isoformat()
    return base + number if isinstance(base, int) else base.format(number)


def _shown(desk, path, record_id):
    status, answer, _ = desk.ask("GET", path)
    if status != 200:
        raise ValueError(f"{path} answered {status}: {answer}")
    told = answer["data"]
    return next(row for row in told if row["_id"] == record_id) if isinstance(told, list) else told


def creations(kind, desk, before):
    """Fifty new clients at once: all are there, and the codes go on without a gap."""
    answers = at_once(
        CREATORS,
        lambda n: desk.ask("POST", "/clients/add", {
            "clients": [{"name": f"Creator {n}", "email": f"creator{n}@home.example"}]
        }),
    )  # fmt: skip
    count = Counter(status for status, _, _ in answers)
    codes = {answer["data"][0]["clientId"] for status, answer, _ in answers if status == 201}
    wanted = {f"C{number:04}" for number in range(before + 1, before + CREATORS + 1)}
    said = ", ".join(f"{many} x {status}" for status, many in sorted(count.items()))
    return [(f"R7 {kind}: {CREATORS} clients made at once", f"{said}; {len(codes)} different codes",
             f"{CREATORS} different, none left out", codes == wanted)]  # fmt: skip


def doubles(kind, many):
    """Writes of four kinds by eight writers, every seventh or so sent twice at once."""
    with Place(kind) as place:
        clients = place.found()
        place.start()
        desk = Desk(place, place.sign_in())
        told = {one: {} for one in ("remark", "transaction", "fee", "client", "advice")}
        wrong, lock, numbers = [], threading.Lock(), iter(range(1, many + 1))
        chance = random.Random(7)
        twice = set(chance.sample(range(1, many + 1), round(many * SHARE_TWICE)))

        def write(_):
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                name, path, body, mark = _new(number, clients[number % len(clients)])
                key, times = str(uuid.uuid4()), 2 if number in twice else 1
                answers = at_once(times, lambda _: desk.ask("POST", path, body, key))
                fault, record_id = _fault_of(answers)
                with lock:
                    if fault:
                        wrong.append((name, number, fault))
                    told[name][mark] = record_id

        at_once(WRITERS, write)
        found = compare(place, told)
        place.stop()
    said = f"{many} writes, {len(twice)} of them twice at once: {found}"
    if wrong:
        said += f"; {len(wrong)} answered otherwise, such as {wrong[0]}"
    return [(f"R7 {kind}: written twice", said, "0 double, 0 lost, the same answer twice",
             found.holds and not wrong and found.acknowledged == many)]  # fmt: skip


def _fault_of(answers):
    """What is wrong with the answers to one write, or None; and the record's id."""
    statuses = [status for status, _, _ in answers]
    if set(statuses) != {201}:
        return f"statuses {statuses}: {answers[0][1]}", None
    if any(answer != answers[0][1] for _, answer, _ in answers):
        return "two answers differ", None
    replayed = sum(headers.get("Idempotent-Replayed") == "true" for _, _, headers in answers)
    data = answers[0][1]["data"]
    record_id = (data[0] if isinstance(data, list) else data)["_id"]
    if replayed != len(answers) - 1:
        return f"{replayed} of {len(answers)} answers say that they are a repeat", record_id
    return None, record_id


def _new(number, client):
    one = f"/admin/clients/client/{client}"
    name = ("remark", "transaction", "fee", "client")[number % 4]
    if name == "remark":
        mark = str(uuid.uuid4())
        return name, "/admin/remarks", {"user": client, "remark": mark}, mark
    if name == "transaction":
        body = {"date": PAST, "amount": number, "type": "FUNDS_ADDED"}
        return name, f"{one}/accounting/transaction", body, number
    if name == "fee":
        return name, f"{one}/fees", fee_of(number, dt.date(2026, 1, 1)), number
    mark = f"new{number}@home.example"
    return name, "/clients/add", {"clients": [{"name": f"New {number}", "email": mark}]}, mark


if __name__ == "__main__":
    given = set(sys.argv[1:])
    figures = main("long" in given, tuple(given & {"sqlite", "postgres"}) or None)
    print(*figures, sep="\n")
    sys.exit(0 if all(ok for *_, ok in figures) else 1)
