"""Sealed advice: what is kept, that it holds, and that whatever is done to it is named."""

import datetime as dt
import json
import uuid
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from tarazu import migrations
from tarazu.advice import package, recomputation, sealing, verification
from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal, AdviceStock
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.migrations import triggers
from tarazu.migrations.triggers import AGE_COLUMNS, missing_triggers
from tests.advice.conftest import AdviceDesk, seal_of
from tests.people_of import Desk, data_of
from tests.rows_of import run, scalar
from tests.tampering import drop_triggers

pytestmark = pytest.mark.on_both


def _verified(desk: Desk, advice_id: str) -> dict[str, Any]:
    return dict(data_of(desk.get(f"/admin/advice/{advice_id}/verify")))


def _faults(desk: Desk, advice_id: str) -> list[str]:
    found = _verified(desk, advice_id)
    faults = [check["name"] for check in found["checks"] if check["holds"] is False]
    assert found["holds"] is not bool(faults)
    return faults


def test_the_package_holds_everything_the_advice_is_based_on(
    advice: AdviceDesk, database: Database
) -> None:
    advice_id = advice.sent(rationale="Quality at a fair price.")

    sealed = json.loads(seal_of(database, advice_id).package)

    assert sealed["sealed_as"] == "SENT"
    sender = sealed["sender"]
    assert (sender["name"], sender["role"], sender["ip"]) == (
        "Ananya Kulkarni",
        "ADMIN",
        "testclient",
    )
    assert sender["session_id"]
    assert sealed["client"]["code"] == "C0001"
    rebalance = sealed["rebalance"]
    assert [
        (target["stock"]["symbol"], target["allocation"]) for target in rebalance["targets"]
    ] == [
        ("INFY", "20.00"),
        ("TCS", "40.00"),
        ("RELIANCE", "30.00"),
    ]
    assert rebalance["positions"][0]["quantity"] == 100
    assert rebalance["holdings_source"] == "FILE"
    assert {price["source"] for price in rebalance["prices"]} == {"SIMULATED"}
    assert all(price["at"] for price in rebalance["prices"])
    assert rebalance["rates"]["broker"] == "ZERODHA"
    assert rebalance["charged_on"]
    assert rebalance["engine"] == sealed["engine"]
    assert sealed["at_sending"]["positions"] == rebalance["positions"]
    assert sealed["rationale"] == "Quality at a fair price."
    assert sealed["firm"]["standard_warning"]
    assert sealed["delivery"]["recipient"] == "kavya@home.example"
    assert sealed["letter"] == {
        "file_name": f"advice-C0001-{clock.today().isoformat()}.pdf",
        "sha256": "",
        "size": 0,
    }


def test_every_advice_is_linked_to_the_one_before(advice: AdviceDesk, database: Database) -> None:
    first, second = seal_of(database, advice.sent()), seal_of(database, advice.sent())

    assert (first.previous_hash, second.previous_hash) == ("", first.hash)
    assert second.hash == sealing.link_of(first.hash, sealing.digest_of(second.package.encode()))


def test_a_sealed_advice_holds_and_comes_out_the_same(advice: AdviceDesk, user: Desk) -> None:
    advice_id = advice.sent()
    advice.set_letters()

    for desk in (advice.desk, user):
        found = _verified(desk, advice_id)
        assert found["holds"] is True
        assert {check["name"]: check["holds"] for check in found["checks"]} == {
            "Package": True,
            "Chain": True,
            "Signature": True,
            "Audit trail": True,
            "Number": True,
            "Letter": True,
            "History": True,
            "Rows": True,
            "Rebalance": True,
        }
        assert found["checks"][-1]["message"] == (
            "Computed again: the same quantities in all 4 rows."
        )


def test_an_advice_of_a_newer_engine_is_not_called_wrong(
    advice: AdviceDesk, database: Database
) -> None:
    computed = sealing.from_text(seal_of(database, advice.sent()).package).rebalance
    assert computed is not None

    check = recomputation.check_of_rebalance(replace(computed, engine="tarazu 9.0.0, rules 999"))

    assert check.holds is None
    assert check.message == (
        f"Computed by tarazu 9.0.0, rules 999, which has other rules than this one "
        f"({package.ENGINE}): not computed again. Only the rows are checked."
    )


