"""The installation's keys: where they come from, and the sub-keys that are made of them."""

import base64
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

import structlog
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

log = structlog.get_logger()

KEY_BYTES = 32


class UnfitKeys(Exception):
    """The keys cannot be read; the text says what to mend."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Named master keys; the first is used for new work, all of them for old work."""

    by_id: dict[str, bytes]

    @property
    def current_id(self) -> str:
        """The name of the key that new work uses."""
        return next(iter(self.by_id))

    def derived(self, purpose: str, key_id: str | None = None) -> bytes:
        """A 32-byte sub-key for one purpose (HKDF-SHA256)."""
        master = self.by_id[key_id or self.current_id]
        return HKDF(SHA256(), KEY_BYTES, salt=None, info=f"tarazu {purpose}".encode()).derive(
            master
        )


def read_keys(text: str) -> Keys:
    """Keys written as `name:base64[,name:base64…]`, 32 bytes each.

    Raises:
        UnfitKeys: a part has no name, is not base64, or has another length.
    """
    by_id: dict[str, bytes] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, encoded = part.partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except ValueError:
            key = b""
        if not name or len(key) != KEY_BYTES:
            raise UnfitKeys(f"{name or 'a key'}: write it as name:base64 of 32 bytes")
        by_id[name] = key
    if not by_id:
        raise UnfitKeys("no key is given")
    return Keys(by_id)


def keys_of(text: str, data_dir: Path) -> Keys:
    """The keys of the setting `text`, else of `secrets.key`, which is made when missing."""
    if text:
        return read_keys(text)
    path = data_dir / "secrets.key"
    if not path.exists():
        _write_new(path)
    return read_keys(path.read_text(encoding="ascii").strip())


def _write_new(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    line = "first:" + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(line + "\n")
    log.warning("secrets_key_made", hint="Keep it apart: backups of the database need it.")
