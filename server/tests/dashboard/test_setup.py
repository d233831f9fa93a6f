"""The set-up list of a new firm: each line is ticked by what is stored, and can be put off."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tarazu.firm import service as firm
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.dashboard.test_work_list import failed_advice
from tests.firm.test_images import picture, put
from tests.imports.bhavcopies import udiff
from tests.imports.files import INFY
from tests.mail_of import mail_server
from tests.people_of import FIRM, NO_TO_ALL, Desk, data_of, staff_desk
from tests.portfolio.books import give_holdings

pytestmark = pytest.mark.on_both
PATH = "/admin/dashboard/setup"
ALL = [
    "FIRM", "DISCLOSURES", "AI_USE", "MAIL", "PRICES", "STAFF", "CLIENT", "HOLDINGS", "ADVICE",
]  # fmt: skip


@pytest.fixture
def mailed(app: FastAPI) -> Iterator[None]:
    """The installation is set up with a mail server."""
    with mail_server() as (_, url):
        app.state.settings = app.state.settings.model_copy(update={"smtp_url": url})
        yield


def open_steps(desk: Desk) -> list[str]:
    """The lines that are not done, in order."""
    return [row["step"] for row in data_of(desk.get(PATH)) if not row["isDone"]]


def test_each_line_is_ticked_by_what_it_asks_for_until_the_list_is_gone(
    admin: Desk, web: TestClient, database: Database, mailed: None
) -> None:
    assert open_steps(admin) == ALL

    admin.put("/settings/firm", {**FIRM, "address": "4 Prabhat Road, Pune 411004"})
    assert data_of(admin.get(PATH))[0]["text"] == "Letters to clients need these: logo, signature."
    for kind in ("logo", "signature"):
        assert put(admin, kind, f"{kind}.png", picture()).status_code == 200
    assert open_steps(admin) == ALL[1:]

    admin.put("/settings/firm", {"disclosureAnswers": NO_TO_ALL})
    assert open_steps(admin) == ALL[2:]

    assert data_of(admin.get(PATH))[2]["text"].startswith("Not answered")
    admin.put("/settings/firm", {"aiUse": "No AI tools are used."})
    assert open_steps(admin) == ALL[3:]

    mail_line = data_of(admin.get(PATH))[3]
    assert (mail_line["label"], mail_line["to"]) == ("Send a test mail", None)
    assert admin.post("/settings/mail/test").status_code == 200
    assert open_steps(admin) == ALL[4:]

    file = udiff(("INFY", "EQ", INFY, "1612.40"))
    data_of(admin.upload("/admin/imports/prices", "bhav.csv", file, dryRun="false"))
    assert open_steps(admin) == ALL[5:]

    staff_desk(web, database)
    assert open_steps(admin) == ALL[6:]

    client_id = admin.add_client()
    assert open_steps(admin) == ALL[7:]

    give_holdings(database, client_id, {"INFY": (10, "1500")})
    assert open_steps(admin) == ALL[8:]

    failed_advice(database, client_id)
    assert data_of(admin.get(PATH)) == []


def test_a_line_put_off_stays_so_for_the_whole_firm_until_it_is_taken_up(admin: Desk) -> None:
    def later() -> list[str]:
        return [row["step"] for row in data_of(admin.get(PATH)) if row["isLater"]]

    answer = data_of(admin.put(PATH, {"step": "STAFF", "isLater": True}))
    assert [row["step"] for row in answer if row["isLater"]] == ["STAFF"]
    admin.put(PATH, {"step": "MAIL", "isLater": True})
    assert later() == ["MAIL", "STAFF"]
    assert open_steps(admin) == ALL

    admin.put(PATH, {"step": "STAFF", "isLater": False})
    assert later() == ["MAIL"]
    assert len(data_of(admin.get("/admin/audit", action="setup_put_off"))) == 3
    assert admin.put(PATH, {"step": "LUNCH", "isLater": True}).status_code == 422
    assert later() == ["MAIL"]


def test_without_a_mail_server_the_line_leads_to_its_settings(admin: Desk) -> None:
    line = data_of(admin.get(PATH))[3]

    assert line["to"] == "/home/settings?section=mail"
    assert line["text"] == "No mail server is set up: letters do not reach clients."


def test_only_an_admin_has_the_list_and_the_demo_firm_has_none(
    admin: Desk, user: Desk, database: Database
) -> None:
    assert user.get(PATH).status_code == 403
    assert user.put(PATH, {"step": "STAFF", "isLater": True}).status_code == 403

    with database.transaction() as session:
        firm.become_demo(session, clock.now())

    assert data_of(admin.get(PATH)) == []
