"""Factsheets, and the gate that they pass."""

import datetime as dt
import io
import json
from typing import Any

import pypdf
import pytest

from tests.models_of import WORDS
from tests.people_of import reply_of, staff_desk
from tests.rows_of import audit_rows
from tests.track_record.conftest import INDEX, Track


def launched(track: Track, count: int = 4) -> list[dt.date]:
    days = track.days(count)
    track.launch(days[0])
    track.close(days, {"INFY": [str(100 + place) for place in range(count)]})
    track.use_index(days, [str(200 + place) for place in range(count)])
    track.keep()
    return days


def read(content: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    assert len(pages) == 1
    return " ".join(pages[0].extract_text().split())


def certified(track: Track, days: list[dt.date], **more: Any) -> None:
    """Let the firm show certified figures of these days to a person who asks."""
    papers = {
        "verifiedFrom": "2090-01-01",
        "enrolUntil": "2090-01-01",
        "certifiedUntil": "2090-01-01",
        "enrolledOn": "2026-01-01",
        "certifiedFirst": str(days[0]),
        "certifiedLast": str(days[-1]),
    }
    track.standing(**papers | more)


def test_the_firm_has_its_own_factsheet_on_one_page(track: Track) -> None:
    launched(track)

    answer = track.bench.desk.get(f"{track.path}/factsheet.pdf")

    assert answer.status_code == 200, answer.text
    text = read(answer.content)
    for part in ("Large Cap", INDEX, *WORDS.values(), "Maximum drawdown", "Cash", "5.00 %"):
        assert part in text
    assert "For internal use" in text
    assert "Not to be shown to anybody else" in text
    (row,) = audit_rows(track.bench.database, "taken_away")
    changes = json.loads(row.changes)
    assert (changes["what"], changes["audience"]) == ("factsheet", "FIRM")


def test_the_page_has_the_same_words_and_nothing_from_elsewhere(track: Track) -> None:
    launched(track)

    page = track.bench.desk.get(f"{track.path}/factsheet.html").text

    assert all(words in page for words in WORDS.values())
    assert "<polyline" in page
    assert "http" not in page
    assert "<script" not in page


def test_texts_of_the_firm_are_never_markup(track: Track) -> None:
    launched(track)
    desk = track.bench.desk
    assert desk.put(track.path, {"name": "<b>#Best & co"}).status_code == 200

    page = desk.get(f"{track.path}/factsheet.html").text
    pdf = desk.get(f"{track.path}/factsheet.pdf")

    assert "&lt;b&gt;#Best &amp; co" in page
    assert "<b>#Best & co" in read(pdf.content)


@pytest.mark.on_both(suite="long")
def test_a_person_who_asked_gets_certified_figures_with_the_words(track: Track) -> None:
    days = launched(track)
    certified(track, days, wordsCertified="Certified, for one person.")

    answer = track.bench.desk.get(
        f"{track.path}/factsheet.pdf", audience="PROSPECT", askedBy="Vidya Mehta"
    )

    text = read(answer.content)
    assert "Certified, for one person." in text
    assert "Given on request to Vidya Mehta" in text


def test_a_period_can_end_before_the_figures_that_may_not_be_shown(track: Track) -> None:
    days = launched(track)
    certified(track, days[:-1])
    asked = {"audience": "PROSPECT", "askedBy": "Vidya Mehta"}
    path = f"{track.path}/factsheet.pdf"

    whole = track.bench.desk.get(path, **asked)
    part = track.bench.desk.get(path, until=str(days[-2]), **asked)

    assert whole.status_code == 422
    assert part.status_code == 200


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"audience": "PUBLIC"}, "to the public only as"),
        ({"audience": "PROSPECT"}, "only on request"),
        ({"audience": "PROSPECT", "askedBy": "Vidya Mehta"}, "not enrolled"),
    ],
)
@pytest.mark.parametrize("form", ["pdf", "html"])
def test_the_gate_refuses_with_its_reason_and_the_trail_has_it(
    track: Track, asked: dict[str, str], reason: str, form: str
) -> None:
    launched(track)

    status, message = reply_of(track.bench.desk.get(f"{track.path}/factsheet.{form}", **asked))

    assert status == 422
    assert reason in message
    (row,) = audit_rows(track.bench.database, "performance_refused")
    assert row.record_id == track.bench.model["_id"]
    assert json.loads(row.changes)["reason"] == message
    assert not audit_rows(track.bench.database, "taken_away")


@pytest.mark.parametrize("name", ["factsheet.pdf", "factsheet.html", "calls"])
def test_a_user_cannot_name_the_firm_as_the_audience_of_a_file(track: Track, name: str) -> None:
    launched(track)
    bench = track.bench
    user = staff_desk(bench.desk.web, bench.database)
    path = "/admin/calls/record/export" if name == "calls" else f"{track.path}/{name}"

    status, message = reply_of(user.get(path, audience="FIRM"))
    without = reply_of(user.get(path))

    assert status == 422
    assert message.startswith("Only an administrator can take away")
    assert without == (status, message)
    refused = audit_rows(bench.database, "performance_refused")
    assert [json.loads(row.changes)["audience"] for row in refused] == ["FIRM", "FIRM"]
    assert not audit_rows(bench.database, "taken_away")
    assert bench.desk.get(path).status_code == 200


@pytest.mark.on_both(suite="long")
def test_a_user_sees_figures_on_the_screen_and_gives_them_to_one_who_asked(track: Track) -> None:
    days = launched(track)
    certified(track, days)
    user = staff_desk(track.bench.desk.web, track.bench.database)
    asked = {"audience": "PROSPECT", "askedBy": "Vidya Mehta"}

    assert user.get(f"{track.path}/track-record").status_code == 200
    assert user.get("/admin/calls/record").status_code == 200
    assert user.get(f"{track.path}/factsheet.pdf", **asked).status_code == 200


def test_a_model_is_nobodys_own_account(track: Track) -> None:
    launched(track)

    answer = track.bench.desk.get(f"{track.path}/factsheet.pdf", audience="OWN_CLIENT")

    assert reply_of(answer)[0] == 422


def test_without_values_there_is_no_factsheet(track: Track) -> None:
    answer = track.bench.desk.get(f"{track.path}/factsheet.pdf")

    assert reply_of(answer)[0] == 422
    assert "No value of this model is known" in reply_of(answer)[1]
