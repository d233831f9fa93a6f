"""Password hashes and opaque tokens."""

import hashlib
import secrets
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
# Of an unknown password, with the current parameters: for accounts that do not exist.
_NOBODY = (
    "$argon2id$v=19$m=19456,t=2,p=1$x"
    "apReL04pw8UMJYajbvgLA$ifyTS5U+HzUoIk55n84VxNXIzRrqpseuSGpxBahAWDo"
)
_PLAIN = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
# None that HTML or a mail's encoding escapes.
_SPECIAL = "!#$%*+-?@"
# At most four hashes at once: 80 MiB, whatever the number of callers.
_TURNS = BoundedSemaphore(4)


def hash_password(password: str) -> str:
    """An Argon2id hash (19 MiB, two passes), with its salt and parameters."""
    with _TURNS:
        return _HASHER.hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Whether `stored` is a hash of `password`.

    An account without a password takes the same time as a wrong password.
    """
    with _TURNS:
        try:
            return _HASHER.verify(stored or _NOBODY, password) and stored is not None
        except (VerificationError, InvalidHashError):
            return False


def is_outdated(stored: str) -> bool:
    """Whether `stored` was made with other parameters than the current ones."""
    return _HASHER.check_needs_rehash(stored)


def temporary_password() -> str:
    """20 random characters: unambiguous letters and digits, and one special."""
    drawn = [secrets.choice(_PLAIN) for _ in range(19)]
    drawn.insert(secrets.randbelow(20), secrets.choice(_SPECIAL))
    return "".join(drawn)


def new_token() -> str:
    """32 random bytes, safe in a URL."""
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    """The SHA-256 of a token in hexadecimal: what the database stores."""
    return hashlib.sha256(token.encode()).hexdigest()
