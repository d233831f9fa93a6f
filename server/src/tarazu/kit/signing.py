"""Signatures of the installation: Ed25519, so that others can check what we sealed without a secret.

The private key is sealed in the database like every other secret; the public one is plain, and is
what a third party compares with the fingerprint that the firm gave.

    signer = signing.signer_of(session)
    signature = signer.sign(content)
"""

import datetime as dt
import hashlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from sqlalchemy import Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.encryption import SEALED, cipher_of

FINGERPRINT_LETTERS = 16


class NoSigningKey(Exception):
    """The database has no signing key: it was not opened by a start of the product."""


class SigningKey(Table):
    """A pair of keys, named by the fingerprint of its public half; the newest one signs."""

    __tablename__ = "signing_keys"

    id: Mapped[str] = mapped_column(primary_key=True)
    public_key: Mapped[str]
    private_key: Mapped[str] = mapped_column(Text, info=SEALED)
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with one key; `key_id` says with which."""

    key_id: str
    _key: Ed25519PrivateKey

    def sign(self, content: bytes) -> str:
        """The signature in 128 hexadecimal digits."""
        return self._key.sign(content).hex()


def has_key(session: Session) -> bool:
    """Whether the installation has a key to sign with."""
    return session.execute(select(SigningKey.id).limit(1)).first() is not None


def make_key(session: Session, now: dt.datetime) -> str:
    """Make a pair of keys and keep it; its fingerprint."""
    pair = Ed25519PrivateKey.generate()
    public = pair.public_key().public_bytes_raw()
    key_id = fingerprint_of(public)
    private = cipher_of(session).seal(
        pair.private_bytes_raw().hex(), SigningKey.private_key, key_id
    )
    session.add(SigningKey(id=key_id, public_key=public.hex(), private_key=private, made_at=now))
    session.flush()
    return key_id


def signer_of(session: Session) -> Signer:
    """The newest key, ready to sign.

    Raises:
        NoSigningKey: there is none yet.
        DoesNotOpen: the key was changed or moved in the database.
    """
    newest = select(SigningKey).order_by(SigningKey.made_at.desc(), SigningKey.id).limit(1)
    signing_key = session.execute(newest).scalar_one_or_none()
    if signing_key is None:
        raise NoSigningKey
    private = cipher_of(session).unseal(
        signing_key.private_key, SigningKey.private_key, signing_key.id
    )
    return Signer(signing_key.id, Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)))


def public_keys(session: Session) -> dict[str, str]:
    """Every public key in hexadecimal digits, by its fingerprint."""
    rows = session.execute(
        select(SigningKey.id, SigningKey.public_key).order_by(SigningKey.made_at)
    )
    return {row.id: row.public_key for row in rows}


def is_signed(content: bytes, signature: str, public_key: str) -> bool:
    """Whether the holder of that key signed exactly this; keys and signatures as hex digits."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        # ValueError: no hexadecimal digits, or too few of them. Either way it is not signed.
        return False
    return True


def fingerprint_of(public_key: bytes) -> str:
    """What a person compares: the first 16 hexadecimal digits of the key's SHA-256."""
    return hashlib.sha256(public_key).hexdigest()[:FINGERPRINT_LETTERS]
