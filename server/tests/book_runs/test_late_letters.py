"""Advice whose letters were set after the sending, checked by the command line and by others."""

import io
import json
import multiprocessing
import subprocess
import sys
import uuid
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from tarazu import cli
from tarazu.advice import queries, sealing
from tarazu.advice import service as advice
from tarazu.advice.documents.letter import letter_of
from tarazu.advice.tables import AdviceLetter
from tarazu.book_runs import worker
from tarazu.kit import clock, pdf
from tarazu.kit.settings import Settings
from tarazu.kit.signing import SigningKey
from tests.models_of import Bench
from tests.rows_of import scalar
from tests.tampering import drop_triggers

Line = Callable[..., int]


@pytest.fixture
def line(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Line:
    """The command `tarazu advice …` on the database of this test."""
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    return lambda *words: cli.main(["advice", *words, "--data-dir", str(settings.data_dir)])


@pytest.fixture
def sent(bench: Bench) -> list[str]:
    """The advices of a run of two clients, in the order of their sealing."""
    clients = [bench.client(f"Client {one}", {"INFY": 60}, "300000") for one in "AB"]
    bench.sent(bench.begun())
    return [bench.history(client)[0]["_id"] for client in clients]


def _set_letters(bench: Bench) -> None:
    assert advice.set_letters_due(bench.database, clock.now()) == 2


def test_the_command_line_verifies_before_and_after_the_letter_is_set(
    bench: Bench, sent: list[str], line: Line, capsys: pytest.CaptureFixture[str]
) -> None:
    assert line("verify", sent[0]) == 0
    assert "-      Letter: The letter is not ready yet." in capsys.readouterr().out

    _set_letters(bench)

    assert line("verify", sent[0]) == 0
    output = capsys.readouterr().out
    assert "ok     Letter: The letter is the file that was signed for this advice." in output
    assert "FAULT" not in output
    assert line("verify") == 0
    assert capsys.readouterr().out.count("ok ") == 2


def _other_letter(session: Any, mine: Any) -> None:
    session.execute(update(AdviceLetter).where(mine).values(letter=b"%PDF-1.7 other"))


def _other_letter_and_sum(session: Any, mine: Any) -> None:
    letter = b"%PDF-1.7 other"
    values = {"letter": letter, "sha256": sealing.digest_of(letter)}
    session.execute(update(AdviceLetter).where(mine).values(**values))


def _letter_of_another(session: Any, mine: Any) -> None:
    """Signed by the key, but for another advice."""
    other = session.execute(select(AdviceLetter).where(~mine)).scalar_one()
    values = {"letter": other.letter, "sha256": other.sha256, "signature": other.signature}
    session.execute(update(AdviceLetter).where(mine).values(**values))


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("act", [_other_letter, _other_letter_and_sum, _letter_of_another])
def test_the_command_line_names_a_late_letter_that_was_changed(
    bench: Bench, sent: list[str], line: Line, capsys: pytest.CaptureFixture[str], act: Any
) -> None:
    _set_letters(bench)
    with bench.database.transaction() as session:
        drop_triggers(session)
        act(session, AdviceLetter.advice_id == uuid.UUID(sent[0]))

    assert line("verify", sent[0]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [one for one in told if "FAULT" in one] == [
        "FAULT  Letter: The stored letter is not the one that was signed."
    ]
    assert line("verify", sent[1]) == 0
    assert line("verify") == 1


def test_an_export_goes_on_without_letters_that_are_not_set_yet(
    bench: Bench, sent: list[str], line: Line, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zipped = tmp_path / "early.zip"

    assert line("export", str(zipped)) == 0
    assert "2 letters are missing; chain.json says why." in capsys.readouterr().out
    early = _check(_unpacked(zipped, tmp_path / "early"))
    assert early.returncode == 0, early.stdout
    assert "2 advices checked, 2 links, 0 faults, 2 letters missing" in early.stdout
    assert "it is still being set" in early.stdout

    _set_letters(bench)
    assert line("export", str(tmp_path / "late.zip")) == 0
    late = _check(_unpacked(tmp_path / "late.zip", tmp_path / "late"))
    assert "2 advices checked, 2 links, 0 faults\n" in late.stdout


def test_a_late_letter_that_was_removed_is_named_and_set_again(
    bench: Bench, sent: list[str], line: Line, capsys: pytest.CaptureFixture[str]
) -> None:
    _set_letters(bench)
    with bench.database.transaction() as session:
        drop_triggers(session)
        session.execute(delete(AdviceLetter))

    assert line("verify", sent[0]) == 1
    assert "FAULT  Letter: The letter was removed" in capsys.readouterr().out
    assert line("restore-letters") == 0
    assert "2 letters set again" in capsys.readouterr().out
    assert line("verify") == 0


def _unpacked(zipped: Path, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(zipped.read_bytes())) as archive:
        archive.extractall(folder)
    return folder


def _check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        # Isolated, without site-packages: nothing but Python itself.
        [sys.executable, "-I", "-S", str(folder / "verify.py"), *words],
        capture_output=True,
        text=True,
        check=False,
    )


def _edit_chain(folder: Path, change: Callable[[list[Any]], None]) -> None:
    path = folder / "chain.json"
    chain = json.loads(path.read_text())
    change(chain["links"])
    path.write_text(json.dumps(chain))


def _spoil_letter(folder: Path) -> None:
    min((folder / "letters").iterdir()).write_bytes(b"%PDF-1.7 other")


def _spoil_letter_and_sum(folder: Path) -> None:
    letter = b"%PDF-1.7 other"
    min((folder / "letters").iterdir()).write_bytes(letter)
    digest = sealing.digest_of(letter)
    _edit_chain(folder, lambda links: links[0]["letterSigned"].update(sha256=digest))


def _swap_letters(folder: Path) -> None:
    """Each a letter of the firm with its own signature, but of the other advice."""
    first, second = sorted((folder / "letters").iterdir())
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)

    def change(links: list[Any]) -> None:
        links[0]["letterSigned"], links[1]["letterSigned"] = (
            links[1]["letterSigned"],
            links[0]["letterSigned"],
        )

    _edit_chain(folder, change)


def _leave_signature_out(folder: Path) -> None:
    _edit_chain(folder, lambda links: links[0].pop("letterSigned"))


def test_a_third_party_checks_late_letters_and_sees_what_was_changed(
    bench: Bench, sent: list[str], line: Line, tmp_path: Path
) -> None:
    _set_letters(bench)
    zipped = tmp_path / "all.zip"
    assert line("export", str(zipped)) == 0
    key = scalar(bench.database, select(SigningKey.id))
    folder = _unpacked(zipped, tmp_path / "good")

    good = _check(folder, "--key", key)

    assert good.returncode == 0, good.stdout + good.stderr
    assert f"{len(sent)} advices checked, 2 links, 0 faults" in good.stdout
    for act in (_spoil_letter, _spoil_letter_and_sum, _swap_letters, _leave_signature_out):
        bad = _unpacked(zipped, tmp_path / act.__name__)
        act(bad)
        told = _check(bad, "--key", key)
        assert (told.returncode, "FAULT" in told.stdout) == (1, True), (act.__name__, told.stdout)


@pytest.mark.on_both(suite="long")
@pytest.mark.long
def test_letters_are_set_in_a_process_that_ends_with_them(
    bench: Bench, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as here:
        here.setattr(pdf, "_compiler", None)
        assert worker.set_letters(bench.database, clock.now) == 2

    assert multiprocessing.active_children() == []
    with bench.database.reading() as session:
        for advice_id in sent:
            seal = queries.seal_of(session, uuid.UUID(advice_id))
            advice_letter = session.get_one(AdviceLetter, uuid.UUID(advice_id))
            assert seal is not None
            assert advice_letter.letter == letter_of(sealing.from_text(seal.package))
