"""Files encrypted with a passphrase: AES-256-GCM chunks under a key derived by Argon2id.

A file is the name of the form, a salt, and the chunks. The nonce numbers the chunks and marks the
last one: a file that was truncated, or whose chunks were moved, cannot be decrypted.
"""

import secrets
import struct
from collections.abc import Iterator
from typing import BinaryIO, Final

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC: Final = b"TARAZU-SEALED-1\n"
CHUNK: Final = 1 << 20
_SALT: Final = 16
_TAG: Final = 16
_MEMORY_KIB: Final = 65_536
_PASSES: Final = 3


class WrongPassphrase(Exception):
    """The file cannot be decrypted: the passphrase is wrong, or it was changed or truncated."""


def is_sealed(source: BinaryIO) -> bool:
    """Whether the file is encrypted; seeks back to its beginning."""
    has_magic = source.read(len(MAGIC)) == MAGIC
    source.seek(0)
    return has_magic


def seal(source: BinaryIO, target: BinaryIO, passphrase: str) -> None:
    """Encrypt `source` to `target`."""
    salt = secrets.token_bytes(_SALT)
    cipher = _cipher(passphrase, salt)
    target.write(MAGIC + salt)
    number, chunk = 0, source.read(CHUNK)
    while True:
        following = source.read(CHUNK)
        target.write(cipher.encrypt(_nonce(number, is_last=not following), chunk, MAGIC))
        if not following:
            return
        number, chunk = number + 1, following


def opened(source: BinaryIO, passphrase: str) -> Iterator[bytes]:
    """The content of an encrypted file, a chunk at a time.

    Raises:
        WrongPassphrase: it cannot be decrypted; earlier chunks were already yielded.
    """
    source.read(len(MAGIC))
    cipher = _cipher(passphrase, source.read(_SALT))
    number, chunk = 0, source.read(CHUNK + _TAG)
    while True:
        following = source.read(CHUNK + _TAG)
        try:
            yield cipher.decrypt(_nonce(number, is_last=not following), chunk, MAGIC)
        except InvalidTag as error:
            raise WrongPassphrase from error
        if not following:
            return
        number, chunk = number + 1, following


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    key = hash_secret_raw(
        passphrase.encode(), salt.ljust(_SALT, b"\0"), _PASSES, _MEMORY_KIB, 1, 32, Type.ID
    )
    return AESGCM(key)


def _nonce(number: int, *, is_last: bool) -> bytes:
    return struct.pack(">IQ", is_last, number)
