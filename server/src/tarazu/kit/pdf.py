"""PDFs on the firm's paper: what they say is handed to a template as JSON, never as markup."""

import base64
import datetime as dt
import json
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from tarazu.kit.processes import process_apart

if TYPE_CHECKING:
    from typst import Compiler

# Templates lie beside their features, and share `kit/letterhead.typ`.
ROOT = Path(__file__).parent.parent
FONTS = Path(__file__).parent / "fonts"
_compiling = Lock()

SetPdf = Callable[[Path, Mapping[str, Any], dt.datetime], bytes]
"""How a template becomes a PDF: `pdf_of`, here or in a process of its own."""


def pdf_of(template: Path, fields: Mapping[str, Any], made_at: dt.datetime) -> bytes:
    """The template with these fields as PDF/A-2b; the same input gives the same bytes."""
    with _compiling:
        made = _compiler().compile(
            input=str(template),
            format="pdf",
            sys_inputs={"fields": json.dumps(fields, ensure_ascii=False)},
            # For archives: fonts and colours are inside, so that it opens alike in years.
            pdf_standards=["a-2b"],
            timestamp=int(made_at.timestamp()),
        )
    assert isinstance(made, bytes)  # noqa: S101 - no output file is named, so the bytes come back
    return made


def picture_of(png: bytes) -> str:
    """A PNG as a template takes it, as an SVG; "" for none.

    A text is read five times as fast as the list of numbers that JSON would need for the bytes.
    """
    if not png:
        return ""
    width, height = struct.unpack(">II", png[16:24])  # of the header, the first of a PNG's chunks
    encoded = base64.b64encode(png).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{encoded}"/></svg>'
    )


@contextmanager
def setting_apart() -> Iterator[SetPdf]:
    """Set PDFs in a process of its own, which ends with the block.

    The typesetter keeps what it may use again, some 70 MB. With many letters in a row that memory
    is the other process's, and goes with it.
    """
    with process_apart() as setter:
        yield lambda *arguments: setter.submit(pdf_of, *arguments).result()


@cache
def _compiler() -> "Compiler":
    # Only a process that makes a PDF pays for the typesetter.
    from typst import Compiler  # noqa: PLC0415

    return Compiler(root=str(ROOT), font_paths=[str(FONTS)], ignore_system_fonts=True)
