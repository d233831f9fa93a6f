"""Sealed advice: what is kept, that it holds, and that whatever is done to it is named."""

import datetime as dt
import io
import json
import shutil
import subprocess
import sys
import uuid
import zipfile
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pypdf import PdfReader
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from tarazu import cli, migrations
from tarazu.advice import kept_letters, package, sealing, service, vouching
from tarazu.advice.adapters import verify_export
from tarazu.advice.adapters.letter import letter_of
from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal, AdviceStock
from tarazu.app import open_database
from tarazu.domain import rebalance as rebalance_rules
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.settings import Settings
from tarazu.kit.signing import SigningKey
from tarazu.migrations import triggers
from tarazu.migrations.triggers import AGE_COLUMNS, missing_triggers
from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk
from tests.tampering import lay_bare

pytestmark = pytest.mark.on_both


Line = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def line(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Line:
    """The command `tarazu advice …` on the database of this test."""
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    return lambda *words: cli.main(["advice", *words, "--data-dir", str(settings.data_dir)])


def _seal(database: Database, advice_id: str) -> AdviceSeal:
    statement = select(AdviceSeal).where(AdviceSeal.advice_id == uuid.UUID(advice_id))
    with database.reading() as session:
        return session.execute(statement).scalar_one()


def _verified(desk: Desk, advice_id: str) -> dict[str, Any]:
    answer = desk.get(f"/admin/advice/{advice_id}/verify")
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"])


def _faults(desk: Desk, advice_id: str) -> list[str]:
    found = _verified(desk, advice_id)
    faults = [check["name"] for check in found["checks"] if check["holds"] is False]
    assert found["holds"] is not bool(faults)
    return faults


def test_the_package_holds_all_that_stands_behind_the_advice(
    advice: AdviceDesk, database: Database
) -> None:
    advice_id = advice.sent(rationale="Quality at a fair price.")

    sealed = json.loads(_seal(database, advice_id).package)

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
    assert [(one["stock"]["symbol"], one["allocation"]) for one in rebalance["targets"]] == [
        ("INFY", "20.00"),
        ("TCS", "40.00"),
        ("RELIANCE", "30.00"),
    ]
    assert rebalance["positions"][0]["quantity"] == 100
    assert rebalance["holdings_source"] == "FILE"
    assert {one["source"] for one in rebalance["prices"]} == {"SIMULATED"}
    assert all(one["at"] for one in rebalance["prices"])
    assert rebalance["rates"]["broker"] == "ZERODHA"
    assert rebalance["charged_on"]
    assert rebalance["engine"] == sealed["engine"]
    assert sealed["at_sending"]["positions"] == rebalance["positions"]
    assert sealed["rationale"] == "Quality at a fair price."
    assert sealed["firm"]["standard_warning"]
    assert sealed["delivery"]["recipient"] == "kavya@home.example"
    letter = advice.desk.get(f"/admin/advice/{advice_id}/letter.pdf").content
    assert sealed["letter"]["sha256"] == sealing.digest_of(letter)


def test_every_advice_is_linked_to_the_one_before(advice: AdviceDesk, database: Database) -> None:
    first, second = _seal(database, advice.sent()), _seal(database, advice.sent())

    assert (first.previous_hash, second.previous_hash) == ("", first.hash)
    assert second.hash == sealing.link_of(first.hash, sealing.digest_of(second.package.encode()))


def test_a_sealed_advice_holds_and_comes_out_the_same(advice: AdviceDesk, user: Desk) -> None:
    advice_id = advice.sent()

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
            "Worked out again: the same quantities in all 4 rows."
        )


