"""PDFs on the firm's paper: what they say is handed to a template as JSON, never as markup."""

import datetime as dt
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typst import Compiler

# Templates lie beside their features, and share `kit/letterhead.typ`.
ROOT = Path(__file__).parent.parent
FONTS = Path(__file__).parent / "fonts"
_compiling = Lock()


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


@cache
def _compiler() -> "Compiler":
    # Only a process that makes a PDF pays for the typesetter.
    from typst import Compiler  # noqa: PLC0415

    return Compiler(root=str(ROOT), font_paths=[str(FONTS)], ignore_system_fonts=True)
