"""The letter as it is drawn: pages, pixels, logo and signature, Devanagari."""

import io
import json

import pypdf
import pytest
from PIL import Image, ImageChops
from typst import Compiler

from tarazu.advice.documents.letter import NO_PICTURES, TEMPLATE, Pictures, fields_of, letter_of
from tarazu.advice.sealing import SealedAdvice
from tarazu.kit.pdf import FONTS, ROOT
from tarazu.kit.translation import Language
from tests.advice.conftest import AdviceDesk
from tests.advice.documents.sent_of import sealed
from tests.people_of import Desk

DOTS_A_MM = 4
WIDTH, HEIGHT = 210, 297
RED, BLUE = (255, 0, 0), (0, 0, 255)


def _filled(colour: tuple[int, int, int], size: tuple[int, int] = (300, 100)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def _drawn(advice: SealedAdvice, pictures: Pictures = NO_PICTURES) -> list[Image.Image]:
    """Each page as pixels, four a millimetre."""
    compiler = Compiler(root=str(ROOT), font_paths=[str(FONTS)], ignore_system_fonts=True)
    pages = compiler.compile(
        input=str(TEMPLATE),
        format="png",
        ppi=DOTS_A_MM * 25.4,
        sys_inputs={"fields": json.dumps(fields_of(advice, pictures))},
    )
    several = pages if isinstance(pages, list) else [pages]
    return [Image.open(io.BytesIO(page or b"")).convert("RGB") for page in several]


def _part(page: Image.Image, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """A part of a page, by millimetres."""
    return page.crop(tuple(DOTS_A_MM * end for end in (left, top, right, bottom)))  # type: ignore[arg-type]


def _has_ink(part: Image.Image) -> bool:
    white = Image.new("RGB", part.size, "white")
    return ImageChops.difference(part, white).getbbox() is not None


def _colours(part: Image.Image) -> set[tuple[int, int, int]]:
    return {colour for _, colour in part.getcolors(part.width * part.height) or []}  # type: ignore[misc]


def _texts(advice: SealedAdvice) -> list[str]:
    pages = pypdf.PdfReader(io.BytesIO(letter_of(advice))).pages
    return [" ".join(page.extract_text().split()) for page in pages]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("rows", [1, 6, 14, 30])
def test_nothing_is_drawn_in_the_margins(language: Language, rows: int) -> None:
    for page in _drawn(sealed(rows, language)):
        for part in ((0, 0, WIDTH, 16), (0, 0, 16, HEIGHT), (WIDTH - 16, 0, WIDTH, HEIGHT)):
            assert not _has_ink(_part(page, *part))
        assert _has_ink(_part(page, 18, 18, WIDTH - 18, 40))


@pytest.mark.parametrize("rows", range(1, 31, 3))
def test_the_warning_is_never_alone_on_a_page(rows: int) -> None:
    texts = _texts(sealed(rows, rationale="Quality at a fair price. " * 20))

    assert texts[-1].index("Disclosures") < texts[-1].index("market risks")
    assert "Signed electronically" in texts[-1]


def test_a_short_letter_is_one_page() -> None:
    assert len(_texts(sealed(1))) == 1


def test_logo_and_signature_are_drawn_and_fit_their_places() -> None:
    pages = _drawn(sealed(1), Pictures(_filled(RED), _filled(BLUE)))

    assert RED in _colours(_part(pages[0], 18, 16, 58, 40))
    assert RED not in _colours(_part(pages[0], 60, 0, WIDTH, HEIGHT))
    assert BLUE in _colours(_part(pages[-1], 18, 40, 66, HEIGHT - 22))
    assert BLUE not in _colours(_part(pages[-1], 68, 0, WIDTH, HEIGHT))


@pytest.mark.parametrize("size", [(600, 20), (20, 200), (1, 1)])
def test_a_logo_of_any_shape_stays_in_its_place(size: tuple[int, int]) -> None:
    (page, *_) = _drawn(sealed(1), Pictures(_filled(RED, size)))

    assert RED in _colours(_part(page, 18, 16, 58, 40))
    assert RED not in _colours(_part(page, 59, 0, WIDTH, HEIGHT))
    assert RED not in _colours(_part(page, 0, 42, WIDTH, HEIGHT))


def test_the_letter_has_all_its_parts_in_order() -> None:
    text = " ".join(_texts(sealed(6)))

    parts = (
        "Dear Kavya Menon,",
        "We advise you to sell shares of 2 stocks for about ₹41,178.15 and to buy shares of 4 stocks",
        "about ₹12,345.60 remains in cash.",
        "Cash after ₹12,345.60",
        "Valid until 26 Nov 2026",
        "STOCK0 Sell 12 20 → 8 ₹1,523.45 ₹18,281.40",
        "STOCK1 Buy 13 21 → 34 ₹1,524.45 ₹19,817.85",
        "Its peer is cheaper.",
        "Estimated charges",
        "What to do now",
        "1. Add ₹20,000.00 to your account",
        "Sell first, then buy",
        "Trade by 26 Nov 2026.",
        "Rationale",
        "Disclosures",
        "subject to market risks",
        "Ananya Kulkarni Proprietor, Sahyadri Research",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_hindi_letters_have_both_weights_of_devanagari() -> None:
    pdf = letter_of(sealed(2, Language.HI))

    assert b"NotoSansDevanagari-Regular" in pdf
    assert b"NotoSansDevanagari-SemiBold" in pdf


def test_an_old_letter_keeps_the_logo_and_signature_of_its_time(advice: AdviceDesk) -> None:
    for kind in ("logo", "signature"):
        _put(advice.desk, kind, _filled(RED if kind == "logo" else BLUE, (400, 100)))
    advice_id = advice.sent()
    for kind in ("logo", "signature"):
        _put(advice.desk, kind, _filled(RED, (100, 50)))

    # The letter is drawn only now.
    letter = advice.desk.get(f"/admin/advice/{advice_id}/letter.pdf").content

    assert letter.count(b"/Width 400") == 2
    assert b"/Width 100" not in letter


def _put(desk: Desk, kind: str, content: bytes) -> None:
    path = f"/api/v1/settings/firm/{kind}"
    answer = desk.web.put(path, files={"file": ("p.png", content)}, headers=desk.headers)
    assert answer.status_code == 200, answer.text
