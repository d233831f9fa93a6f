"""A test mail from Settings: delivered by the server that is set up, or its own words."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from fastapi import FastAPI

from tarazu.kit.rate_limit import Limiter
from tests.mail_of import Inbox, mail_server
from tests.people_of import ADMIN, Desk


@pytest.fixture
def inbox(app: FastAPI) -> Iterator[Inbox]:
    """The mail server that the installation is set up with."""
    with mail_server() as (received, url):
        app.state.settings = app.state.settings.model_copy(update={"smtp_url": url})
        yield received


def mail_state(desk: Desk) -> str:
    return str(desk.get("/firm").json()["data"]["mail"])


def test_without_a_mail_server_there_is_nothing_to_test(admin: Desk) -> None:
    answer = admin.post("/settings/mail/test")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_mail_server")
    assert answer.json()["message"] == (
        "No mail server is set up: set TARAZU_SMTP_URL and start again."
    )
    assert mail_state(admin) == "NOT_SET_UP"


def test_a_test_mail_reaches_the_one_who_asked(inbox: Inbox, admin: Desk) -> None:
    assert mail_state(admin) == "NOT_TESTED"

    answer = admin.post("/settings/mail/test")

    assert answer.status_code == 200, answer.text
    assert answer.json()["message"] == f"Test mail delivered to {ADMIN['email']}."
    assert [message["To"] for message in inbox.messages] == [ADMIN["email"]]
    assert mail_state(admin) == "TESTED"
    assert len(admin.get("/admin/audit", action="test_mail_sent").json()["data"]) == 1


def test_another_server_must_be_tested_again(app: FastAPI, inbox: Inbox, admin: Desk) -> None:
    admin.post("/settings/mail/test")
    assert inbox.messages

    other = app.state.settings.model_copy(update={"smtp_url": "smtp://127.0.0.1:9"})
    app.state.settings = other

    assert mail_state(admin) == "NOT_TESTED"


def test_a_refusal_has_the_servers_message(inbox: Inbox, admin: Desk) -> None:
    inbox.refusal = "550 5.7.1 Relaying is not allowed here"

    answer = admin.post("/settings/mail/test")

    assert (answer.status_code, answer.json()["code"]) == (502, "mail_not_delivered")
    assert answer.json()["message"] == (
        "The mail server answered: 550 5.7.1 Relaying is not allowed here"
    )
    assert mail_state(admin) == "NOT_TESTED"


@pytest.mark.on_both(suite="long")
def test_test_mails_are_limited(app: FastAPI, inbox: Inbox, admin: Desk) -> None:
    app.state.limits = Limiter(Decimal(1))

    answers = [admin.post("/settings/mail/test").status_code for _ in range(6)]

    assert answers == [200] * 5 + [429]
    assert len(inbox.messages) == 5
