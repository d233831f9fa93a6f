"""R4: the neighbours refuse, say nothing, are slow, or break off: the product goes on as it can."""

import re
import socket
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

from sqlalchemy import text

from . import places
from .mailbox import Mailbox
from .places import ADMIN, GONE, Place, call
from .proxy import FAULTS, PASS, SILENT, SLOW, Proxy
from .r5 import let_time_pass, until, waiting
from .comparison import compare
from .watch import BACK_WITHIN, LONGEST_ANSWER, Watch, back_after, refused_wrongly
from .writers import Writers

SECONDS = {False: 2, True: 10}
MIX = {"remark": 3, "transaction": 2, "client": 1}
LONGEST_BROKER_CALL = 10.0
LONGEST_REQUEST = 2.0
MAILS_A_SPELL = 3
LEAST_SPELL = {SILENT: 9, SLOW: 6}
"""Seconds without which no answer would be seen that is late."""


def main(long=False, seconds=None):
    """The figures of R4; `seconds` of each fault."""
    spell, rows = seconds or SECONDS[long], []
    if places.has_postgres():
        port = urlsplit(places.SERVER_OF_POSTGRES).port or 5432
        rows += _under_writers("database", spell, port, {503})
    else:
        rows.append(("R4 database", "left out: no PostgreSQL answers", "-", None))
    if _answers(6379):
        rows += _under_writers("redis", spell, 6379, set())
    else:
        rows.append(("R4 redis", "left out: no Redis answers", "-", None))
    return rows + broker(spell) + mail(spell)


def _answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _under_writers(name, spell, port, allowed):
    """Writers on a server whose database, or Redis, stands behind a door."""
    rows = []
    with Proxy(port) as proxy:
        behind = {"redis_url": f"redis://127.0.0.1:{proxy.port}/0"} if name == "redis" else {}
        kind, through = ("sqlite", None) if name == "redis" else ("postgres", proxy.port)
        with Place(kind, through, **behind) as place:
            clients = place.found()
            place.start()
            writers = Writers(place, place.sign_in(), clients, mix=MIX, pause=0.02)
            with writers, Watch(place) as alive:
                for fault in FAULTS:
                    time.sleep(0.5)
                    began, proxy.mode = time.monotonic(), fault
                    time.sleep(max(spell, LEAST_SPELL.get(fault, 0)))
                    proxy.mode = PASS
                    back = back_after(writers)
                    seen = writers.since(began)
                    rows.append(_row(f"R4 {name}: {fault}", back, seen, allowed))
                left = writers.finish()
            place.kill()
            found = compare(place, writers.acknowledged)
    wrong, _ = refused_wrongly(writers, allowed)
    dead = {status: count for status, count in alive.answers.items() if status != 200}
    told = f"{found}; other answers {wrong or 'none'}"
    rows.append((f"R4 {name}: kept", told, "0 lost, none", found.holds and not left and not wrong))
    rows.append((f"R4 {name}: alive", f"{dead or 'always'}, within {alive.slowest:.1f} s", "always",
                 not dead))  # fmt: skip
    return rows


def _row(name, back, seen, allowed):
    slowest = max((took for _, took, _ in seen), default=0.0)
    told = sorted({status for _, _, status in seen})
    is_fine = set(told) <= {200, 201} | allowed and slowest <= LONGEST_ANSWER + 0.5
    figure = f"answers {told} within {slowest:.1f} s, writing again after {back:.1f} s"
    goal = f"{LONGEST_ANSWER:.0f} s, {BACK_WITHIN:.0f} s"
    return (name, figure, goal, is_fine and back <= BACK_WITHIN)


