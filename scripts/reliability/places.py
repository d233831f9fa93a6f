"""An installation of a check's own, on SQLite or PostgreSQL, and the server that serves it."""

import contextlib
import http.client
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from decimal import Decimal
from pathlib import Path

SERVER_OF_POSTGRES = os.environ.get(
    "RELIABILITY_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres"
)
ADMIN = {"name": "Ananya Kulkarni", "email": "ananya@desk.example", "password": "seven oaks 7"}
KEYS = "check:" + "A" * 43 + "="
LONGEST_START = 180
_FOUNDED = {}
"""SQLite files and the clients in them, for the next who wants the same."""
GONE = (OSError, http.client.HTTPException, ValueError)
"""What a call raises when the server, or its answer, is not there."""


class NotReady(Exception):
    """A server that was started does not answer; the text holds what it said."""


def has_postgres():
    """Whether a PostgreSQL server answers."""
    import psycopg

    try:
        psycopg.connect(SERVER_OF_POSTGRES, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def kinds():
    """The databases that can be checked here."""
    return ("sqlite", "postgres") if has_postgres() else ("sqlite",)


def load():
    """How busy the machine is: the mean number of running programs over a minute."""
    return os.getloadavg()[0]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def share_of(times, share):
    """The time that so many hundredths of the times do not pass; NaN where there are none."""
    if not times:
        return math.nan
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, math.ceil(share / 100 * len(ordered)) - 1)]


