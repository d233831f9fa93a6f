"""A zip that is written as it grows; its signed manifest names the SHA-256 of every file in it.

archive = SignedArchive(file, made_at)
archive.put("README.txt", content)
archive.end({"form": "…"}, signer)
"""

import datetime as dt
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final

from tarazu.kit.signing import Signer

PACKED_ALREADY: Final = (".pdf", ".png", ".jpg", ".xlsx")
"""Files that deflating makes no smaller; they are stored as they are."""
_LEVEL: Final = 1
"""Of deflate: a pack of years has to be made in seconds."""
_READABLE: Final = 0o644 << 16


class SignedArchive:
    """Put files into it, then end it."""

    def __init__(self, file: IO[bytes], made_at: dt.datetime) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self._stamp = made_at.astimezone(dt.UTC).timetuple()[:6]
        self.sums: dict[str, str] = {}
        """SHA-256 by name, of what is in it already."""

    def put(self, name: str, content: bytes) -> None:
        """Add a whole file."""
        is_packed = name.endswith(PACKED_ALREADY)
        form = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
        self._zip.writestr(self._entry(name), content, form, _LEVEL)
        self.sums[name] = hashlib.sha256(content).hexdigest()

    @contextmanager
    def opened(self, name: str) -> Iterator[Callable[[str], None]]:
        """Add a text file in pieces, which the yielded function takes."""
        digest, entry = hashlib.sha256(), self._entry(name)
        entry.compress_type = zipfile.ZIP_DEFLATED
        with self._zip.open(entry, "w", force_zip64=True) as file:

            def write(text: str) -> None:
                content = text.encode()
                digest.update(content)
                file.write(content)

            yield write
        self.sums[name] = digest.hexdigest()

    def end(self, about: Mapping[str, Any], signer: Signer) -> None:
        """Add the manifest with its signature, and finish the zip."""
        manifest = json_of({**about, "files": dict(self.sums)})
        self.put("manifest.json", manifest)
        self.put("manifest.sig", signer.sign(manifest).encode())
        self._zip.close()

    def _entry(self, name: str) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, self._stamp)
        entry.external_attr = _READABLE
        return entry


def json_of(value: Any) -> bytes:
    """JSON for people to read, the keys in order."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()