def broker(spell):
    """The firm logs in at a broker, whose API stands behind a door, while others write."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "server"))
    from tests.brokers.simulator import Simulator
    from tests.brokers.simulator.world import KITE, World

    rows = []
    with Simulator(World(2, 1, 0.0)) as simulator, Proxy(simulator.port) as proxy:
        there = {
            "allow_loopback_brokers": "1",
            "zerodha_login_url": f"{simulator.url}/connect/login",
            "zerodha_ticker_url": simulator.kite_ticker,
        }
        with Place("sqlite", **there) as place:
            clients = place.found()
            place.start()
            token, world = place.sign_in(), simulator.world
            record = {
                "name": KITE,
                "apiKey": world.api_keys[KITE],
                "apiSecret": world.secrets[KITE],
                "apiUrl": f"http://127.0.0.1:{proxy.port}",
                "isRenewSessionAllowed": True,
            }
            added = call(place.port, "POST", "/api/v1/brokers/add", record, token)
            if added[0] != 201:
                return [("R4 broker", f"its record was refused: {added[1]}", "-", False)]
            writers = Writers(place, token, clients, many=2, mix=MIX, pause=0.1)
            with writers, Watch(place) as alive:
                for fault in FAULTS:
                    proxy.mode = fault
                    status, took, said = _log_in(place, token, KITE)
                    time.sleep(max(0, spell - took))
                    proxy.mode = PASS
                    is_fine = status == 502 or (fault == SLOW and status == 200)
                    figure = f"{status} within {took:.1f} s: {said}"
                    rows.append((f"R4 broker: {fault}", figure, f"502 in {LONGEST_BROKER_CALL:.0f} s",
                                 is_fine and took <= LONGEST_BROKER_CALL))  # fmt: skip
                began = time.monotonic()
                back = until(lambda: _log_in(place, token, KITE)[0] == 200, 45)
                took = time.monotonic() - began
                writers.finish()
            wrong, slowest = refused_wrongly(writers, set())
    rows.append(("R4 broker: back", f"{took:.1f} s", "30 s", back and took <= 31))
    dead = {status: count for status, count in alive.answers.items() if status != 200}
    told = f"other answers {wrong or 'none'}, within {slowest:.1f} s, alive {dead or 'always'}"
    is_fine = not wrong and not dead and slowest <= LONGEST_ANSWER
    return [*rows, ("R4 broker: other calls", told, f"none, {LONGEST_ANSWER:.0f} s", is_fine)]


def _log_in(place, token, name):
    """Log the firm in at its broker's page and hand over what comes back."""
    begun = call(place.port, "GET", f"/api/v1/admin/broker/login-url?broker={name}", token=token)
    url = begun[1]["data"]["url"]
    asked = {one: values[0] for one, values in parse_qs(urlsplit(url).query).items()}
    form = {one: asked.get(one, "") for one in ("redirect_params", "state")}
    form |= {"user_id": "AB1234", "decision": "continue"}
    answer = build_opener(_Stay).open(url, urlencode(form).encode(), timeout=10)
    back = dict(parse_qsl(urlsplit(answer.headers["Location"]).query))
    body = {"requestToken": back["request_token"], "state": back["state"]}
    began = time.monotonic()
    try:
        status, said, _ = call(place.port, "POST", "/api/v1/admin/broker/connect", body, token)
    except GONE:
        status, said = 0, {}
    return status, time.monotonic() - began, re.sub(r"\s+", " ", str(said.get("message", said)))


class _Stay(HTTPRedirectHandler):
    """Takes a redirect for the answer."""

    def redirect_request(self, *_):
        return None

    def http_error_303(self, _request, answer, *_):
        return answer

    http_error_302 = http_error_303


def mail(spell):
    """Requests that leave a mail behind, while the mail server stands behind a door."""
    rows, asked = [], 0
    with Mailbox() as box, Proxy(box.port) as proxy:
        with Place("sqlite", smtp_url=f"smtp://127.0.0.1:{proxy.port}") as place:
            place.found(clients=1, holding=False)
            place.start()
            with Watch(place) as alive:
                for fault in FAULTS:
                    before, proxy.mode = _tries(place), fault
                    told, slowest = _ask_for_mails(place)
                    asked += MAILS_A_SPELL
                    # Until one of them was tried: sooner, and the fault would have met nobody.
                    met = until(lambda before=before: _tries(place) > before, 20)
                    time.sleep(max(0, spell - slowest))
                    proxy.mode = PASS
                    figure = f"answers {sorted(told)} within {slowest:.1f} s"
                    is_fine = told == {200} and slowest <= LONGEST_REQUEST and met
                    rows.append((f"R4 mail: {fault}", figure, f"200 in {LONGEST_REQUEST:.0f} s", is_fine))
                # The minutes until the next try are over.
                is_over = until(lambda: let_time_pass(place) or not waiting(place), 60)
            place.stop()
    ids = {message_id for _, message_id in box.kept}
    dead = {status: count for status, count in alive.answers.items() if status != 200}
    told = f"{len(ids)} of {asked} arrived, {len(box.kept) - len(ids)} twice, alive {dead or 'always'}"
    return [*rows, ("R4 mail: afterwards", told, "all", is_over and len(ids) == asked and not dead)]


def _tries(place):
    """How often mails were handed over, or tried to be."""
    database = place.database()
    with database.reading() as session:
        count = session.execute(text("SELECT coalesce(sum(attempts), 0) FROM outbox")).scalar_one()
    database.dispose()
    return count


def _ask_for_mails(place):
    told, slowest = set(), 0.0
    for _ in range(MAILS_A_SPELL):
        began = time.monotonic()
        body, path = {"email": ADMIN["email"]}, "/api/v1/auth/forget-password/request"
        try:
            told.add(call(place.port, "POST", path, body)[0])
        except GONE:
            told.add(0)
        slowest = max(slowest, time.monotonic() - began)
    return told, slowest


if __name__ == "__main__":
    print(*main("long" in sys.argv), sep="\n")
    print(f"load {places.load():.1f}")
