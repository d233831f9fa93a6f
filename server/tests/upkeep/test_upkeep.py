"""The doctor, the metrics, and what goes when its years are over."""

import datetime as dt
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from tarazu import cli, migrations
from tarazu.advice import verification
from tarazu.app import create_app
from tarazu.brokers.tables import ConnectLink
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM, AuditRow, chained_hash
from tarazu.kit.db import Database, new_id
from tarazu.kit.settings import Settings
from tarazu.prices import service as prices
from tarazu.upkeep import doctor, jobs, purge, settings_checks
from tarazu.upkeep.findings import Finding, State
from tests.advice.conftest import AdviceDesk, advice
from tests.brokers.test_broker_records import ANGEL
from tests.people_of import Desk
from tests.tampering import drop_triggers

pytestmark = pytest.mark.on_both

__all__ = ["advice"]


def _found(settings: Settings) -> dict[str, Finding]:
    return {one.part: one for one in doctor.look(settings, clock.now())}


def test_an_installation_in_order_has_nothing_wrong(admin: Desk, settings: Settings) -> None:
    found = _found(settings)

    assert {part for part, one in found.items() if one.state is State.WRONG} <= {"Disk"}
    for part in ("Database", "Migrations", "Integrity", "Triggers", "Keys", "Audit trail", "Clock"):
        assert found[part].state is State.FINE, found[part]
    assert found["Backups"].state is State.LOOK
    assert all(one.cure for one in found.values() if one.state is not State.FINE)