def test_an_advice_computed_by_older_rules_is_verified_by_them(
    advice: AdviceDesk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Short of money: what was missing was taken in equal rupees of every stock then.
    short = {
        "targets": {"INFY": 50, "TCS": 10, "RELIANCE": 40},
        "options": {"allowFreshFunds": False},
    }
    now_computed = advice.rebalanced(**short)["data"]
    with monkeypatch.context() as then:
        then.setattr(rebalance_rules._Draft, "proportion", Fraction(1))
        then.setattr(service, "Package", partial(package.Package, engine="tarazu 1.0.0"))
        computed = advice.rebalanced(**short)
        advice_id = advice.send(advice.advice_of(computed)).json()["data"]["_id"]
    shares = [row["newQuantity"] for row in computed["data"]]
    assert shares != [row["newQuantity"] for row in now_computed]

    found = _verified(advice.desk, advice_id)

    assert found["holds"] is True
    assert found["checks"][-1]["message"] == (
        f"Worked out again: the same quantities in all {len(shares)} rows, then by tarazu 1.0.0, "
        f"now by {package.ENGINE} with the rules of then (version 1)."
    )


def test_an_advice_of_a_newer_engine_is_not_called_wrong(
    advice: AdviceDesk, database: Database
) -> None:
    computed = sealing.from_text(_seal(database, advice.sent()).package).rebalance
    assert computed is not None

    check = sealing.check_of_rebalance(replace(computed, engine="tarazu 9.0.0, rules 999"))

    assert check.holds is None
    assert check.message == (
        f"Computed by tarazu 9.0.0, rules 999, which is newer than this one ({package.ENGINE}): "
        "not computed again. The rows alone are checked."
    )


def test_advice_without_a_rebalance_is_computed_from_its_rows(
    advice: AdviceDesk, database: Database
) -> None:
    body = advice.advice_of(advice.rebalanced())
    del body["rebalanceId"]
    advice_id = advice.send(body).json()["data"]["_id"]

    computed = json.loads(_seal(database, advice_id).package)["rebalance"]

    assert [(row["stock"]["symbol"], row["new_quantity"]) for row in computed["rows"]] == [
        *((row["symbol"], row["newQuantity"]) for row in advice.rebalanced()["data"][:3]),
        ("ITC", 10),
    ]
    assert computed["summary"]["trades"] == 3
    changed = sealing.from_text(_seal(database, advice_id).package).rebalance
    assert changed is not None
    other = replace(changed, rows=(replace(changed.rows[0], drift=Decimal(1)), *changed.rows[1:]))
    assert "INFY has other figures" in sealing.check_of_rebalance(other).message


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
        "message": "The sender chose the shares; computed again, they come to the same in all 4 rows.",
    }
    known = json.loads(_seal(database, advice_id).package)["at_sending"]
    assert known["positions"][0]["quantity"] == 100
    assert {one["stock"]["symbol"] for one in known["prices"]} == {"INFY", "TCS", "RELIANCE"}


def test_an_advice_that_is_not_there_is_not_found(admin: Desk) -> None:
    nobody = uuid.uuid4()

    assert admin.get(f"/admin/advice/{nobody}/verify").status_code == 404
    assert admin.get(f"/admin/advice/{nobody}/sealed.zip").status_code == 404
    assert admin.post(f"/admin/advice/{nobody}/resend").status_code == 404


@pytest.mark.parametrize("table", sorted(AGE_COLUMNS))
@pytest.mark.parametrize("act", ["UPDATE", "DELETE"])
def test_the_database_refuses_to_change_what_is_kept(
    advice: AdviceDesk, database: Database, table: str, act: str
) -> None:
    advice_id = advice.sent()
    if table == "advice_letters":
        _set_late(database, uuid.UUID(advice_id))
    column = AGE_COLUMNS[table] or "advice_id"
    statement = (
        f"UPDATE {table} SET {column} = {column}" if act == "UPDATE" else f"DELETE FROM {table}"
    )

    with pytest.raises(DBAPIError, match="are kept as they were written"):  # noqa: SIM117
        with database.transaction() as session:
            session.execute(text(statement))

    with database.reading() as session:
        assert session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() > 0


def _set_late(database: Database, advice_id: uuid.UUID) -> None:
    """A letter as it is kept of advice that was sent with many others."""
    with database.transaction() as session:
        session.add(
            AdviceLetter(
                advice_id=advice_id,
                set_at=clock.now(),
                letter=b"%PDF-1.7",
                sha256="",
                key_id="",
                signature="",
            )
        )


