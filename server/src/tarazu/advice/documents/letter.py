"""The letter as a PDF."""

from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from tarazu.advice.documents.parts import parts_of
from tarazu.advice.sealing import SealedAdvice
from tarazu.firm.service import letterhead_of
from tarazu.kit.pdf import SetPdf, pdf_of, picture_of

TEMPLATE = Path(__file__).parent / "letter.typ"


class Pictures(NamedTuple):
    """The firm's logo and signature as PNG; empty for none."""

    logo: bytes = b""
    signature: bytes = b""


NO_PICTURES = Pictures()


def letter_of(
    advice: SealedAdvice, pictures: Pictures = NO_PICTURES, set_pdf: SetPdf = pdf_of
) -> bytes:
    """The letter as PDF/A-2b; the same advice and pictures always give the same bytes."""
    return set_pdf(TEMPLATE, fields_of(advice, pictures), advice.sent_at)


def fields_of(advice: SealedAdvice, pictures: Pictures = NO_PICTURES) -> dict[str, object]:
    """What the template is given."""
    return asdict(parts_of(advice)) | {
        "firm": letterhead_of(advice.firm, advice.language, pictures.logo),
        "analyst_signature": picture_of(pictures.signature),
    }