def call(port, method, path, body=None, token=None, key=None, timeout=20.0):
    """One call on a connection of its own; status, answer and headers. One of GONE when it fails."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    try:
        link.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = link.getresponse()
        content = answer.read()
        is_json = (answer.headers.get("Content-Type") or "").startswith("application/json")
        return answer.status, json.loads(content) if is_json else content, answer.headers
    finally:
        link.close()


class Place:
    """An empty installation: a folder, a database, and the settings of its server.

    Args:
        kind: sqlite or postgres.
        settings: TARAZU_ settings beside the usual ones, by their names in small letters.
        through: a port that stands before PostgreSQL, for a proxy.
    """

    def __init__(self, kind, through=None, **settings):
        self.kind, self.port, self.server = kind, free_port(), None
        self.root = Path(tempfile.mkdtemp(prefix="tarazu-check-"))
        self.folder = self.root / "place"
        self.folder.mkdir()
        self.said = self.root / "said.log"
        self.environment = {}
        self.name = f"tarazu_check_{uuid.uuid4().hex[:12]}"
        self.settings = {
            "data_dir": str(self.folder),
            "secrets_keys": KEYS,
            "rate_limit_scale": "1000000",
            "connections_per_address": "10000",
            "log_level": "warning",
            "price_source": "simulated",
        } | settings
        self.direct_url = f"sqlite:///{self.folder / 'tarazu.db'}"
        if kind == "postgres":
            self._on_postgres(f"CREATE DATABASE {self.name}")
            base = SERVER_OF_POSTGRES.rpartition("/")[0]
            self.direct_url = f"{base}/{self.name}".replace("postgresql:", "postgresql+psycopg:")
            met = f"postgresql://postgres@127.0.0.1:{through}/{self.name}" if through else ""
            self.settings["database_url"] = met or f"{base}/{self.name}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.server is not None and self.server.poll() is None:
            self.kill()
        if self.kind == "postgres":
            self._on_postgres(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, patience=LONGEST_START):
        """Start a server and wait until it can serve; the seconds that took."""
        began = time.monotonic()
        told = {f"TARAZU_{name.upper()}": str(value) for name, value in self.settings.items()}
        around = {k: v for k, v in os.environ.items() if not k.startswith("TARAZU_")}
        # An installation keeps its compiled modules; compiling them again is not part of its start.
        around.pop("PYTHONDONTWRITEBYTECODE", None)
        words = [sys.executable, "-m", "tarazu", "serve", "--port", str(self.port)]
        with self.said.open("ab") as said:
            self.server = subprocess.Popen(
                words, env=around | told | self.environment, stdout=said, stderr=said, cwd=self.root
            )
        while True:
            with contextlib.suppress(*GONE):
                if call(self.port, "GET", "/health/ready", timeout=5)[0] == 200:
                    return time.monotonic() - began
            if self.server.poll() is not None or time.monotonic() - began > patience:
                raise NotReady(self.said.read_text(encoding="utf-8", errors="replace")[-2000:])
            time.sleep(0.02)

    def kill(self):
        """End the server as a crash would: no farewell, no last write."""
        self.server.kill()
        self.server.wait()

    def await_end(self, patience):
        """Wait until the server has ended, and end it when it has not."""
        try:
            self.server.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()

    def stop(self):
        """Ask the server to end, and wait for it."""
        self.server.terminate()
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def freeze(self):
        self.server.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.server.send_signal(signal.SIGCONT)

    def memory(self):
        """Resident bytes of the server."""
        for line in Path(f"/proc/{self.server.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def database(self):
        """The database itself, past every proxy; to be disposed of."""
        from tarazu.kit.db import Database

        return Database(self.direct_url)

    def opened(self):
        """The same with its vault and audit key in place."""
        from tarazu.app import open_database
        from tarazu.kit.settings import Settings

        return open_database(
            Settings(data_dir=self.folder, secrets_keys=KEYS, database_url=self.direct_url)
        )

    def found(self, clients=4, holding=True):
        """Bring the database up to date, with an ADMIN and clients who have money; their ids."""
        from tarazu.auth import service as auth
        from tarazu.clients import service as clients_of_firm
        from tarazu.firm import service as firm
        from tarazu.firm.disclosures import QUESTIONS, Answer
        from tarazu.instruments import service as instruments
        from tarazu.kit import clock
        from tarazu.kit.audit_log import SYSTEM
        from tarazu.people.service import NewPerson
        from tarazu.portfolio import service as portfolio
        from tarazu.portfolio.service import Funds, NewHolding

        made, file = _FOUNDED.get((clients, holding)), self.folder / "tarazu.db"
        if made is not None and self.kind == "sqlite":
            file.write_bytes(made[0])
            return list(made[1])
        database, now = self.opened(), clock.now()
        with database.transaction() as session:
            auth.create_admin(session, ADMIN["name"], ADMIN["email"], ADMIN["password"], now)
            # Without these no advice can be sent.
            entered = {"name": "Sahyadri Research", "registration_number": "INH000012345"}
            answers = {one.id: Answer(is_yes=False) for one in QUESTIONS}
            firm.edit_firm(session, SYSTEM, now, entered, None, answers)
            new = [
                NewPerson(f"Client {n}", f"client{n}@home.example") for n in range(clients)
            ]
            added = clients_of_firm.add_clients(session, SYSTEM, now, new) if new else []
            for client in added if holding else ():
                infy = instruments.by_symbol(session, "NSE", "INFY")
                held = {infy.id: NewHolding(100, Decimal(1000), 0)}
                portfolio.replace_holdings(session, SYSTEM, now, client.id, held, "FILE")
                funds = Funds(Decimal(2_000_000), Decimal(2_000_000), Decimal(0))
                portfolio.set_funds(session, SYSTEM, now, client.id, funds)
        database.dispose()
        ids = [str(client.id) for client in added]
        if self.kind == "sqlite":
            _FOUNDED[clients, holding] = (file.read_bytes(), ids)
        return ids

    def sign_in(self, timeout=20.0):
        """A token of the ADMIN."""
        body = {"email": ADMIN["email"], "password": ADMIN["password"]}
        answer = call(self.port, "POST", "/api/v1/auth/login", body, timeout=timeout)
        if answer[0] != 200:
            raise ValueError(f"sign-in answered {answer[0]}")
        return answer[1]["accessToken"]

    def _on_postgres(self, statement):
        import psycopg

        with psycopg.connect(SERVER_OF_POSTGRES, autocommit=True) as server:
            server.execute(statement)