def test_rows_past_their_five_years_may_go(advice: AdviceDesk, database: Database) -> None:
    advice.sent()
    with database.transaction() as session:
        lay_bare(session)
        long_ago = "2019-01-02 03:04:05"
        session.execute(text(f"UPDATE advices SET created_at = '{long_ago}'"))
        session.execute(text(f"UPDATE advice_seals SET sealed_at = '{long_ago}'"))
    open_again(advice)

    with database.transaction() as session:
        session.execute(text("DELETE FROM advice_stocks"))
        session.execute(text("DELETE FROM advice_seals"))
        session.execute(text("DELETE FROM advices"))

    assert advice.history() == []


def open_again(advice: AdviceDesk) -> None:
    """A start of the product on the same database: missing triggers are set up."""
    migrations.bring_up_to_date(advice.database)


def test_triggers_are_back_after_a_migration_that_makes_the_table_anew(
    advice: AdviceDesk, database: Database
) -> None:
    advice.sent()
    # PostgreSQL makes no table anew whose rows others name; SQLite does nothing else.
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
    with pytest.raises(DBAPIError, match="are kept as they were written"):  # noqa: SIM117
        with database.transaction() as session:
            session.execute(delete(AdviceSeal))


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
    session.execute(update(Advice).where(Advice.id == advice_id).values(letter=b"%PDF-1.7 other"))


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
        (_forge, ["Signature", "Audit trail", "Rows", "Rebalance"]),
        (_change_letter, ["Letter"]),
        (_change_history, ["History"]),
    ],
)
def test_what_was_changed_is_named(
    advice: AdviceDesk, database: Database, act: Any, named: list[str]
) -> None:
    advice_id = advice.sent()
    with database.transaction() as session:
        lay_bare(session)
        act(session, uuid.UUID(advice_id))

    assert _faults(advice.desk, advice_id) == named


def test_removed_inserted_and_unsealed_advice_is_named(
    advice: AdviceDesk, database: Database
) -> None:
    ids = [advice.sent() for _ in range(4)]
    with database.transaction() as session:
        lay_bare(session)
        gone = [uuid.UUID(ids[1]), uuid.UUID(ids[3])]
        session.execute(delete(AdviceSeal).where(AdviceSeal.advice_id.in_(gone)))

    failed = []
    with database.reading() as session:
        faults = vouching.verify_all(
            session, lambda found: None if found.holds else failed.append(str(found.advice_id))
        )

    assert failed == [ids[2]]
    assert sorted(faults) == sorted(
        line
        for one in (ids[1], ids[3])
        for line in (
            f"{one}: the advice is not sealed.",
            f"{one}: the audit trail tells of it, but it is not among the sealed advice.",
        )
    )


def test_another_engine_that_comes_out_otherwise_is_named(
    advice: AdviceDesk, database: Database
) -> None:
    sealed = sealing.from_text(_seal(database, advice.sent()).package)
    assert sealed.rebalance is not None
    rows = list(sealed.rebalance.rows)
    other = [package.Row(**{**_fields(rows[1]), "new_quantity": rows[1].new_quantity - 1})]
    computed = package.Package(
        **{**_fields(sealed.rebalance), "rows": (rows[0], *other, *rows[2:])}
    )

    check = sealing.check_of_rebalance(computed)

    assert check.holds is False
    assert "TCS 65 shares then, 66 now" in check.message


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def test_advice_of_an_older_version_is_sealed_as_it_is_known(
    advice: AdviceDesk, database: Database, settings: Settings
) -> None:
    ids = [advice.sent(), advice.sent()]
    with database.transaction() as session:
        lay_bare(session)
        session.execute(delete(AdviceSeal))
        session.execute(delete(SigningKey))
        session.execute(text("DELETE FROM audit_head"))

    open_database(settings).dispose()

    for advice_id in ids:
        sealed = json.loads(_seal(database, advice_id).package)
        assert sealed["sealed_as"] == "KNOWN"
        assert sealed["sender"]["ip"] == "testclient"
        assert sealed["at_sending"] is None
        found = _verified(advice.desk, advice_id)
        assert (found["sealedAs"], found["checks"][-1]["holds"]) == ("KNOWN", True)
    # A later start seals nothing: what has no seal then did not come from here.
    with database.transaction() as session:
        lay_bare(session)
        session.execute(delete(AdviceSeal))
    open_database(settings).dispose()
    assert advice.desk.get(f"/admin/advice/{ids[0]}/verify").status_code == 409


