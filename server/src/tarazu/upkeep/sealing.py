"""Files sealed with a passphrase: a stream of AES-256-GCM chunks under a key made by Argon2id.

A file is the form's name, a salt, and the chunks. Each chunk's nonce counts, and the last one says
so: a file that was cut short, or whose chunks were moved, does not open.
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
    """The file does not open: another passphrase, or it was changed or cut short."""


def is_sealed(source: BinaryIO) -> bool:
    """Whether the file is of this form; it is read from its beginning again afterwards."""
    found = source.read(len(MAGIC)) == MAGIC
    source.seek(0)
    return found


def seal(source: BinaryIO, target: BinaryIO, passphrase: str) -> None:
    """Write `source` sealed to `target`."""
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
    """The plain content of a sealed file, a chunk at a time.

    Raises:
        WrongPassphrase: it does not open; chunks before the fault were handed out.
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
