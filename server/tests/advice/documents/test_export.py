"""An export of sealed advice: a third party checks it, and sees whatever was changed."""

import json
import shutil
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import select

from tarazu import cli
from tarazu.advice import exporting
from tarazu.advice.documents import verify_export
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.kit.signing import SigningKey
from tests.advice.conftest import AdviceDesk
from tests.advice.documents.exports import check_export, unpacked
from tests.people_of import Desk


@pytest.mark.on_both
def test_a_third_party_can_check_an_export_and_sees_what_was_changed(
    advice: AdviceDesk, database: Database, tmp_path: Path
) -> None:
    ids = [advice.sent() for _ in range(3)]
    advice.set_letters()
    with database.reading() as session:
        between = [uuid.UUID(ids[0]), uuid.UUID(ids[2])]
        content = exporting.archive(session, between, clock.now(), {}).content
        key = session.execute(select(SigningKey.id)).scalar_one()
    folder = unpacked(content, tmp_path / "export")

    good = check_export(folder, "--key", key)

    assert good.returncode == 0, good.stdout + good.stderr
    assert "2 advices checked, 3 links, 0 faults" in good.stdout
    assert "SELL 34 INFY, BUY 66 TCS" in good.stdout
    assert check_export(folder, "--key", "0" * 16).returncode == 1
    for act in (_spoil_package, _spoil_letter, _drop_link, _swap_links, _spoil_signature, _forget):
        bad = unpacked(content, tmp_path / act.__name__)
        act(bad)
        told = check_export(bad)
        assert told.returncode == 1, (act.__name__, told.stdout)
        assert "FAULT" in told.stdout


def _spoil_package(folder: Path) -> None:
    path = min((folder / "packages").iterdir())
    path.write_text(path.read_text().replace("Ananya", "Amrita"))


def _spoil_letter(folder: Path) -> None:
    min((folder / "letters").iterdir()).write_bytes(b"%PDF-1.7 other")


def _edit_chain(folder: Path, change: Any) -> None:
    path = folder / "chain.json"
    chain = json.loads(path.read_text())
    change(chain)
    path.write_text(json.dumps(chain))


def _drop_link(folder: Path) -> None:
    _edit_chain(folder, lambda chain: chain["links"].pop(1))


def _swap_links(folder: Path) -> None:
    _edit_chain(folder, lambda chain: chain["links"].reverse())


def _spoil_signature(folder: Path) -> None:
    def change(chain: Any) -> None:
        link = chain["links"][0]
        link["signature"] = chain["links"][1]["signature"]

    _edit_chain(folder, change)


def _forget(folder: Path) -> None:
    _edit_chain(folder, lambda chain: chain["links"].pop())


@given(edits=st.data())
@hypothesis_settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_is_done_to_an_export_is_named_without_a_traceback(
    whole_export: Path, tmp_path: Path, edits: st.DataObject
) -> None:
    folder = tmp_path / str(uuid.uuid4())
    shutil.copytree(whole_export, folder)
    path = edits.draw(st.sampled_from(sorted(one for one in folder.rglob("*") if one.is_file())))
    content = path.read_bytes()
    act = edits.draw(st.sampled_from(["cut", "flip", "remove", "rename", "replace", "swap values"]))
    if act == "cut":
        path.write_bytes(content[: edits.draw(st.integers(0, len(content) - 1))])
    elif act == "flip":
        place = edits.draw(st.integers(0, len(content) - 1))
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    elif act == "remove":
        path.unlink()
    elif act == "rename":
        path.rename(path.with_name(f"another-{path.name}"))
    elif act == "replace":
        odd = st.sampled_from([b"", b"{}", b"[]", b"null", b"[" * 5000, b"\xff", b'{"links": 1}'])
        path.write_bytes(edits.draw(odd))
    else:
        path = folder / edits.draw(st.sampled_from(["chain.json", "manifest.json"]))
        told = json.loads(path.read_text())
        key = edits.draw(st.sampled_from(sorted(told)))
        told[key] = edits.draw(st.sampled_from([None, 0, -1, "", "x", [], {}, [None], 1e308]))
        path.write_text(json.dumps(told))

    assert verify_export.main([str(folder)]) == 1  # type: ignore[no-untyped-call]
    shutil.rmtree(folder)


@pytest.fixture
def whole_export(advice: AdviceDesk, database: Database, tmp_path: Path) -> Path:
    ids = [uuid.UUID(advice.sent()) for _ in range(3)]
    advice.set_letters()
    with database.reading() as session:
        content = exporting.archive(session, ids[:2], clock.now(), {}).content
    folder = unpacked(content, tmp_path / "whole")
    assert verify_export.main([str(folder)]) == 0  # type: ignore[no-untyped-call]
    return folder


def _relabel(chain: Any) -> None:
    """A package listed as not exported, its count made to fit."""
    del chain["links"][1]["package"], chain["links"][1]["letter"]
    chain["exported"] -= 1


@pytest.mark.parametrize(
    "act", [lambda chain: chain["links"].pop(), lambda chain: chain["links"].pop(0), _relabel]
)
def test_a_link_cut_off_or_relabelled_is_named(whole_export: Path, act: Any) -> None:
    _edit_chain(whole_export, act)

    told = check_export(whole_export)

    assert (told.returncode, told.stderr) == (1, "")
    assert "chain.json was changed" in told.stdout
    assert "the export names 2 advices and 2 links" in told.stdout


def test_a_file_that_the_manifest_does_not_name_is_reported(whole_export: Path) -> None:
    (whole_export / "letters" / "000009-more.pdf").write_bytes(b"%PDF-1.7")

    told = check_export(whole_export)

    assert told.returncode == 1
    assert "letters/000009-more.pdf was added: the manifest does not name it" in told.stdout


def test_an_administrator_downloads_the_zip(advice: AdviceDesk, user: Desk, tmp_path: Path) -> None:
    advice_id = advice.sent()

    answer = advice.desk.get(f"/admin/advice/{advice_id}/sealed.zip")

    assert answer.headers["Content-Type"] == "application/zip"
    assert check_export(unpacked(answer.content, tmp_path / "x")).returncode == 0
    assert user.get(f"/admin/advice/{advice_id}/sealed.zip").status_code == 403


@pytest.mark.on_both
def test_the_command_line_verifies_and_exports(
    advice: AdviceDesk,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    place = ["--data-dir", str(settings.data_dir)]
    advice_id = advice.sent()
    advice.sent()
    zipped = tmp_path / "all.zip"

    assert cli.main(["advice", "verify", advice_id, *place]) == 0
    assert "Computed again: the same quantities" in capsys.readouterr().out
    assert cli.main(["advice", "verify", *place]) == 0
    assert cli.main(["advice", "verify", str(uuid.uuid4()), *place]) == 1
    assert cli.main(["advice", "export", "--client", "C0001", str(zipped), *place]) == 0
    assert cli.main(["advice", "export", str(zipped), *place]) == 1
    assert "already exists" in capsys.readouterr().err
    assert cli.main(["advice", "export", advice_id, str(tmp_path / "one.zip"), *place]) == 0
    nothing = ["advice", "export", "--to", "2020-01-01", str(tmp_path / "no.zip"), *place]
    assert cli.main(nothing) == 1
    told = check_export(unpacked(zipped.read_bytes(), tmp_path / "all"))
    assert "2 advices checked, 2 links, 0 faults" in told.stdout
