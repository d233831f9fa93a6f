"""A stop in good order: calls under way are answered, and mails are given back."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tarazu.kit import clock, jobs
from tarazu.kit.db import Database
from tarazu.kit.mail import KIND, Delivery, Mail
from tests.rows_of import scalars
from tests.started import free_port

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("real_clock")]


def _post(port: int, path: str, body: Any) -> int:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def _until_ready(port: int) -> None:
    for _ in range(1200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready").close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server did not become ready")


def test_a_stop_answers_what_is_under_way_and_gives_the_mail_back(tmp_path: Path) -> None:
    # A mail server that takes the call and never says a word.
    port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "tarazu", "serve"),
                *("--data-dir", str(tmp_path), "--port", str(port)),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ
            | {
                "TARAZU_LOG_LEVEL": "error",
                "TARAZU_SMTP_URL": f"smtp://127.0.0.1:{silent.getsockname()[1]}",
            },
        )
        try:
            _until_ready(port)
            person = {"name": "Ananya", "email": "a@desk.example", "password": "seven oaks 7"}
            assert _post(port, "/auth/register", person) == 201
            assert _post(port, "/auth/forget-password/request", {"email": person["email"]}) == 200
            silent.settimeout(15)
            held, _ = silent.accept()  # The mail is in hand now.
            # Argon2 runs four at a time: these are still under way when the stop comes.
            wrong = json.dumps(person | {"password": "not this one"})
            calls = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(4)]
            for call in calls:
                call.request(
                    "POST", "/api/v1/auth/login", wrong, {"Content-Type": "application/json"}
                )
            _until_ready(port)  # What was sent before this has arrived.
            server.send_signal(signal.SIGTERM)
            answers = [call.getresponse().status for call in calls]
            server.wait(600)
            held.close()
            for call in calls:
                call.close()
        finally:
            if server.poll() is None:
                server.kill()
            server.wait()
    database = Database(f"sqlite:///{tmp_path / 'tarazu.db'}")
    # The obligations' first reminder may be among them.
    mails = scalars(database, select(Mail))
    claims = [jobs.claim(database, KIND, clock.now(), str(mail.id)) for mail in mails]
    database.dispose()
    assert answers == [401] * 4
    assert "Reset your password" in {mail.subject for mail in mails}
    assert {mail.status for mail in mails} == {Delivery.QUEUED}
    # Free at once: the stop did not wait until the mail server's time was over.
    assert None not in claims
