"""Sealed secrets: only the right key opens them, only in their own place; a new key loses none."""

import base64
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tarazu.app import open_database
from tarazu.brokers.tables import Broker, BrokerName, BrokerStatus
from tarazu.kit import audit_log, clock, encryption, signing
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.db import Database, new_id
from tarazu.kit.encryption import CannotDecrypt, Cipher, KeyCheck, UnfitKeys, WrappedKey
from tarazu.kit.settings import Settings
from tests.rows_of import run

pytestmark = pytest.mark.on_both

OLD = "old:" + base64.b64encode(b"o" * 32).decode()
NEW = "new:" + base64.b64encode(b"n" * 32).decode()


def vault_with(*keys: str) -> Cipher:
    return Cipher(encryption.read_keys(",".join(keys)))


def add_broker(database: Database, name: BrokerName, secret: str) -> Broker:
    now = clock.now()
    with database.transaction() as session:
        vault = encryption.cipher_of(session)
        broker_id = new_id()
        broker = Broker(
            id=broker_id,
            name=name,
            description="",
            logo="",
            api_key=vault.seal("key", Broker.api_key, broker_id),
            api_secret=vault.seal(secret, Broker.api_secret, broker_id),
            api_url="",
            is_renew_session_allowed=False,
            status=BrokerStatus.ACTIVE,
            created_at=now,
            updated_at=now,
            version=1,
        )
        session.add(broker)
    return broker


def secret_of(database: Database, broker: Broker) -> str:
    with database.reading() as session:
        sealed = session.get_one(Broker, broker.id).api_secret
        return encryption.cipher_of(session).unseal(sealed, Broker.api_secret, broker.id)


def test_a_sealed_text_opens_only_in_its_own_table_column_and_row() -> None:
    vault = vault_with(NEW)
    sealed = vault.seal("पासवर्ड 123", Broker.api_secret, 7)

    assert sealed.startswith("v1:new:")
    assert vault.unseal(sealed, Broker.api_secret, 7) == "पासवर्ड 123"
    assert vault.seal("पासवर्ड 123", Broker.api_secret, 7) != sealed
    for column, row in ((Broker.api_secret, 8), (Broker.api_key, 7), (KeyCheck.sealed, 7)):
        with pytest.raises(CannotDecrypt):
            vault.unseal(sealed, column, row)


def test_any_known_key_opens_and_an_unknown_one_is_named() -> None:
    sealed = vault_with(OLD).seal("secret", Broker.api_secret, 7)

    assert vault_with(NEW, OLD).unseal(sealed, Broker.api_secret, 7) == "secret"
    with pytest.raises(CannotDecrypt, match="encrypted with the key old, which is not given"):
        vault_with(NEW).unseal(sealed, Broker.api_secret, 7)


@pytest.mark.parametrize(
    "broken", ["secret", "v1:new:AAAA", "v2:new:a:b", "v1:new:!:é", "v1:new::"]
)
def test_what_is_not_sealed_is_never_given_out_raw(broken: str) -> None:
    with pytest.raises(CannotDecrypt):
        vault_with(NEW).unseal(broken, Broker.api_secret, 7)


def test_the_start_stops_with_one_line_when_the_keys_are_not_those_of_the_database(
    settings: Settings, database: Database
) -> None:
    impostor = "test:" + base64.b64encode(b"x" * 32).decode()

    with pytest.raises(UnfitKeys, match="the key test is not the one that encrypted"):
        open_database(settings.model_copy(update={"secrets_keys": impostor}))
    with pytest.raises(UnfitKeys, match="encrypted with the key test, which is not among"):
        open_database(settings.model_copy(update={"secrets_keys": NEW}))


def test_every_secret_is_encrypted_again_and_the_old_key_can_be_removed(
    settings: Settings, database: Database
) -> None:
    kite = add_broker(database, BrokerName.ZERODHA, "kite secret")
    angel = add_broker(database, BrokerName.ANGEL_ONE, "angel secret")
    with database.transaction() as session:
        audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", 1))
    both = settings.model_copy(update={"secrets_keys": f"{NEW},{settings.secrets_keys}"})

    rotated = open_database(both)
    count = encryption.reencrypt(rotated, vault_with(NEW, settings.secrets_keys))
    again = encryption.reencrypt(rotated, vault_with(NEW, settings.secrets_keys))
    rotated.dispose()
    after = open_database(settings.model_copy(update={"secrets_keys": NEW}))

    # Two secrets and a key each, the audit trail's own key, and the one that signs advice.
    assert (count, again) == (6, 0)
    with after.reading() as session:
        signer = signing.signer_of(session)
        public_key = signing.public_keys(session)[signer.key_id]
    assert signing.is_signed(b"advice", signer.sign(b"advice"), public_key)
    assert (secret_of(after, kite), secret_of(after, angel)) == ("kite secret", "angel secret")
    with after.transaction() as session:
        audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", 2))
    with after.reading() as session:
        rows = session.execute(select(AuditRow).order_by(AuditRow.seq)).scalars().all()
        key = encryption.read_keys(settings.secrets_keys).derived("audit")
        assert all(audit_log.chained_hash(row, key) == row.hash for row in rows)
    after.dispose()


class Killed(Exception):
    pass


@pytest.mark.long
def test_a_rotation_killed_at_any_point_is_finished_by_the_next(
    settings: Settings, database: Database
) -> None:
    kite = add_broker(database, BrokerName.ZERODHA, "kite secret")
    angel = add_broker(database, BrokerName.ANGEL_ONE, "angel secret")
    keys = settings.secrets_keys
    with pytest.MonkeyPatch.context() as patch:
        for number in range(20):
            keys = f"k{number}:{base64.b64encode(bytes([number]) * 32).decode()},{keys}"
            opened = open_database(settings.model_copy(update={"secrets_keys": keys}))
            vault = Cipher(encryption.read_keys(keys))
            left = number % 7

            def reseal(*place, real=Cipher.reseal):
                nonlocal left
                if left == 0:
                    raise Killed
                left -= 1
                return real(*place)

            patch.setattr(Cipher, "reseal", reseal)
            if number % 7 < 6:
                with pytest.raises(Killed):
                    encryption.reencrypt(opened, vault)
            else:
                encryption.reencrypt(opened, vault)
            patch.undo()
            assert (secret_of(opened, kite), secret_of(opened, angel)) == (
                "kite secret",
                "angel secret",
            )
            opened.dispose()
    newest = keys.partition(",")[0]
    last = open_database(settings.model_copy(update={"secrets_keys": keys}))
    encryption.reencrypt(last, Cipher(encryption.read_keys(keys)))
    last.dispose()

    alone = open_database(settings.model_copy(update={"secrets_keys": newest}))
    assert secret_of(alone, kite) == "kite secret"
    alone.dispose()


def test_a_text_that_does_not_open_stops_the_rotation_and_the_old_key_stays_wanted(
    settings: Settings, database: Database
) -> None:
    broker = add_broker(database, BrokerName.ZERODHA, "kite secret")
    run(database, update(Broker).values(api_secret="v1:test:AAAA:AAAA"))
    keys = f"{NEW},{settings.secrets_keys}"
    both = open_database(settings.model_copy(update={"secrets_keys": keys}))

    with pytest.raises(CannotDecrypt, match=rf"brokers\|api_secret\|{broker.id}"):
        encryption.reencrypt(both, Cipher(encryption.read_keys(keys)))

    both.dispose()
    with pytest.raises(UnfitKeys):
        open_database(settings.model_copy(update={"secrets_keys": NEW}))


def test_a_key_without_its_name_is_not_repeated_in_the_error() -> None:
    key = base64.b64encode(bytes(32)).decode()

    with pytest.raises(UnfitKeys) as refused:
        encryption.read_keys(key)

    assert key not in str(refused.value)


def rotate(data_dir: Path, keys: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as people do."""
    given = {"TARAZU_SECRETS_KEYS": keys} if keys else {}
    return subprocess.run(
        [sys.executable, "-m", "tarazu", "rotate-key", "--data-dir", data_dir],
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_the_command_makes_a_key_in_the_file_and_keeps_the_old_ones(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    database = open_database(settings)
    broker = add_broker(database, BrokerName.ZERODHA, "kite secret")
    database.dispose()
    before = (tmp_path / "secrets.key").read_text()

    done = rotate(tmp_path)

    assert done.returncode == 0, done.stderr
    assert re.search(r"4 secrets are encrypted with the key k2-[0-9a-f]{6}\. ", done.stdout)
    after = tmp_path / "secrets.key"
    assert after.read_text().endswith("," + before)
    assert after.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("secrets*")] == ["secrets.key"]
    reopened = open_database(settings)
    assert secret_of(reopened, broker) == "kite secret"
    with reopened.reading() as session:
        sealed = session.get_one(WrappedKey, "audit").sealed
        assert sealed.startswith("v1:k2-")
    reopened.dispose()


@pytest.mark.long
def test_the_command_asks_for_the_new_key_where_the_setting_gives_them(tmp_path: Path) -> None:
    open_database(Settings(data_dir=tmp_path, secrets_keys=OLD)).dispose()

    first = rotate(tmp_path, OLD)
    second = rotate(tmp_path, f"{NEW},{OLD}")

    assert first.returncode == 1
    assert "put the new key first in TARAZU_SECRETS_KEYS" in first.stderr
    assert second.returncode == 0
    assert "2 secrets are encrypted with the key new. Restart the server now." in second.stdout
