"""The pack of the annual audit: by duty, with a sample of advice that its index states."""

import json
from pathlib import Path

import pytest

from tarazu.domain.obligations.due_days import fiscal_year_end
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.advice.conftest import AdviceDesk, advice
from tests.advice.documents.exports import check_export
from tests.inspection.packs import asked, made, opened
from tests.inspection.test_pack import files_in, fill, reached_from
from tests.people_of import Desk, data_of, reply_of

__all__ = ["advice"]

pytestmark = pytest.mark.on_both


def this_year() -> dict[str, str]:
    last = fiscal_year_end(clock.today())
    return {"kind": "AUDIT", "from": f"{last.year - 1}-04-01", "to": str(last)}


def test_the_index_has_every_duty_with_its_source_records_and_evidence(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    fill(advice.desk, database)

    folder = opened(settings, made(advice.desk, database, settings, **this_year()), tmp_path / "a")

    index = (folder / "index.html").read_text(encoding="utf-8")
    duties = data_of(advice.desk.get("/admin/obligations"))
    places = []
    for row in sorted(duties, key=lambda one: (one["number"] or 99, one["_id"])):
        places.append(index.index(f"<strong>{row['title'].replace('&', '&amp;')}</strong>"))
        assert row["source"] in index
    assert places == sorted(places)
    (evidence,) = (folder / "evidence").iterdir()
    assert f'Evidence recorded: <a href="evidence/{evidence.name}">' in index
    assert reached_from(folder) == files_in(folder)
    assert check_export(folder).returncode == 0


def test_the_sample_is_every_so_manyth_advice_and_the_index_states_the_rule(
    advice: AdviceDesk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    for _ in range(5):
        advice.sent()
    advice.set_letters()

    pack = made(advice.desk, database, settings, **this_year(), sampleEvery=2)

    folder = opened(settings, pack, tmp_path / "a")
    numbers = [int(path.name.partition("-")[0]) for path in (folder / "packages").iterdir()]
    assert sorted(numbers) == [1, 3, 5]
    rule = "Sample: 3 of 5 sealed advices of these days: the first, then one in every 2"
    assert rule in (folder / "index.html").read_text(encoding="utf-8")
    checked = check_export(folder)
    assert "3 advices checked, 5 links, 0 faults" in checked.stdout
    assert json.loads((folder / "manifest.json").read_text())["filter"]["sample"] == "every 2"


def test_a_year_that_goes_on_can_be_packed_and_one_to_come_cannot(admin: Desk) -> None:
    assert asked(admin, **this_year()).status_code == 201
    next_year = int(this_year()["to"][:4])
    to_come = {"kind": "AUDIT", "from": f"{next_year}-04-01", "to": f"{next_year + 1}-03-31"}
    assert reply_of(asked(admin, **to_come)) == (422, "The first day is in the future.")
