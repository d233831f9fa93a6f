"""What a person asks of an import: the file that was read, its client and the options."""

import hashlib
import unicodedata
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from tarazu.imports.errors import FileTooLarge, NotATradebook, UnreadableFile
from tarazu.imports.readers import reading
from tarazu.imports.readers.grids import OF_TRADEBOOKS, STANDARD, FileLimits
from tarazu.imports.readers.parsed import HOLDINGS, TRADEBOOKS, ParsedFile, UnknownFile
from tarazu.people.service import ClientSummary

MAX_FILE_BYTES: Final = 5 * 1024 * 1024
MANY_ROWS: Final = 5_000
"""A file of more rows is imported in the background."""
_MAX_NAME: Final = 80


class Step(StrEnum):
    READING = "Reading"
    CHECKING = "Checking"
    APPLYING = "Applying"
    DONE = "Done"


StepProgress = Callable[[Step, int, int], None]
"""Called with the step, what is done of it, and its total."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What to do with a file."""

    is_dry_run: bool
    leave_out_refused: bool


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A parsed file; `name` can be shown."""

    parsed: ParsedFile
    name: str
    hash: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """One import: `client` is None for a firm-wide file."""

    id: uuid.UUID
    file: UploadedFile
    client: ClientSummary | None
    options: ImportOptions

    @property
    def is_large(self) -> bool:
        """Whether it is imported in the background."""
        return self.file.parsed.size > MANY_ROWS

    @property
    def is_of_holdings(self) -> bool:
        """Whether it has all holdings of a client, rather than records to add."""
        return self.file.parsed.kind in HOLDINGS

    @property
    def client_id(self) -> uuid.UUID | None:
        return self.client.id if self.client else None


def read_file(content: bytes, file_name: str, limits: FileLimits = STANDARD) -> UploadedFile:
    """Read a file of any known kind.

    Raises:
        FileTooLarge: it is longer than the limit.
        UnreadableFile: the file cannot be read; the message says why.
    """
    if len(content) > limits.file_bytes:
        raise FileTooLarge(f"The file is larger than {limits.megabytes} MB.")
    name = shown_name(file_name)
    try:
        parsed = reading.read_file(content, name, limits)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return UploadedFile(parsed, name, hashlib.sha256(content).hexdigest(), content)


def read_tradebook(content: bytes, file_name: str) -> UploadedFile:
    """Read a tradebook, which may be larger than other files.

    Raises:
        FileTooLarge: it is longer than 20 MB.
        UnreadableFile: the file cannot be read; the message says why.
        NotATradebook: it has something else.
    """
    uploaded = read_file(content, file_name, OF_TRADEBOOKS)
    if uploaded.parsed.kind not in TRADEBOOKS:
        raise NotATradebook
    return uploaded


def shown_name(file_name: str) -> str:
    """A file's name as it can be shown: no folders, no control characters, not too long."""
    last = PurePosixPath(file_name.replace("\\", "/")).name
    plain = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C").strip()
    if len(plain) > _MAX_NAME:
        ending = PurePosixPath(plain).suffix[:10]
        plain = f"{plain[: _MAX_NAME - len(ending) - 1]}…{ending}"
    return plain or "file"
