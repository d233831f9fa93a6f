"""The product as a process: started as people start it, and called over its port."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx

from tarazu.app import open_database
from tarazu.kit.db import Database
from tarazu.kit.settings import PREFIX, Settings
from tests.people_of import ADMIN, data_of
from tests.started import Started, free_port

TOLD = ("data_dir", "secrets_keys", "rate_limit_scale", "database_url")


@dataclass
class Running:
    """A process that serves an installation. Everything it answered is kept in `heard`."""

    url: str
    settings: Settings
    log: Path
    web: httpx.Client
    heard: list[str] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)

    def call(
        self, method: str, path: str, body: Any = None, *, token: str = "", **headers: str
    ) -> httpx.Response:
        """One call of the API; `token` is a session's."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.web.request(method, f"/api/v1{path}", json=body, headers=headers)
        told = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        self.heard.append(f"{method} {path} {answer.status_code}\n{told}\n{answer.text}")
        return answer

    def post(self, path: str, body: Any = None, *, token: str = "") -> httpx.Response:
        return self.call("POST", path, body, token=token)

    def get(self, path: str, *, token: str = "") -> httpx.Response:
        return self.call("GET", path, token=token)

    @cached_property
    def database(self) -> Database:
        """The same database, opened from here: to look into it."""
        return open_database(self.settings)

    @property
    def admin(self) -> str:
        """The token of the first ADMIN, who is signed up with the first use."""
        if "admin" not in self.tokens:
            answer = self.post("/auth/register", ADMIN)
            assert answer.status_code == 201, answer.text
            self.tokens["admin"] = answer.json()["accessToken"]
        return self.tokens["admin"]

    def log_in(self, email: str, password: str) -> str:
        answer = self.post("/auth/login", {"email": email, "password": password})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["accessToken"])

    def invite(self, *emails: str, role: str = "USER") -> list[tuple[str, str]]:
        """New staff: ids and temporary passwords."""
        new = [
            {"name": "Ravi Rao", "email": email, "role": role, "status": "ACTIVE"}
            for email in emails
        ]
        return [
            (row["_id"], row["temporaryPassword"])
            for row in data_of(self.post("/users/add", {"users": new}, token=self.admin), 201)
        ]

    def staff(self, email: str, password: str, role: str = "USER") -> str:
        """New staff with a password of their own; the account's id."""
        ((account, temporary),) = self.invite(email, role=role)
        first = self.log_in(email, temporary)
        done = self.post("/auth/reset-password", {"password": password}, token=first)
        assert done.status_code == 200, done.text
        return account


@contextmanager
def serving(settings: Settings, **more: str) -> Iterator[Running]:
    """Serve an installation until the end of the block.

    Args:
        settings: where it is.
        more: settings by their names without prefix, such as `smtp_url`.
    """
    port = free_port()
    log = settings.data_dir / "server.log"
    words = ["-m", "tarazu", "serve", "--port", str(port)]
    with log.open("ab") as kept:
        process = Started(words, environment_of(settings, **more), kept, kept)
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, timeout=120) as web:
            _wait_for(web, process, log)
            opened = Running(url, settings, log, web)
            yield opened
            if "database" in vars(opened):
                opened.database.dispose()
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(600)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def environment_of(settings: Settings, **more: str) -> dict[str, str]:
    """The environment in which a process finds the installation."""
    told = {name: str(getattr(settings, name)) for name in TOLD} | {"log_level": "debug"} | more
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return kept | {PREFIX + name.upper(): value for name, value in told.items()}


def _wait_for(web: httpx.Client, process: Started, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        try:
            if web.get("/health/ready").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise RuntimeError(f"the server did not become ready:\n{log.read_text()[-2000:]}")