def test_advice_without_a_rebalance_is_computed_from_its_rows(
    advice: AdviceDesk, database: Database
) -> None:
    body = advice.advice_of(advice.rebalanced())
    del body["rebalanceId"]
    advice_id = advice.send(body).json()["data"]["_id"]

    computed = json.loads(seal_of(database, advice_id).package)["rebalance"]

    assert [(row["stock"]["symbol"], row["new_quantity"]) for row in computed["rows"]] == [
        *((row["symbol"], row["newQuantity"]) for row in advice.rebalanced()["data"][:3]),
        ("ITC", 10),
    ]
    assert computed["summary"]["trades"] == 3
    changed = sealing.from_text(seal_of(database, advice_id).package).rebalance
    assert changed is not None
    other = replace(changed, rows=(replace(changed.rows[0], drift=Decimal(1)), *changed.rows[1:]))
    assert "INFY has other figures" in recomputation.check_of_rebalance(other).message


def test_advice_without_a_rebalance_is_sealed_with_what_was_known(
    advice: AdviceDesk, database: Database
) -> None:
    body = advice.advice_of(advice.rebalanced())
    del body["rebalanceId"]
    advice_id = advice.send(body).json()["data"]["_id"]

    found = _verified(advice.desk, advice_id)

    assert found["holds"] is True
    assert found["checks"][-1] == {
        "name": "Rebalance",
        "holds": True,
        "message": "The sender chose the shares; computed again, all 4 rows are the same.",
    }
    known = json.loads(seal_of(database, advice_id).package)["at_sending"]
    assert known["positions"][0]["quantity"] == 100
    assert {price["stock"]["symbol"] for price in known["prices"]} == {"INFY", "TCS", "RELIANCE"}


def test_an_advice_that_is_not_there_is_not_found(admin: Desk) -> None:
    nobody = uuid.uuid4()

    assert admin.get(f"/admin/advice/{nobody}/verify").status_code == 404
    assert admin.get(f"/admin/advice/{nobody}/sealed.zip").status_code == 404
    assert admin.post(f"/admin/advice/{nobody}/resend").status_code == 404


@pytest.mark.parametrize("table", sorted(AGE_COLUMNS.keys() - {"invoices", "invoice_files"}))
@pytest.mark.parametrize("act", ["UPDATE", "DELETE"])
def test_the_database_refuses_to_change_what_is_kept(
    advice: AdviceDesk, database: Database, table: str, act: str
) -> None:
    advice.sent()
    advice.set_letters()
    column = AGE_COLUMNS[table] or "advice_id"
    statement = (
        f"UPDATE {table} SET {column} = {column}" if act == "UPDATE" else f"DELETE FROM {table}"
    )

    with pytest.raises(DBAPIError, match="are kept as they were written"):
        run(database, text(statement))

    assert scalar(database, text(f"SELECT count(*) FROM {table}")) > 0


def test_rows_past_their_five_years_may_go(advice: AdviceDesk, database: Database) -> None:
    advice.sent()
    with database.transaction() as session:
        drop_triggers(session)
        long_ago = "2019-01-02 03:04:05"
        session.execute(text(f"UPDATE advices SET created_at = '{long_ago}'"))
        session.execute(text(f"UPDATE advice_seals SET sealed_at = '{long_ago}'"))
    open_again(advice)

    with database.transaction() as session:
        session.execute(text("DELETE FROM letters_due"))
        session.execute(text("DELETE FROM advice_stocks"))
        session.execute(text("DELETE FROM advice_seals"))
        session.execute(text("DELETE FROM advices"))

    assert advice.history() == []


def open_again(advice: AdviceDesk) -> None:
    """A start of the product on the same database: missing triggers are set up."""
    migrations.bring_up_to_date(advice.database)


def test_triggers_are_back_after_a_migration_that_recreates_the_table(
    advice: AdviceDesk, database: Database
) -> None:
    advice.sent()
    # PostgreSQL does not recreate a table that others refer to; SQLite always does.
    tables = sorted(AGE_COLUMNS) if database.is_sqlite else ["advice_seals", "audit"]
    with migrations.migrating(database) as connection:
        triggers.drop_triggers(connection)
        operations = Operations(MigrationContext.configure(connection))
        for table in tables:
            with operations.batch_alter_table(table, recreate="always"):
                pass
        assert missing_triggers(connection)

    open_again(advice)

    with database.engine.connect() as connection:
        assert missing_triggers(connection) == []
    with pytest.raises(DBAPIError, match="are kept as they were written"):
        run(database, delete(AdviceSeal))


def _change_package(session: Any, advice_id: uuid.UUID) -> None:
    row = session.execute(select(AdviceSeal).where(AdviceSeal.advice_id == advice_id)).scalar_one()
    changed = row.package.replace("Ananya Kulkarni", "Somebody Else")
    session.execute(
        update(AdviceSeal).where(AdviceSeal.advice_id == advice_id).values(package=changed)
    )


