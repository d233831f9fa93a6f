"""A pack of many advices is never in memory as a whole."""

import os
import tracemalloc
import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, insert

from tarazu.advice import exporting, sealing
from tarazu.advice.tables import Advice, AdviceLetter, LetterDue
from tarazu.inspection import pages
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.advice.conftest import AdviceDesk, advice, seal_of
from tests.inspection.packs import made, opened
from tests.inspection.test_pack import files_in, reached_from

__all__ = ["advice"]

LETTER = 512 * 1024
ADVICES = 120


def seal_many(database: Database, advice_id: str) -> None:
    """Seal an advice again under new ids, each with a large letter."""
    original = sealing.from_text(seal_of(database, advice_id).package)
    now = clock.now()
    with database.transaction() as session:
        copies = [
            replace(original, advice_id=uuid.uuid4(), rebalance_id=None) for _ in range(ADVICES)
        ]
        session.execute(insert(Advice), [sealing.advice_columns(one) for one in copies])
        sealing.seal_all(session, copies, now)
        about = {"set_at": now, "sha256": "0" * 64, "key_id": "k", "signature": "0" * 128}
        for one in copies:
            letter = {"advice_id": one.advice_id, "letter": os.urandom(LETTER), **about}
            session.execute(insert(AdviceLetter), [letter])
        session.execute(delete(LetterDue))


@pytest.mark.on_both(suite="long")
def test_a_pack_takes_the_memory_of_a_few_advices_however_many_there_are(
    advice: AdviceDesk, database: Database, settings: Settings
) -> None:
    seal_many(database, advice.sent())
    whole = ADVICES * LETTER
    assert whole > exporting.AT_ONCE * LETTER * 4, "the test could not fail"

    tracemalloc.start()
    pack = made(advice.desk, database, settings, sampleEvery=1, **{"from": "2026-01-01"})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert pack["size"] > whole
    assert pack["done"] == pack["total"] == ADVICES + 1
    assert most < whole / 2


def test_a_list_of_many_rows_has_pages_that_lead_to_each_other(
    advice: AdviceDesk,
    database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(pages, "ROWS_ON_A_PAGE", 3)
    for _ in range(3):
        advice.sent()
    advice.set_letters()

    folder = opened(settings, made(advice.desk, database, settings), tmp_path / "pack")

    assert (folder / "audit-trail-3.html").is_file()
    assert not (folder / "advice-2.html").exists()
    assert reached_from(folder) == files_in(folder)
