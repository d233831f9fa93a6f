"""Encryption of secrets at rest: the installation's keys, and the cipher that uses them.

A sealed text is `v1:<key id>:<nonce>:<ciphertext>`, AES-256-GCM bound to its table, column and row:
moved elsewhere it does not decrypt. Columns with such texts are declared with `info=SEALED`.

    cipher = encryption.cipher_of(session)
    broker.api_secret = cipher.seal(secret, Broker.api_secret, broker.id)
    secret = cipher.unseal(broker.api_secret, Broker.api_secret, broker.id)
"""

import base64
import hmac
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import Column, Text, delete, inspect, select, update
from sqlalchemy.orm import InstrumentedAttribute, Mapped, Session, mapped_column

from tarazu.kit.db import Database, Table, acquire_lock, parts_of
from tarazu.kit.disk import keep_names, make_folder
from tarazu.kit.locks import AdvisoryLock

log = structlog.get_logger()

KEY_BYTES = 32
SEALED = {"sealed": True}
"""`mapped_column(Text, info=SEALED)`: columns that `tarazu rotate-key` encrypts again."""

_NONCE_BYTES = 12
_FORM = "v1"
_PARTS = 4
_KNOWN_TEXT = "key check"
_AUDIT = "audit"


class UnfitKeys(Exception):
    """The keys cannot be read, or are not those of the database; the text says what to do."""


class CannotDecrypt(Exception):
    """A sealed text was changed, moved, or encrypted with a key that is not given."""


class KeyCheck(Table):
    """A known text encrypted with each key in use: shows at the start that the keys are right."""

    __tablename__ = "key_canaries"

    key_id: Mapped[str] = mapped_column(primary_key=True)
    sealed: Mapped[str] = mapped_column(Text)


class WrappedKey(Table):
    """A key that outlives a change of the master key, encrypted with it: that of the audit log."""

    __tablename__ = "kept_keys"

    purpose: Mapped[str] = mapped_column(primary_key=True)
    sealed: Mapped[str] = mapped_column(Text, info=SEALED)


@dataclass(frozen=True, slots=True)
class Keys:
    """Named master keys: the first encrypts, all decrypt."""

    by_id: dict[str, bytes]

    @property
    def current_id(self) -> str:
        """The name of the key that encrypts."""
        return next(iter(self.by_id))

    def derived(self, purpose: str, key_id: str | None = None) -> bytes:
        """A 32-byte sub-key for one purpose (HKDF-SHA256)."""
        master = self.by_id[key_id or self.current_id]
        return HKDF(SHA256(), KEY_BYTES, salt=None, info=f"tarazu {purpose}".encode()).derive(
            master
        )


class Cipher:
    """Encrypts with the current key, and decrypts with every known key."""

    def __init__(self, keys: Keys) -> None:
        self.current_id = keys.current_id
        self._ciphers = {key_id: AESGCM(keys.derived("secrets", key_id)) for key_id in keys.by_id}
        self._digest_key = keys.derived("codes")

    def knows(self, key_id: str) -> bool:
        """Whether texts encrypted with that key can be decrypted."""
        return key_id in self._ciphers

    def seal(self, plain: str, column: InstrumentedAttribute[Any], row_id: object) -> str:
        """`plain` as it may be stored in that column of that row."""
        return self._seal(plain, _bound_to(column.property.columns[0], row_id))

    def unseal(self, sealed: str, column: InstrumentedAttribute[Any], row_id: object) -> str:
        """What was sealed for that column of that row.

        Raises:
            CannotDecrypt: it is no sealed text of this place, or its key is not known.
        """
        return self._unseal(sealed, _bound_to(column.property.columns[0], row_id))

    def digest_of(self, short: str, row_id: object) -> str:
        """A keyed digest of a short secret of one row; without the key it cannot be guessed.

        It changes with the current key, so it suits what is good for minutes.
        """
        return hmac.digest(self._digest_key, f"{row_id}|{short}".encode(), "sha256").hex()

    def reseal(self, sealed: str, column: Column[Any], row_id: object) -> str:
        """The same text, encrypted with the current key.

        Raises:
            CannotDecrypt: it is no sealed text of this place, or its key is not known.
        """
        place = _bound_to(column, row_id)
        return self._seal(self._unseal(sealed, place), place)

    def _seal(self, plain: str, place: str) -> str:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        cipher = self._ciphers[self.current_id]
        sealed = cipher.encrypt(nonce, plain.encode(), place.encode())
        return ":".join((_FORM, self.current_id, _as_text(nonce), _as_text(sealed)))

    def _unseal(self, sealed: str, place: str) -> str:
        parts = sealed.split(":")
        if len(parts) != _PARTS or parts[0] != _FORM:
            raise CannotDecrypt(f"{place} is not sealed")
        _, key_id, nonce, ciphertext = parts
        if not self.knows(key_id):
            raise CannotDecrypt(f"{place} is encrypted with the key {key_id}, which is not given")
        try:
            plain = self._ciphers[key_id].decrypt(
                _as_bytes(nonce), _as_bytes(ciphertext), place.encode()
            )
        except (InvalidTag, ValueError) as error:
            raise CannotDecrypt(f"{place} cannot be decrypted with the key {key_id}") from error
        return plain.decode()


def _bound_to(column: Column[Any], row_id: object) -> str:
    return f"{column.table.name}|{column.name}|{row_id}"


def _as_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _as_bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def cipher_of(session: Session) -> Cipher:
    """The cipher of the session's database."""
    cipher: Cipher = parts_of(session)[Cipher]
    return cipher


def open_cipher(database: Database, keys: Keys) -> bytes:
    """Check the keys and set the cipher of this database; returns the key of the audit log.

    That key is derived from the first master key, and stays when the master key changes.

    Raises:
        UnfitKeys: a key in use is not given, or another one has its name.
    """
    cipher = database.parts[Cipher] = Cipher(keys)
    with database.reading() as session:
        key = _stored_audit_key(session, cipher) if _is_known(session, cipher) else None
    if key is not None:
        return key
    with database.transaction() as session:
        acquire_lock(session, AdvisoryLock.KEYS)
        if not _is_known(session, cipher):
            sealed = cipher.seal(_KNOWN_TEXT, KeyCheck.sealed, cipher.current_id)
            session.add(KeyCheck(key_id=cipher.current_id, sealed=sealed))
        key = _stored_audit_key(session, cipher)
        if key is None:
            key = keys.derived(_AUDIT)
            sealed = cipher.seal(_as_text(key), WrappedKey.sealed, _AUDIT)
            session.add(WrappedKey(purpose=_AUDIT, sealed=sealed))
    return key


def _is_known(session: Session, cipher: Cipher) -> bool:
    """Whether the current key has its key check; every key check is decrypted.

    Raises:
        UnfitKeys: a key in use is not given, or another one has its name.
    """
    checks = list(session.execute(select(KeyCheck)).scalars())
    for check in checks:
        if not cipher.knows(check.key_id):
            raise UnfitKeys(
                f"the secrets of this database are encrypted with the key {check.key_id}, "
                "which is not among the keys given"
            )
        try:
            cipher.unseal(check.sealed, KeyCheck.sealed, check.key_id)
        except CannotDecrypt as error:
            raise UnfitKeys(
                f"the key {check.key_id} is not the one that encrypted the secrets of this database"
            ) from error
    return cipher.current_id in {check.key_id for check in checks}


def _stored_audit_key(session: Session, cipher: Cipher) -> bytes | None:
    key = session.get(WrappedKey, _AUDIT)
    return _as_bytes(cipher.unseal(key.sealed, WrappedKey.sealed, _AUDIT)) if key else None


def is_rotating(session: Session, cipher: Cipher) -> bool:
    """Whether texts may still be encrypted with a key that is not the current one."""
    others = select(KeyCheck.key_id).where(KeyCheck.key_id != cipher.current_id)
    return session.execute(others.limit(1)).first() is not None


def reencrypt(database: Database, cipher: Cipher) -> int:
    """Encrypt every sealed text with the current key; the number that changed.

    Row by row, each its own transaction: it may be killed at any point and run again.

    Raises:
        CannotDecrypt: a text cannot be decrypted; those before it are done.
    """
    changed = 0
    for column in sealed_columns():
        (key,) = column.table.primary_key.columns
        for row_id, sealed in _sealed_with_others(database, cipher, column):
            # A text that was written meanwhile is encrypted with the writer's key.
            statement = (
                update(column.table)
                .where(key == row_id, column == sealed)
                .values({column: cipher.reseal(sealed, column, row_id)})
            )
            with database.transaction() as session:
                session.execute(statement)
            changed += 1
    with database.transaction() as session:
        session.execute(delete(KeyCheck).where(KeyCheck.key_id != cipher.current_id))
    return changed


def sealed_columns() -> list[Column[Any]]:
    """Every column that is declared with `info=SEALED`, in the order of the tables' names."""
    tables = sorted(Table.metadata.tables.values(), key=lambda table: table.name)
    return [column for table in tables for column in table.columns if column.info.get("sealed")]


def _sealed_with_others(
    database: Database, cipher: Cipher, column: Column[Any]
) -> Iterator[tuple[Any, str]]:
    (key,) = column.table.primary_key.columns
    current = f"{_FORM}:{cipher.current_id}:"
    with database.reading() as session:
        statement = select(key, column).where(
            column.startswith(f"{_FORM}:"), ~column.startswith(current, autoescape=True)
        )
        rows = session.execute(statement).all()
    yield from ((row[0], row[1]) for row in rows)


def read_keys(text: str) -> Keys:
    """Keys written as `name:base64[,name:base64…]`, 32 bytes each.

    Raises:
        UnfitKeys: a part has no name, is not base64, or has another length.
    """
    by_id: dict[str, bytes] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, separator, encoded = part.partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except ValueError:
            key = b""
        if not name or len(key) != KEY_BYTES:
            # Without its name the part may be the key itself, which is not repeated.
            subject = name if separator and name else "a key"
            raise UnfitKeys(f"{subject}: write it as name:base64 of 32 bytes")
        by_id[name] = key
    if not by_id:
        raise UnfitKeys("no key is given")
    return Keys(by_id)


def keys_in(text: str, data_dir: Path) -> Keys:
    """The keys of the setting `text`, else of the file; none is made.

    Raises:
        UnfitKeys: there are none, or they cannot be read.
    """
    path = key_file(data_dir)
    if not text and not path.is_file():
        raise UnfitKeys(f"there is no key file at {path}, and TARAZU_SECRETS_KEYS is not set")
    return read_keys(text or path.read_text(encoding="ascii").strip())


def keys_there(text: str, data_dir: Path) -> Keys | None:
    """The keys of the setting `text`, else of the file; None where there are none.

    Raises:
        UnfitKeys: they cannot be read.
    """
    return keys_in(text, data_dir) if text or key_file(data_dir).is_file() else None


def refuse_missing_key(database: Database, data_dir: Path) -> None:
    """Refuse to start without the keys of a database: a new key could not decrypt its secrets.

    Raises:
        UnfitKeys: the database has secrets and their key is missing.
    """
    with database.reading() as session:
        is_there = inspect(session.connection()).has_table(KeyCheck.__tablename__)
        is_sealed = (
            is_there and session.execute(select(KeyCheck.key_id).limit(1)).first() is not None
        )
    # Checked again: another process that starts may have made it meanwhile.
    if is_sealed and not key_file(data_dir).is_file():
        raise UnfitKeys(
            "The key file is missing, and the secrets of this database cannot be read without it. "
            f"Put your copy at {key_file(data_dir)}, or set TARAZU_SECRETS_KEYS."
        )


def keys_of(text: str, data_dir: Path) -> Keys:
    """The keys of the setting `text`, else of `secrets.key`, which is created if missing."""
    if text:
        return read_keys(text)
    path = key_file(data_dir)
    if not path.exists():
        with suppress(FileExistsError):  # another process was first: its key is used
            _write(path, _new_key("first"), os.link)
            log.warning("secrets_key_made", hint="Keep it apart: backups of the database need it.")
    return read_keys(path.read_text(encoding="ascii").strip())


def key_file(data_dir: Path) -> Path:
    """The file of the keys, unless the setting gives them."""
    return data_dir / "secrets.key"


def add_key(data_dir: Path) -> Keys:
    """Put a new key first in the file; the others stay, to decrypt."""
    path = key_file(data_dir)
    before = path.read_text(encoding="ascii").strip()
    name = f"k{len(read_keys(before).by_id) + 1}-{secrets.token_hex(3)}"
    _write(path, f"{_new_key(name)},{before}", os.replace)
    return read_keys(path.read_text(encoding="ascii").strip())


def _new_key(name: str) -> str:
    return f"{name}:{base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()}"


def _write(path: Path, line: str, place: Callable[[Path, Path], None]) -> None:
    """Write the file completely or not at all, for its owner only; `place` links or replaces."""
    make_folder(path.parent)
    beside = path.with_suffix(f".{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(line + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        place(beside, path)
    finally:
        beside.unlink(missing_ok=True)
        # All that is encrypted from now on is lost with the key.
        keep_names(path.parent)