def _forge(session: Any, advice_id: uuid.UUID) -> None:
    """Another quantity, with every hash made to fit, but without the key."""
    row = session.execute(select(AdviceSeal).where(AdviceSeal.advice_id == advice_id)).scalar_one()
    told = json.loads(row.package)
    told["rebalance"]["rows"][0]["new_quantity"] += 1
    changed = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = sealing.digest_of(changed.encode())
    session.execute(
        update(AdviceSeal)
        .where(AdviceSeal.advice_id == advice_id)
        .values(
            package=changed,
            package_hash=digest,
            hash=sealing.link_of(row.previous_hash, digest),
        )
    )


def _change_letter(session: Any, advice_id: uuid.UUID) -> None:
    changed = update(AdviceLetter).where(AdviceLetter.advice_id == advice_id)
    session.execute(changed.values(letter=b"%PDF-1.7 other"))


def _change_history(session: Any, advice_id: uuid.UUID) -> None:
    session.execute(
        update(AdviceStock).where(AdviceStock.advice_id == advice_id).values(quantity=1)
    )


def _change_day(session: Any, advice_id: uuid.UUID) -> None:
    long_ago = clock.now() - dt.timedelta(days=400)
    session.execute(update(Advice).where(Advice.id == advice_id).values(created_at=long_ago))


def _change_exchange(session: Any, advice_id: uuid.UUID) -> None:
    session.execute(
        update(AdviceStock).where(AdviceStock.advice_id == advice_id).values(exchange="BSE")
    )


def _change_count(session: Any, advice_id: uuid.UUID) -> None:
    session.execute(update(Advice).where(Advice.id == advice_id).values(total_stocks=9))


def _change_number(session: Any, advice_id: uuid.UUID) -> None:
    session.execute(update(AdviceSeal).where(AdviceSeal.advice_id == advice_id).values(seq=7))


@pytest.mark.parametrize(
    ("act", "named"),
    [
        (_change_day, ["History"]),
        (_change_exchange, ["History"]),
        (_change_count, ["History"]),
        (_change_number, ["Number"]),
        (_change_package, ["Package"]),
        (_forge, ["Signature", "Audit trail", "Letter", "Rows", "Rebalance"]),
        (_change_letter, ["Letter"]),
        (_change_history, ["History"]),
    ],
)
def test_what_was_changed_is_named(
    advice: AdviceDesk, database: Database, act: Any, named: list[str]
) -> None:
    advice_id = advice.sent()
    advice.set_letters()
    with database.transaction() as session:
        drop_triggers(session)
        act(session, uuid.UUID(advice_id))

    assert _faults(advice.desk, advice_id) == named


def test_removed_inserted_and_unsealed_advice_is_named(
    advice: AdviceDesk, database: Database
) -> None:
    ids = [advice.sent() for _ in range(4)]
    with database.transaction() as session:
        drop_triggers(session)
        gone = [uuid.UUID(ids[1]), uuid.UUID(ids[3])]
        session.execute(delete(AdviceSeal).where(AdviceSeal.advice_id.in_(gone)))

    failed = []
    with database.reading() as session:
        faults = verification.verify_all(
            session, lambda found: None if found.holds else failed.append(str(found.advice_id))
        )

    assert failed == [ids[2]]
    assert sorted(faults) == sorted(
        line
        for one in (ids[1], ids[3])
        for line in (
            f"{one}: the advice is not sealed.",
            f"{one}: it is in the audit trail, but not among the sealed advice.",
        )
    )


def test_another_engine_that_comes_out_otherwise_is_named(
    advice: AdviceDesk, database: Database
) -> None:
    sealed = sealing.from_text(seal_of(database, advice.sent()).package)
    assert sealed.rebalance is not None
    rows = list(sealed.rebalance.rows)
    other = [package.Row(**{**_fields(rows[1]), "new_quantity": rows[1].new_quantity - 1})]
    computed = package.Package(
        **{**_fields(sealed.rebalance), "rows": (rows[0], *other, *rows[2:])}
    )

    check = recomputation.check_of_rebalance(computed)

    assert check.holds is False
    assert "TCS 65 shares then, 66 now" in check.message


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def test_a_send_that_failed_leaves_no_gap_in_the_numbers(
    advice: AdviceDesk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice.sent()
    body = advice.advice_of(advice.rebalanced())
    with monkeypatch.context() as broken:
        broken.setattr("tarazu.advice.sending.audit_log.record_many", _fail)
        assert advice.send(body).status_code == 500

    advice_id = advice.sent()

    assert seal_of(database, advice_id).seq == 2


def _fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError
