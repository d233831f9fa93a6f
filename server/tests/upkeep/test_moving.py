"""The move to PostgreSQL: everything, checked there, or nothing."""

import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, text

from tarazu import cli
from tarazu.app import create_app, open_database
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.settings import Settings
from tarazu.migrations.triggers import missing_triggers
from tarazu.upkeep import moving
from tarazu.upkeep.moving import CannotMove
from tests.brokers.test_broker_records import ZERODHA
from tests.conftest import KEYS, UNLIMITED
from tests.people_of import ADMIN, Desk, sign_up

pytestmark = pytest.mark.on_both

SECRET = "canary in the vault"


@pytest.fixture
def source(sqlite_template: Path, tmp_path: Path) -> Settings:
    """An installation on SQLite with a client, some money, a secret and a mail; closed."""
    shutil.copy(sqlite_template, tmp_path / "tarazu.db")
    settings = Settings(data_dir=tmp_path, secrets_keys=KEYS, rate_limit_scale=UNLIMITED)
    database = open_database(settings)
    web = TestClient(create_app(settings, database))
    desk = Desk(web, sign_up(web, ADMIN))
    client_id = desk.add_client()
    flow = {"date": "2026-01-05", "amount": 123456.78, "type": "FUNDS_ADDED"}
    path = f"/admin/clients/client/{client_id}/accounting/transaction"
    assert desk.post(path, flow).status_code == 201
    assert desk.post("/brokers/add", ZERODHA | {"apiSecret": SECRET}).status_code == 201
    web.post("/api/v1/auth/forget-password/request", json={"email": ADMIN["email"]})
    database.dispose()
    return settings


@pytest.fixture
def target(postgres_server: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    name = f"tarazu_moved_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    yield f"{postgres_server.rpartition('/')[0]}/{name}".replace("ql:", "ql+psycopg:", 1)
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def tables_of(target: str) -> int:
    with psycopg.connect(target.replace("+psycopg", "")) as server:
        row = server.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        ).fetchone()
    assert row is not None
    return int(row[0])


def quiet(_: str) -> None:
    pass


def test_what_was_on_sqlite_is_served_from_postgresql(source: Settings, target: str) -> None:
    moved = moving.move(source, target, quiet)

    settings = source.model_copy(update={"database_url": target})
    database = open_database(settings)
    web = TestClient(create_app(settings, database))
    desk = Desk(web, web.post("/api/v1/auth/login", json=ADMIN).json()["accessToken"])
    (client,) = desk.get("/admin/clients").json()["data"]
    flows = desk.get(f"/admin/clients/client/{client['_id']}/accounting").json()["data"]
    new = desk.post("/admin/remarks", {"user": client["_id"], "remark": "After the move."})
    with database.reading() as session:
        kept = session.execute(text("SELECT seq FROM audit ORDER BY seq")).scalars().all()
        checked = audit_log.verify(session)
        mails = session.execute(text("SELECT count(*) FROM outbox")).scalar_one()
        units = session.execute(text("SELECT sum(amount) FROM cash_flows")).scalar_one()
    with database.engine.connect() as connection:
        missing = missing_triggers(connection)
    database.dispose()
    assert client["name"] == "Kavya Menon"
    assert [flow["amount"] for flow in flows] == [123456.78]
    assert Decimal(units) / 10_000 == Decimal("123456.78")
    assert new.status_code == 201
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) > moved.trail_rows > 0
    assert checked.fault is None
    assert (mails, missing) == (moved.rows["outbox"], [])
    assert moved.secrets >= 2
    assert moved.sums > 50


def test_a_place_that_is_not_empty_is_refused(source: Settings, target: str) -> None:
    moving.move(source, target, quiet)

    with pytest.raises(CannotMove, match="tables already"):
        moving.move(source, target, quiet)


def test_nothing_is_moved_while_somebody_serves(source: Settings, target: str) -> None:
    serving = open_database(source)
    with serving.reading() as session:
        session.execute(text("SELECT 1 FROM firm"))

    with pytest.raises(CannotMove, match="stop every process"):
        moving.move(source, target, quiet)

    serving.dispose()
    assert tables_of(target) == 0
    moving.move(source, target, quiet)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE people SET name = 'Kavya Menom' WHERE client_code = 'C0001'", "copy of people"),
        ("UPDATE cash_flows SET amount = amount + 1", "copy of cash_flows"),
    ],
)
def test_a_copy_that_differs_is_not_kept(
    source: Settings, target: str, monkeypatch: pytest.MonkeyPatch, statement: str, told: str
) -> None:
    def spoil(connection: Connection) -> None:
        connection.execute(text(statement))

    monkeypatch.setattr(moving, "_set_sequences", spoil)

    with pytest.raises(CannotMove, match=told):
        moving.move(source, target, quiet)

    assert tables_of(target) == 0


def test_a_trail_that_does_not_hold_is_not_moved(source: Settings, target: str) -> None:
    database = open_database(source)
    with database.transaction() as session:
        session.execute(text("DROP TRIGGER audit_no_update"))
        session.execute(text("UPDATE audit SET action = 'client_lost' WHERE seq = 2"))
    database.dispose()

    with pytest.raises(CannotMove, match="Row 2 was changed"):
        moving.move(source, target, quiet)

    assert tables_of(target) == 0


@pytest.mark.long
def test_a_move_that_is_killed_leaves_nothing_and_may_be_run_again(
    source: Settings, target: str
) -> None:
    database = open_database(source)
    with database.transaction() as session:
        for number in range(3_000):
            audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", number))
    database.dispose()
    words = [sys.executable, "-m", "tarazu", "move", "--to", target]
    around = os.environ | {"TARAZU_SECRETS_KEYS": KEYS, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*words, "--data-dir", str(source.data_dir)], env=around, stdout=subprocess.PIPE, text=True
    ) as mover:
        assert mover.stdout is not None
        # It has copied everything, and reads it again.
        assert any("Verifying" in line for line in mover.stdout)
        mover.kill()

    assert tables_of(target) == 0
    moved = moving.move(source, target, quiet)
    assert moved.rows[AuditRow.__tablename__] > 3_000


def test_the_command_line_says_what_was_moved_and_what_prevents_it(
    source: Settings,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", KEYS)
    here = ["--data-dir", str(source.data_dir)]

    assert cli.main(["move", "--to", "sqlite:///other.db", *here]) == 1
    assert cli.main(["move", "--to", target, "--data-dir", str(tmp_path / "nothing")]) == 1
    assert cli.main(["move", "--to", target, *here]) == 0
    said = capsys.readouterr()
    assert "give the new database as postgresql+psycopg://" in said.err
    assert "there is no database at" in said.err
    assert "rows copied and verified" in said.out
    monkeypatch.setenv("TARAZU_DATABASE_URL", target)
    assert cli.main(["move", "--to", target, *here]) == 1
    assert "on PostgreSQL already" in capsys.readouterr().err
    assert cli.main(["audit-verify", *here]) == 0
