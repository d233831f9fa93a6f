"""Secrets that are known to a check, and the search for them, however they are written."""

import base64
import gzip
import io
import json
import secrets
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote

SHORTEST = 9
"""Characters below which a text is found by chance."""


@dataclass(frozen=True)
class Secret:
    """A secret, and the calls and mails whose very purpose it is to tell it.

    Attributes:
        kind: in words.
        told_by: what begins the line of such a call, "POST /users/add"; "mail" for its mail.
    """

    kind: str
    value: str
    told_by: tuple[str, ...] = ()


@dataclass
class Hit:
    place: str
    kind: str
    form: str


@dataclass
class Canaries:
    known: list[Secret] = field(default_factory=list)
    searched: int = 0
    """Bytes."""

    def make(self, kind: str, *told_by: str) -> str:
        """A new secret that nobody else has; it also suits the rules of passwords."""
        return self.learn(kind, f"cnry-{secrets.token_hex(11)}!", *told_by)

    def learn(self, kind: str, value: str, *told_by: str) -> str:
        """A secret that the product or a broker made."""
        if len(value) >= SHORTEST and value not in {one.value for one in self.known}:
            self.known.append(Secret(kind, value, told_by))
        return value

    def hits_in(self, place: str, content: bytes, told_by: str = "") -> list[Hit]:
        """Every secret in `content`, but those that `told_by` is there to tell."""
        found = []
        layers = list(_layers(content))
        self.searched += sum(len(layer) for layer in layers)
        for secret in self.known:
            if told_by and any(told_by.startswith(one) for one in secret.told_by):
                continue
            for form, written in forms_of(secret.value).items():
                if any(written in layer for layer in layers):
                    found.append(Hit(place, secret.kind, form))
        return found


@cache
def forms_of(value: str) -> dict[str, bytes]:
    """A value as it is, and as it is written in addresses, pages, JSON, base64 and hexadecimal."""
    plain = value.encode()
    forms = {
        "plain": plain,
        "hexadecimal": plain.hex().encode(),
        "HEXADECIMAL": plain.hex().upper().encode(),
        "in an address": quote(value, safe="").encode(),
        "in a page": escape(value).encode(),
        "in JSON": json.dumps(value)[1:-1].encode(),
        "in UTF-16": value.encode("utf-16-le"),
    }
    # Of base64 the first and the last signs depend on the neighbours: what lies between is sure.
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + plain)
        first, last = -(-before * 8 // 6), -4
        forms[f"base64, {before} in"] = whole[first:last]
        forms[f"base64 of addresses, {before} in"] = base64.urlsafe_b64encode(
            b"\0" * before + plain
        )[first:last]
    return {form: written for form, written in forms.items() if len(written) >= SHORTEST}


def _layers(content: bytes) -> Iterator[bytes]:
    """The content, and what is packed in it."""
    yield content
    if content[:2] == b"\x1f\x8b":
        yield gzip.decompress(content)
    if content[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for name in packed.namelist():
                yield name.encode()
                yield from _layers(packed.read(name))
    if content[:5] == b"%PDF-":
        for part in content.split(b"stream")[1:]:
            try:
                yield zlib.decompressobj().decompress(part.lstrip(b"\r\n"))
            except zlib.error:
                continue


def files_of(folder: Path, leave: Callable[[Path], bool]) -> Iterable[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not leave(path))


def mail_of(path: Path) -> tuple[str, bytes]:
    """Whom a written mail is to, and all it says, decoded."""
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    parts = [str(value).encode() for value in message.values()]
    for part in message.walk():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            parts.append(content)
    return str(message["To"]), b"\n".join(parts)