def test_number_and_fingerprint_stand_in_every_letter_and_mail(
    advice: AdviceDesk, database: Database
) -> None:
    ids = [advice.sent(), advice.sent()]

    for number, advice_id in enumerate(ids, 1):
        seal = _seal(database, advice_id)
        words = f"Seal number {number}, key fingerprint {seal.key_id}"
        pdf = advice.desk.get(f"/admin/advice/{advice_id}/letter.pdf").content
        assert words in " ".join(PdfReader(io.BytesIO(pdf)).pages[-1].extract_text().split())
        with database.reading() as session:
            mail_id = session.get_one(Advice, uuid.UUID(advice_id)).mail_id
            mail = session.get_one(Mail, mail_id)
        assert seal.seq == number
        assert words in mail.text
        assert words in mail.html


def test_a_send_that_failed_leaves_no_gap_in_the_numbers(
    advice: AdviceDesk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice.sent()
    body = advice.advice_of(advice.rebalanced())
    with monkeypatch.context() as broken:
        broken.setattr("tarazu.advice.storing.audit_log.record", _fail)
        assert advice.send(body).status_code == 500

    advice_id = advice.sent()

    assert _seal(database, advice_id).seq == 2


def _fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError


def test_a_letter_that_was_removed_is_named_and_set_again(
    advice: AdviceDesk, database: Database, line: Line, capsys: Capture
) -> None:
    advice_id = advice.sent()
    path = f"/admin/advice/{advice_id}/letter.pdf"
    pdf = advice.desk.get(path).content
    _remove_letter(database, advice_id)

    assert line("verify", advice_id) == 1
    assert (
        "FAULT  Letter: The letter was removed from the database. It can be set again as it was: "
        "tarazu advice restore-letters" in capsys.readouterr().out
    )
    assert advice.desk.get(path).content == pdf
    assert line("restore-letters") == 0
    assert "1 letter set again" in capsys.readouterr().out
    assert line("verify", advice_id) == 0
    assert advice.desk.get(path).content == pdf


def test_a_letter_that_does_not_come_out_as_it_was_is_told_as_lost(
    advice: AdviceDesk,
    database: Database,
    line: Line,
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = [advice.sent(), advice.sent()]
    _remove_letter(database, ids[0])
    # Another typesetter, years later.
    monkeypatch.setattr(kept_letters, "letter_of", lambda contents: b"%PDF-1.7 of another version")

    assert line("verify", ids[0]) == 1
    assert "FAULT  Letter: The letter is lost" in capsys.readouterr().out
    assert line("restore-letters") == 1
    told = capsys.readouterr()
    assert f"LOST   {ids[0]}" in told.out
    assert "1 letter is lost" in told.err
    refused = advice.desk.get(f"/admin/advice/{ids[0]}/letter.pdf")
    assert (refused.status_code, refused.json()["message"]) == (
        409,
        "The letter is lost: it was removed from the database. Restore it from a backup.",
    )
    assert line("export", str(tmp_path / "all.zip")) == 0
    assert "1 letter is missing" in capsys.readouterr().out
    checked = _check(_unpacked((tmp_path / "all.zip").read_bytes(), tmp_path / "all"))
    assert checked.returncode == 0, checked.stdout
    assert "note: the letter is not part of this export: it is lost" in checked.stdout
    assert "2 advices checked, 2 links, 0 faults, 1 letter missing" in checked.stdout


def _remove_letter(database: Database, advice_id: str) -> None:
    with database.transaction() as session:
        lay_bare(session)
        session.execute(update(Advice).where(Advice.id == uuid.UUID(advice_id)).values(letter=b""))


# ---- the export ----------------------------------------------------------------------------------


def _unpacked(content: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


def _check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        # Isolated, without site-packages: nothing but Python itself.
        [sys.executable, "-I", "-S", str(folder / "verify.py"), *words],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_third_party_can_check_an_export_and_sees_what_was_changed(
    advice: AdviceDesk, database: Database, tmp_path: Path
) -> None:
    ids = [advice.sent() for _ in range(3)]
    with database.reading() as session:
        between = [uuid.UUID(ids[0]), uuid.UUID(ids[2])]
        content = vouching.archive(session, between, clock.now(), {}).content
        key = session.execute(select(SigningKey.id)).scalar_one()
    folder = _unpacked(content, tmp_path / "export")

    good = _check(folder, "--key", key)

    assert good.returncode == 0, good.stdout + good.stderr
    assert "2 advices checked, 3 links, 0 faults" in good.stdout
    assert "SELL 34 INFY, BUY 66 TCS" in good.stdout
    assert _check(folder, "--key", "0" * 16).returncode == 1
    for act in (_spoil_package, _spoil_letter, _drop_link, _swap_links, _spoil_signature, _forget):
        bad = _unpacked(content, tmp_path / act.__name__)
        act(bad)
        told = _check(bad)
        assert told.returncode == 1, (act.__name__, told.stdout)
        assert "FAULT" in told.stdout


def _spoil_package(folder: Path) -> None:
    path = min((folder / "packages").iterdir())
    path.write_text(path.read_text().replace("Ananya", "Amrita"))


def _spoil_letter(folder: Path) -> None:
    min((folder / "letters").iterdir()).write_bytes(b"%PDF-1.7 other")


def _edit_chain(folder: Path, change: Any) -> None:
    path = folder / "chain.json"
    chain = json.loads(path.read_text())
    change(chain)
    path.write_text(json.dumps(chain))


def _drop_link(folder: Path) -> None:
    _edit_chain(folder, lambda chain: chain["links"].pop(1))


def _swap_links(folder: Path) -> None:
    _edit_chain(folder, lambda chain: chain["links"].reverse())


def _spoil_signature(folder: Path) -> None:
    def change(chain: Any) -> None:
        link = chain["links"][0]
        link["signature"] = chain["links"][1]["signature"]

    _edit_chain(folder, change)


def _forget(folder: Path) -> None:
    _edit_chain(folder, lambda chain: chain["links"].pop())


@given(edits=st.data())
@hypothesis_settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_is_done_to_an_export_is_named_without_a_traceback(
    whole_export: Path, tmp_path: Path, edits: st.DataObject
) -> None:
    folder = tmp_path / str(uuid.uuid4())
    shutil.copytree(whole_export, folder)
    path = edits.draw(st.sampled_from(sorted(one for one in folder.rglob("*") if one.is_file())))
    content = path.read_bytes()
    act = edits.draw(st.sampled_from(["cut", "flip", "remove", "rename", "replace", "swap values"]))
    if act == "cut":
        path.write_bytes(content[: edits.draw(st.integers(0, len(content) - 1))])
    elif act == "flip":
        place = edits.draw(st.integers(0, len(content) - 1))
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    elif act == "remove":
        path.unlink()
    elif act == "rename":
        path.rename(path.with_name(f"another-{path.name}"))
    elif act == "replace":
        odd = st.sampled_from([b"", b"{}", b"[]", b"null", b"[" * 5000, b"\xff", b'{"links": 1}'])
        path.write_bytes(edits.draw(odd))
    else:
        path = folder / edits.draw(st.sampled_from(["chain.json", "manifest.json"]))
        told = json.loads(path.read_text())
        key = edits.draw(st.sampled_from(sorted(told)))
        told[key] = edits.draw(st.sampled_from([None, 0, -1, "", "x", [], {}, [None], 1e308]))
        path.write_text(json.dumps(told))

    assert verify_export.main([str(folder)]) == 1  # type: ignore[no-untyped-call]
    shutil.rmtree(folder)


@pytest.fixture
def whole_export(advice: AdviceDesk, database: Database, tmp_path: Path) -> Path:
    ids = [uuid.UUID(advice.sent()) for _ in range(3)]
    with database.reading() as session:
        content = vouching.archive(session, ids[:2], clock.now(), {}).content
    folder = _unpacked(content, tmp_path / "whole")
    assert verify_export.main([str(folder)]) == 0  # type: ignore[no-untyped-call]
    return folder


def _relabel(chain: Any) -> None:
    """A package told as not exported, its count made to fit."""
    del chain["links"][1]["package"], chain["links"][1]["letter"]
    chain["exported"] -= 1


@pytest.mark.parametrize(
    "act", [lambda chain: chain["links"].pop(), lambda chain: chain["links"].pop(0), _relabel]
)
def test_a_link_cut_off_or_relabelled_is_named(whole_export: Path, act: Any) -> None:
    _edit_chain(whole_export, act)

    told = _check(whole_export)

    assert (told.returncode, told.stderr) == (1, "")
    assert "chain.json was changed" in told.stdout
    assert "the export names 2 advices and 2 links" in told.stdout


def test_a_file_that_nobody_named_is_told(whole_export: Path) -> None:
    (whole_export / "letters" / "000009-more.pdf").write_bytes(b"%PDF-1.7")

    told = _check(whole_export)

    assert told.returncode == 1
    assert "letters/000009-more.pdf was added: nobody named it" in told.stdout


def test_the_zip_is_taken_away_by_an_administrator(
    advice: AdviceDesk, user: Desk, tmp_path: Path
) -> None:
    advice_id = advice.sent()

    answer = advice.desk.get(f"/admin/advice/{advice_id}/sealed.zip")

    assert answer.headers["Content-Type"] == "application/zip"
    assert _check(_unpacked(answer.content, tmp_path / "x")).returncode == 0
    assert user.get(f"/admin/advice/{advice_id}/sealed.zip").status_code == 403


def test_the_command_line_verifies_and_exports(
    advice: AdviceDesk,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    place = ["--data-dir", str(settings.data_dir)]
    advice_id = advice.sent()
    advice.sent()
    zipped = tmp_path / "all.zip"

    assert cli.main(["advice", "verify", advice_id, *place]) == 0
    assert "Worked out again: the same quantities" in capsys.readouterr().out
    assert cli.main(["advice", "verify", *place]) == 0
    assert cli.main(["advice", "verify", str(uuid.uuid4()), *place]) == 1
    assert cli.main(["advice", "export", "--client", "C0001", str(zipped), *place]) == 0
    assert cli.main(["advice", "export", str(zipped), *place]) == 1
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["advice", "export", advice_id, str(tmp_path / "one.zip"), *place]) == 0
    nothing = ["advice", "export", "--to", "2020-01-01", str(tmp_path / "no.zip"), *place]
    assert cli.main(nothing) == 1
    told = _check(_unpacked(zipped.read_bytes(), tmp_path / "all"))
    assert "2 advices checked, 2 links, 0 faults" in told.stdout


# ---- the sending ---------------------------------------------------------------------------------


def test_the_letter_is_set_while_others_can_write(
    advice: AdviceDesk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    plain = letter_of

    def slow_letter(contents: Any) -> bytes:
        with database.transaction() as session:
            session.execute(text("UPDATE firm SET name = name"))
        made.append(contents.advice_id)
        return plain(contents)

    monkeypatch.setattr(service, "letter_of", slow_letter)

    advice_id = advice.sent()

    assert made == [uuid.UUID(advice_id)]


def _fail_delivery(database: Database) -> None:
    with database.transaction() as session:
        session.execute(
            update(Mail).values(
                status=Delivery.FAILED, attempts=9, error="The mail server refused the address."
            )
        )


def test_a_failed_mail_is_sent_again_once(
    advice: AdviceDesk, user: Desk, database: Database
) -> None:
    advice_id = advice.sent()
    path = f"/admin/advice/{advice_id}/resend"
    assert advice.desk.post(path).json()["message"] == (
        "The mail of this advice is on its way, or was sent."
    )
    _fail_delivery(database)

    refused = user.post(path)
    again = [advice.desk.post(path, **{"Idempotency-Key": "once"}) for _ in range(2)]
    third = advice.desk.post(path)

    assert refused.status_code == 403
    assert [one.status_code for one in again] == [200, 200]
    assert again[1].headers["Idempotent-Replayed"] == "true"
    assert third.status_code == 409
    assert advice.history()[0]["delivery"]["status"] == "QUEUED"
    with database.reading() as session:
        mail = session.execute(select(Mail)).scalar_one()
    assert (mail.attempts, mail.error) == (0, None)
