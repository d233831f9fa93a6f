"""Stored letters of sealed advice: what they name, and what happens when one was removed."""

import io
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader
from sqlalchemy import delete

from tarazu.advice.documents import letter, letter_store
from tarazu.advice.sealing import SealedAdvice
from tarazu.advice.tables import Advice, AdviceLetter
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail
from tarazu.kit.pdf import SetPdf, pdf_of
from tests.advice.conftest import AdviceDesk, seal_of
from tests.advice.documents.exports import check_export, unpacked
from tests.people_of import reply_of
from tests.tampering import drop_triggers

pytestmark = pytest.mark.on_both

Line = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_number_and_fingerprint_are_in_every_letter_and_mail(
    advice: AdviceDesk, database: Database
) -> None:
    ids = [advice.sent(), advice.sent()]
    advice.set_letters()

    for number, advice_id in enumerate(ids, 1):
        seal = seal_of(database, advice_id)
        words = f"Seal number {number}, key fingerprint {seal.key_id}"
        pdf = advice.desk.get(f"/admin/advice/{advice_id}/letter.pdf").content
        assert words in " ".join(PdfReader(io.BytesIO(pdf)).pages[-1].extract_text().split())
        with database.reading() as session:
            mail_id = session.get_one(Advice, uuid.UUID(advice_id)).mail_id
            mail = session.get_one(Mail, mail_id)
        assert seal.seq == number
        assert words in mail.text
        assert words in mail.html


def test_a_letter_that_was_removed_is_named_and_set_again(
    advice: AdviceDesk, database: Database, line: Line, capsys: Capture
) -> None:
    advice_id = advice.sent()
    advice.set_letters()
    path = f"/admin/advice/{advice_id}/letter.pdf"
    pdf = advice.desk.get(path).content
    _remove_letter(database, advice_id)

    assert line("verify", advice_id) == 1
    assert (
        "FAULT  Letter: The letter was removed from the database. It can be set again as it was: "
        "tarazu advice restore-letters" in capsys.readouterr().out
    )
    assert advice.desk.get(path).content == pdf
    assert line("restore-letters") == 0
    assert "1 letter set again" in capsys.readouterr().out
    assert line("verify", advice_id) == 0
    assert advice.desk.get(path).content == pdf


def test_a_letter_that_does_not_match_its_fingerprint_is_lost(
    advice: AdviceDesk,
    database: Database,
    line: Line,
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = [advice.sent(), advice.sent()]
    advice.set_letters()
    _remove_letter(database, ids[0])
    # Another typesetter, years later.
    monkeypatch.setattr(letter_store, "letter_of", lambda *_: b"%PDF-1.7 of another version")

    assert line("verify", ids[0]) == 1
    assert "FAULT  Letter: The letter is lost" in capsys.readouterr().out
    assert line("restore-letters") == 1
    told = capsys.readouterr()
    assert f"LOST   {ids[0]}" in told.out
    assert "1 letter is lost" in told.err
    refused = advice.desk.get(f"/admin/advice/{ids[0]}/letter.pdf")
    assert reply_of(refused) == (
        409,
        "The letter is lost: it was removed from the database. Restore it from a backup.",
    )
    assert line("export", str(tmp_path / "all.zip")) == 0
    assert "1 letter is missing" in capsys.readouterr().out
    checked = check_export(unpacked((tmp_path / "all.zip").read_bytes(), tmp_path / "all"))
    assert checked.returncode == 0, checked.stdout
    assert "note: the letter is not part of this export: it is lost" in checked.stdout
    assert "2 advices checked, 2 links, 0 faults, 1 letter missing" in checked.stdout


def _remove_letter(database: Database, advice_id: str) -> None:
    with database.transaction() as session:
        drop_triggers(session)
        mine = AdviceLetter.advice_id == uuid.UUID(advice_id)
        session.execute(delete(AdviceLetter).where(mine))


def test_a_letter_that_cannot_be_set_does_not_hold_up_the_others(
    advice: AdviceDesk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = uuid.UUID(advice.sent()), uuid.UUID(advice.sent())
    set_one = letter.letter_of

    def broken(sealed: SealedAdvice, pictures: letter.Pictures, set_pdf: SetPdf = pdf_of) -> bytes:
        if sealed.advice_id == first:
            raise RuntimeError("unknown font")
        return set_one(sealed, pictures, set_pdf)

    failed: set[uuid.UUID] = set()
    with monkeypatch.context() as faulty:
        faulty.setattr(letter_store, "letter_of", broken)
        made = letter_store.set_letters_due(database, clock.now(), limit=1, failed=failed)
    later = letter_store.set_letters_due(database, clock.now())

    assert (made, failed, later) == (1, {first}, 1)
    with database.reading() as session:
        assert session.get(AdviceLetter, second) is not None
        assert session.get(AdviceLetter, first) is not None