def test_each_fault_is_found_with_its_cure(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    advice.sent()
    with database.transaction() as session:
        drop_triggers(session)
        session.execute(text("UPDATE audit SET ip = '10.9.9.9' WHERE action = 'advice_sent'"))
        session.execute(text("UPDATE outbox SET queued_at = '2020-01-01 00:00:00'"))
        session.execute(text("UPDATE audit SET at = '2099-01-01 00:00:00' WHERE seq = 1"))
    bad = settings.model_copy(
        update={
            "public_url": "http://desk.example.com",
            "smtp_url": "smtp://127.0.0.1:9",
            "redis_url": "redis://127.0.0.1:9",
            "backup_dir": str(tmp_path / "nothing"),
        }
    )

    found = _found(bad)

    wrong = {part for part, one in found.items() if one.state is State.WRONG} - {"Disk"}
    assert wrong == {
        "Public URL", "Mail", "Backups", "Triggers", "Outbox", "Audit trail", "Clock",
    }  # fmt: skip
    assert found["Redis"].state is State.LOOK
    assert all(found[part].cure for part in wrong)


def test_other_keys_a_missing_and_an_old_database_are_named(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    other = settings.model_copy(update={"secrets_keys": "test:" + "B" * 43 + "="})
    assert _found(other)["Keys"].state is State.WRONG
    nowhere = Settings(data_dir=tmp_path / "nowhere")
    assert _found(nowhere)["Database"].state is State.WRONG
    assert _found(nowhere)["Key file"].state is State.WRONG
    key_file = tmp_path / "keys" / "secrets.key"
    key_file.parent.mkdir()
    key_file.write_text(settings.secrets_keys)
    key_file.chmod(0o644)
    open_to_all = Settings(data_dir=key_file.parent)
    assert "Others can read" in _found(open_to_all)["Key file"].text


def test_the_doctor_says_so_on_the_command_line(
    database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    monkeypatch.setattr(settings_checks, "LEAST_FREE", 0)
    monkeypatch.setattr(settings_checks, "LEAST_FREE_SHARE", 0)

    assert cli.main(["doctor", "--data-dir", str(settings.data_dir)]) == 0
    output = capsys.readouterr().out
    assert "ok     Audit trail" in output
    assert "look   Backups: No automatic backups.\n       -> Set TARAZU_BACKUP_DIR" in output


# ---- metrics -------------------------------------------------------------------------------------


def _metrics(app: FastAPI, peer: str, **headers: str) -> Any:
    return TestClient(app, client=(peer, 50_000)).get("/metrics", headers=headers)


def test_metrics_are_shown_to_this_computer_alone(app: FastAPI, admin: Desk) -> None:
    admin.get("/profile")

    answer = _metrics(app, "127.0.0.1")

    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    told = answer.text
    assert 'tarazu_http_requests_total{method="GET",route="/api/v1/profile",status="200"}' in told
    assert 'tarazu_http_request_duration_seconds_count{method="GET"' in told
    assert "tarazu_database_up 1" in told
    assert 'tarazu_outbox_mails{status="QUEUED"} 0' in told
    for line in told.splitlines():
        assert line.startswith("#") or len(line.rsplit(" ", 1)) == 2
        if not line.startswith("#"):
            float(line.rsplit(" ", 1)[1])
    assert _metrics(app, "10.0.0.5").status_code == 404
    # Through a proxy on this computer everybody comes from 127.0.0.1.
    assert _metrics(app, "127.0.0.1", **{"X-Forwarded-For": "203.0.113.9"}).status_code == 404


def test_metrics_are_shown_to_the_named_addresses(settings: Settings, database: Database) -> None:
    wanted = settings.model_copy(
        update={"metrics_allow": "10.0.0.0/24", "trusted_proxies": "127.0.0.1"}
    )
    app = create_app(wanted, database)

    assert _metrics(app, "10.0.0.5").status_code == 200
    assert _metrics(app, "10.0.1.5").status_code == 404
    passed_on = {"X-Forwarded-For": "10.0.0.7"}
    assert _metrics(app, "127.0.0.1", **passed_on).status_code == 200
    stranger = {"X-Forwarded-For": "203.0.113.9"}
    assert _metrics(app, "127.0.0.1", **stranger).status_code == 404


# ---- what is past its years ----------------------------------------------------------------------


def _age(database: Database, days: int) -> None:
    """Make all that is there so many days older, as if the time had passed."""
    columns = {
        "audit": "at",
        "advices": "created_at",
        "advice_seals": "sealed_at",
        "outbox": "queued_at",
    }
    with database.transaction() as session:
        drop_triggers(session)
        for table, column in columns.items():
            older = (
                f"datetime({column}, '-{days} days')"
                if database.is_sqlite
                else f"{column} - interval '{days} days'"
            )
            session.execute(text(f"UPDATE {table} SET {column} = {older}"))
    migrations.bring_up_to_date(database)


def test_what_is_past_its_five_years_goes_and_the_rest_still_holds(
    advice: AdviceDesk, database: Database
) -> None:
    advice.sent()
    _age(database, 2_000)
    # The trail of these years was written by them: its hashes are those of its times.
    with database.transaction() as session:
        drop_triggers(session)
        _rebuild_chain(session)
    migrations.bring_up_to_date(database)
    kept = advice.sent()

    trial = purge.purge(database, clock.now(), is_trial=True)
    done = purge.purge(database, clock.now(), is_trial=False)

    counts = {one.what: one.count for one in done}
    assert counts["advice"] == counts["seals of advice"] == 1
    assert counts["stocks of advice"] == 3
    assert counts["rows of the audit trail"] > 3
    assert trial == done
    assert [row["_id"] for row in advice.history()] == [kept]
    with database.reading() as session:
        assert audit_log.verify(session).fault is None
        faults = verification.verify_all(session, lambda found: None)
    assert faults == []
    found = advice.desk.get(f"/admin/advice/{kept}/verify").json()["data"]
    assert found["holds"] is True, found
    assert all(one.count == 0 for one in purge.purge(database, clock.now(), is_trial=True))


def _rebuild_chain(session: Any) -> None:
    previous = ""
    for row in session.execute(select(AuditRow).order_by(AuditRow.seq)).scalars():
        row.previous_hash = previous
        row.hash = previous = chained_hash(row, audit_log._key_of(session))
    session.flush()
    session.execute(text("DELETE FROM audit_head"))
    audit_log.begin_head(session)


def test_younger_records_stay(advice: AdviceDesk, database: Database) -> None:
    advice.sent()

    removed = purge.purge(database, clock.now() + dt.timedelta(days=1_000), is_trial=True)

    assert {one.what for one in removed if one.count} <= {"mails"}


def test_a_row_says_what_was_removed(database: Database) -> None:
    with database.transaction() as session:
        audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", 1))
    assert purge.purge(database, clock.now(), is_trial=False)[-1].count == 0
    with database.reading() as session:
        assert audit_log.all_changes_of(session, "records_purged") == []


def test_connect_links_go_a_month_after_they_opened_anything(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    ages = {"fresh": 0, "used": 31, "recent": 29, "old": 32}
    now = clock.now()
    with database.transaction() as session:
        for word, days in ages.items():
            session.add(
                ConnectLink(
                    id=new_id(),
                    digest=word,
                    client_id=UUID(client_id),
                    made_at=now - dt.timedelta(days=days),
                    expires_at=now - dt.timedelta(days=days - 1),
                    used_at=now - dt.timedelta(days=days) if word == "used" else None,
                )
            )

    trial = purge.purge(database, now, is_trial=True)
    dropped = jobs.drop_old_links(database, now)

    assert {one.what: one.count for one in trial}["connect links"] == 1
    assert dropped == 1
    assert jobs.drop_old_links(database, now + dt.timedelta(days=1)) == 1
    with database.reading() as session:
        rows = session.execute(select(ConnectLink.digest)).scalars()
        assert set(rows) == {"fresh", "recent"}


def test_a_data_directory_readable_by_others_is_reported(
    database: Database, settings: Settings
) -> None:
    settings.data_dir.chmod(0o755)
    before = {one.part: one for one in doctor.look(settings, clock.now())}["Data directory"]
    settings.data_dir.chmod(0o700)
    after = {one.part: one for one in doctor.look(settings, clock.now())}["Data directory"]

    assert (before.state, after.state) == (State.LOOK, State.FINE)
    assert before.cure == f"chmod 700 {settings.data_dir}"


def test_with_angel_one_the_address_that_it_knows_us_by_is_asked_for(
    admin: Desk, settings: Settings
) -> None:
    assert "Angel One" not in _found(settings)

    assert admin.post("/brokers/add", ANGEL).status_code == 201

    found = _found(settings)["Angel One"]
    assert found.state is State.LOOK
    assert "TARAZU_ANGEL_PUBLIC_IP" in found.cure
    named = settings.model_copy(update={"angel_public_ip": "203.0.113.5"})
    assert _found(named)["Angel One"].state is State.FINE


def test_the_doctor_reports_a_missing_price_folder_and_the_last_refused_file(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    watched = settings.model_copy(update={"prices_folder": str(tmp_path / "nowhere")})
    missing = _found(watched)["Price folder"]
    (tmp_path / "nowhere").mkdir()
    refused = {
        "hash": "a", "name": "b.csv", "source": "", "day": None, "prices": 0,
        "problem": "The file is of MCX.", "at": clock.now(), "account_id": None,
    }  # fmt: skip
    with database.transaction() as session:
        prices.note_file(session, refused)

    found = _found(watched)

    assert (missing.state, found["Price folder"].state) == (State.WRONG, State.FINE)
    assert found["Price files"].state is State.LOOK
    assert found["Price files"].text == "b.csv was refused: The file is of MCX."
