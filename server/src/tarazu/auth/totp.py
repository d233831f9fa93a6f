"""Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds a step."""

import base64
import datetime as dt
import hmac
import secrets
import struct
from urllib.parse import quote, urlencode

STEP_SECONDS = 30
DIGITS = 6
SEED_BYTES = 20
"""160 bits, as RFC 4226 recommends."""
DRIFT = 1
"""Steps by which the clocks may differ, either way."""


def new_seed() -> str:
    """A seed in base32, as authenticator apps take it."""
    return base64.b32encode(secrets.token_bytes(SEED_BYTES)).decode()


def step_at(now: dt.datetime) -> int:
    """The number of the step that `now` is in."""
    return int(now.timestamp()) // STEP_SECONDS


def code_at(seed: str, step: int, digits: int = DIGITS) -> str:
    """The code of one step (RFC 4226, 5.3)."""
    digest = hmac.digest(base64.b32decode(seed), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_of(seed: str, code: str, now: dt.datetime) -> int | None:
    """The step that `code` belongs to, of those that are near enough; None when of none."""
    here = step_at(now)
    found = None
    # Every step is compared, so that the time taken tells nothing.
    for step in range(here - DRIFT, here + DRIFT + 1):
        if hmac.compare_digest(code_at(seed, step).encode(), code.encode()):
            found = step
    return found


def uri_of(seed: str, account: str, issuer: str) -> str:
    """The `otpauth:` address that authenticator apps read, from a link or a QR code."""
    query = urlencode(
        {"secret": seed, "issuer": issuer, "digits": DIGITS, "period": STEP_SECONDS},
        quote_via=quote,
    )
    return f"otpauth://totp/{quote(issuer)}:{quote(account)}?{query}"
