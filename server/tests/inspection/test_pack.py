"""The inspection pack: what is in it, how it is checked, and who gets it."""

import csv
import datetime as dt
import hashlib
import json
import re
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient

from tarazu.inspection import jobs, service
from tarazu.inspection.service import path_of
from tarazu.kit import clock
from tarazu.kit import jobs as kit_jobs
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.advice.conftest import AdviceDesk, advice
from tests.advice.documents.exports import check_export
from tests.inspection.packs import PATH, asked, content_of, made, opened
from tests.invoices.desks import charge, live_in, pay, switch_on
from tests.obligations.test_obligations import PDF, began, open_table
from tests.papers.papers_of import add_text, record, set_kyc
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import audit_rows

__all__ = ["advice"]

pytestmark = pytest.mark.on_both
LINK = re.compile(r'href="([^"]+)"')


def reached_from(folder: Path, page: str = "index.html") -> set[str]:
    """Every file to which a link leads, from one page on."""
    found, waiting = {page}, [page]
    while waiting:
        text = (folder / waiting.pop()).read_text(encoding="utf-8")
        for target in map(unquote, LINK.findall(text)):
            if target not in found:
                found.add(target)
                if target.endswith(".html"):
                    waiting.append(target)
    return found


ROWS = {
    "advice": 2,
    "kyc": 1,
    "consent-texts": 1,
    "consents": 1,
    "fees": 1,
    "invoices": 1,
    "complaints": 1,
    "certificates": 1,
    "declarations": 1,
    "advertisements": 1,
    "handles": 1,
    "ai-tools": 1,
    "incidents": 1,
    "client-counts": 0,
    "evidence": 1,
}


def rows_of(folder: Path, name: str) -> int:
    with (folder / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def fill(desk: Desk, database: Database) -> None:
    """An entry of every register, the certificate with its document, and evidence with a file."""
    today, at = str(clock.today()), "/admin/registers"
    complaint = {"receivedOn": today, "complainant": "Somebody Else", "channel": "SMART ODR"}
    data_of(desk.post("/admin/complaints", complaint | {"subject": "Late", "nature": "Service"}))
    document = data_of(desk.upload(f"{at}/files", "nism.pdf", b"%PDF-1.7\n%%EOF\n"))["sha256"]
    (staff,) = [one["_id"] for one in data_of(desk.get("/users")) if one["role"] == "ADMIN"]
    days = {"validFrom": "2024-02-20", "validUntil": "2199-02-19", "file": document}
    certificate = {"staffId": staff, "series": "XV", "number": "1", **days}
    data_of(desk.post(f"{at}/certificates", certificate))
    advertisement = {"title": "A post", "medium": "X", "text": "<b>Models</b>"}
    data_of(desk.post(f"{at}/advertisements", advertisement))
    tool = {"name": "Summaries", "extent": "It summarises filings.", "since": today}
    data_of(desk.post(f"{at}/ai-tools", tool))
    data_of(desk.post(f"{at}/handles", {"platform": "X", "handle": "@firm", "since": today}))
    incident = {"noticedOn": today, "noticedTime": "00:01", "summary": "A laptop was stolen"}
    data_of(desk.post(f"{at}/incidents", incident))
    holding = {"kind": "HOLDING", "holder": "SELF", "tradingSymbol": "ITC", "quantity": 5}
    data_of(desk.post("/admin/disclosures", holding | {"datedOn": today}))
    began(database, 70)
    path = "/admin/obligations/complaint_table/evidence"
    data_of(desk.upload(path, "table.pdf", PDF, instance=open_table(desk)["key"]), 201)


def give_papers(desk: Desk, client_id: str) -> None:
    """KYC, and a consent on paper to a text of the firm."""
    add_text(desk)
    data_of(record(desk, client_id), 201)
    data_of(set_kyc(desk, client_id))


def bill(desk: Desk, client_id: str) -> str:
    """A fee that was paid and invoiced; the invoice's number."""
    switch_on(desk)
    live_in(desk, client_id, "27")
    row = data_of(pay(desk, client_id, charge(desk, client_id, 10_000)))
    return str(row["invoice"]["number"])


def test_the_index_leads_to_every_file_and_a_plain_python_verifies_them(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    for _ in range(2):
        advice.sent()
    advice.set_letters()
    fill(advice.desk, database)
    give_papers(advice.desk, advice.client_id)
    number = bill(advice.desk, advice.client_id)

    pack = made(advice.desk, database, settings, **{"from": "2026-01-01"})

    folder = opened(settings, pack, tmp_path / "pack")
    files = files_in(folder)
    assert reached_from(folder) == files
    folders = {"packages", "letters", "evidence", "certificates", "consents", "invoices"}
    assert folders == {name.partition("/")[0] for name in files if "/" in name}
    assert {name: rows_of(folder, name) for name in ROWS} == ROWS
    assert number in (folder / "invoices.html").read_text()
    assert "&lt;b&gt;Models&lt;/b&gt;" in (folder / "advertisements.html").read_text()
    checked = check_export(folder)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "2 advices checked, 2 links, 0 faults" in checked.stdout
    assert "audit trail" in checked.stdout
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["files"].keys() == files - {"manifest.json", "manifest.sig"}


def test_a_changed_a_removed_and_an_added_file_are_named(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    advice.sent()
    advice.set_letters()
    folder = opened(settings, made(advice.desk, database, settings), tmp_path / "pack")
    (folder / "fees.csv").write_bytes(b"changed")
    (letter,) = (folder / "letters").iterdir()
    letter.unlink()
    (folder / "letters" / "other.pdf").write_bytes(PDF)

    checked = check_export(folder)

    assert checked.returncode == 1
    assert "fees.csv was changed" in checked.stdout
    assert f"letters/{letter.name} is missing" in checked.stdout
    assert "letters/other.pdf was added: the manifest does not name it" in checked.stdout


def test_a_row_taken_out_of_the_audit_trail_is_named_even_in_a_manifest_made_for_it(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    folder = opened(settings, made(advice.desk, database, settings), tmp_path / "pack")
    file = folder / "audit-trail.csv"
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) > 4
    file.write_bytes(b"".join(lines[:2] + lines[3:]))

    checked = check_export(folder)

    number = lines[3].decode().partition(",")[0]
    assert f"row {number} does not follow the row before it" in checked.stdout


def test_a_pack_without_advice_is_whole(
    admin: Desk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    folder = opened(settings, made(admin, database, settings), tmp_path / "pack")

    checked = check_export(folder)

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "0 advices checked, 0 links, 0 faults" in checked.stdout
    assert reached_from(folder) == files_in(folder)


def test_the_pack_of_one_client_has_nothing_of_another(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    advice.sent()
    other = advice.desk.add_client("Zubin Quettawala", "zubin@other.example")
    advice.hold({"INFY": 100, "ITC": 10}, cash="200000", client_id=other)
    first, advice.client_id = advice.client_id, other
    advice.sent()
    advice.set_letters()
    complaint = {
        "receivedOn": str(clock.today()),
        "complainant": "",
        "clientId": other,
        "channel": "SMART ODR",
        "subject": "Zubin asks",
        "nature": "Service",
    }
    data_of(advice.desk.post("/admin/complaints", complaint))
    fill(advice.desk, database)
    give_papers(advice.desk, other)
    foreign_invoice = bill(advice.desk, other)

    pack = made(advice.desk, database, settings, clientId=first, **{"from": "2026-01-01"})

    folder = opened(settings, pack, tmp_path / "pack")
    assert (pack["clientCode"], pack["clientName"]) == ("C0001", "Kavya Menon")
    assert len(list((folder / "packages").iterdir())) == 1
    assert not (folder / "evidence").exists()
    assert not (folder / "consents").exists()
    foreign = ("Zubin", "zubin@", "C0002", other, "Somebody Else", "ABCPK1234F", foreign_invoice)
    for name in files_in(folder):
        content = (folder / name).read_bytes().decode("utf-8", "replace")
        assert not [word for word in foreign if word in content], name
    assert "Kavya Menon" in (folder / "audit-trail.html").read_text()
    assert check_export(folder).returncode == 0


def test_no_secret_is_in_a_pack(
    advice: AdviceDesk, web: TestClient, database: Database, settings: Settings, tmp_path: Path
) -> None:
    broker = {"apiKey": "planted-key-4711", "apiSecret": "planted-secret-4712"}
    advice.desk.post("/brokers/add", {"brokerName": "ZERODHA", **broker})
    new = {"name": "Ravi", "email": "ravi@desk.example", "role": "USER", "status": "ACTIVE"}
    (invited,) = data_of(advice.desk.post("/users/add", {"users": [new]}), 201)
    advice.sent()
    advice.set_letters()

    folder = opened(settings, made(advice.desk, database, settings), tmp_path / "pack")

    secrets = (
        *("planted-key-4711", "planted-secret-4712", advice.desk.token, "argon2"),
        *(invited["temporaryPassword"], ADMIN["password"]),
    )
    for name in files_in(folder):
        content = (folder / name).read_bytes()
        assert not [one for one in secrets if one.encode() in content], name


def test_the_same_records_give_the_same_pack(
    advice: AdviceDesk, database: Database, settings: Settings
) -> None:
    advice.sent()
    advice.set_letters()
    pack = made(advice.desk, database, settings)
    first = content_of(settings, pack)
    with database.transaction() as session:
        kit_jobs.make_due(session, service.KIND, pack["_id"], clock.now())

    jobs.make_due(database, settings, clock.now)

    assert content_of(settings, pack) == first
    assert hashlib.sha256(first).hexdigest() == pack["sha256"]


def test_the_trail_says_who_asked_for_which_pack_and_what_was_made(
    advice: AdviceDesk, database: Database, settings: Settings
) -> None:
    pack = made(advice.desk, database, settings, clientId=advice.client_id)
    data_of_file = advice.desk.get(f"{PATH}/{pack['_id']}/file")

    (ordered,) = audit_rows(database, "inspection_pack_asked")
    (finished,) = audit_rows(database, "inspection_pack_made")
    taken = [row for row in audit_rows(database, "taken_away") if pack["_id"] in row.changes]
    for row in (ordered, finished, *taken):
        assert (row.kind, row.record_id) == ("client", advice.client_id)
        assert row.account_id == ordered.account_id is not None
    assert json.loads(finished.changes)["sha256"] == pack["sha256"]
    assert len(taken) == 1
    assert hashlib.sha256(data_of_file.content).hexdigest() == pack["sha256"]
    assert pack["madeBy"] == ADMIN["name"]


def test_a_download_goes_on_where_it_was_cut_and_is_noted_once(
    admin: Desk, database: Database, settings: Settings
) -> None:
    pack = made(admin, database, settings)
    path, whole = f"/api/v1{PATH}/{pack['_id']}/file", content_of(settings, pack)

    def part(wanted: str, **more: str) -> Any:
        return admin.web.get(path, headers=admin.headers | {"Range": wanted} | more)

    first, rest = part("bytes=0-999"), part("bytes=1000-")
    other = part("bytes=1000-", **{"If-Range": '"another"'})

    assert (first.status_code, rest.status_code, other.status_code) == (206, 206, 200)
    assert first.content + rest.content == whole
    assert first.headers["Content-Range"] == f"bytes 0-999/{len(whole)}"
    assert first.headers["ETag"] == f'"{pack["sha256"]}"'
    assert 'filename="inspection-' in first.headers["Content-Disposition"]
    assert part(f"bytes={len(whole)}-").status_code == 416
    assert len(audit_rows(database, "taken_away")) == 1


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"from": "2020-01-01", "to": "2025-01-01"}, "A pack has at most 5 years. Choose fewer days."),
        ({"from": "2026-02-01", "to": "2026-01-31"}, "The last day is before the first."),
        ({"to": "2199-01-01"}, "The last day is in the future."),
        ({"from": "2199-01-01", "to": "2199-01-02"}, "The first day is in the future."),
        (
            {"kind": "AUDIT", "from": "2025-04-01", "to": "2026-03-30"},
            "An audit pack is of a fiscal year, 1 April to 31 March.",
        ),
        ({"from": "soon"}, "Please select a valid date"),
        ({"clientId": str(uuid.UUID(int=7))}, "Client not found"),
        ({"clientCode": "C0009"}, "Client not found"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_pack_is_refused_in_a_sentence_and_nothing_is_made(
    admin: Desk, database: Database, fields: dict[str, str], refusal: str
) -> None:
    answer = asked(admin, **fields)

    assert reply_of(answer) == (404 if "not found" in refusal else 422, refusal)
    assert data_of(admin.get(PATH)) == []
    assert not audit_rows(database, "inspection_pack_asked")


def test_five_years_to_the_day_are_a_pack(admin: Desk) -> None:
    last = clock.today()
    first = last.replace(year=last.year - 5) + dt.timedelta(days=1)

    assert asked(admin, **{"from": str(first)}).status_code == 201
    assert asked(admin, **{"from": str(first - dt.timedelta(days=1))}).status_code == 422


def test_a_deleted_client_still_has_a_pack(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    advice.sent()
    advice.set_letters()
    deleted = advice.desk.post("/clients/delete", {"clientId": advice.client_id})
    assert deleted.status_code == 200

    pack = made(advice.desk, database, settings, clientCode="c0001")

    folder = opened(settings, pack, tmp_path / "pack")
    assert len(list((folder / "packages").iterdir())) == 1


def test_the_same_pack_is_not_made_twice_at_a_time(admin: Desk) -> None:
    assert asked(admin).status_code == 201

    assert reply_of(asked(admin)) == (
        409,
        "This pack is being made already. Wait until it is ready.",
    )


def test_a_pack_whose_process_was_killed_is_made_by_another(
    admin: Desk, database: Database, settings: Settings
) -> None:
    pack_id = data_of(asked(admin), 201)["_id"]
    assert kit_jobs.claim(database, service.KIND, clock.now(), owner="gone") is not None
    path = path_of(settings, uuid.UUID(pack_id))
    path.parent.mkdir()
    path.with_name(f"{path.name}.1").write_bytes(b"half")

    later = clock.now() + kit_jobs.LEASE + dt.timedelta(seconds=1)
    jobs.make_due(database, settings, lambda: later)

    (pack,) = data_of(admin.get(PATH))
    assert pack["state"] == "READY"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == pack["sha256"]


def test_a_pack_that_cannot_be_written_says_so(
    admin: Desk, database: Database, settings: Settings
) -> None:
    settings.packs_dir.write_text("a file where the folder should be")

    pack = made(admin, database, settings)

    assert (pack["state"], pack["error"]) == ("FAILED", jobs._FAILED)
    assert reply_of(admin.get(f"{PATH}/{pack['_id']}/file")) == (409, "This pack is not ready yet.")
    assert audit_rows(database, "inspection_pack_failed")


@pytest.mark.usefixtures("real_clock", "still_clock")
def test_the_file_is_removed_after_its_days_and_what_it_was_stays(
    admin: Desk, database: Database, settings: Settings
) -> None:
    pack = made(admin, database, settings)
    path = path_of(settings, uuid.UUID(pack["_id"]))
    assert path.stat().st_mode & 0o777 == 0o600

    assert jobs.remove_old(database, settings, clock.now() + jobs.KEPT) == 0
    assert jobs.remove_old(database, settings, clock.now() + jobs.KEPT + dt.timedelta(days=3)) == 1

    assert not path.exists()
    (row,) = data_of(admin.get(PATH))
    assert (row["state"], row["sha256"]) == ("REMOVED", pack["sha256"])
    gone = "The file of this pack is no longer on this server. Make the pack again."
    assert reply_of(admin.get(f"{PATH}/{pack['_id']}/file")) == (404, gone)
