"""The firm's details, its calendar and its charges: read, changed, and kept on the trail."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tarazu.domain import charges
from tarazu.firm import service as firm
from tarazu.firm.tables import ChargeTable
from tarazu.kit import clock
from tarazu.kit.db import Database, new_id
from tests.people_of import NO_TO_ALL, Desk, reply_of
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_rows


def lines_of(desk: Desk) -> list[dict[str, Any]]:
    """The rates in force, as a screen would send them back."""
    versions = desk.get("/settings/charges").json()["data"]
    lines: list[dict[str, Any]] = next(
        version["lines"] for version in versions if version["isInForce"]
    )
    return lines


def with_rate(lines: list[dict[str, Any]], broker: str, charge: str, rate: float) -> Any:
    return [
        line | {"rate": rate} if (line["broker"], line["charge"]) == (broker, charge) else line
        for line in lines
    ]


def test_anyone_sees_the_registration_and_the_apps_link(web: TestClient) -> None:
    notice = web.get("/api/v1/firm").json()["data"]

    assert (notice["registeredFrom"], notice["validity"]) == ("2024-02-14", "perpetual")
    assert notice["renewalOn"] == "2029-02-13"
    assert notice["appLink"] == "tarazu://broker"


def test_a_fresh_firm_has_the_defaults_of_a_rebalance(admin: Desk) -> None:
    shown = admin.get("/settings/firm").json()["data"]

    assert (shown["tradePenalty"], shown["bandPercentage"], shown["minimumTradeValue"]) == (
        0.01, 0, 0,
    )  # fmt: skip
    assert (shown["includeCharges"], shown["allowFreshFunds"]) == (True, True)
    assert (shown["priceTolerancePercentage"], shown["rationaleRequired"]) == (2, True)


@pytest.mark.on_both(suite="long")
def test_details_are_changed_one_by_one_or_together(admin: Desk, web: TestClient) -> None:
    first = admin.put("/settings/firm", {"name": " Sahyadri Research ", "isDemo": True})
    both = admin.put(
        "/settings/firm",
        {
            "registrationNumber": "INH000012345",
            "bandPercentage": 0.25,
            "minimumTradeValue": 1500.5,
            "renewalOn": None,
            "version": 2,
        },
    )

    assert first.json()["message"] == "Firm details saved"
    shown = both.json()["data"]
    assert (shown["name"], shown["registrationNumber"]) == ("Sahyadri Research", "INH000012345")
    assert (shown["bandPercentage"], shown["minimumTradeValue"]) == (0.25, 1500.5)
    assert (shown["renewalOn"], shown["version"]) == (None, 3)
    notice = web.get("/api/v1/firm").json()["data"]
    assert (notice["name"], notice["isDemo"]) == ("Sahyadri Research", False)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"name": " "}, "Name is required"),
        ({"registrationNumber": ""}, "Registration number is required"),
        ({"standardWarning": ""}, "Standard warning is required"),
        (
            {"contact": "desk@a.in\nBcc: x"},
            "Contact: at most 300 characters, without control characters.",
        ),
        ({"registeredFrom": "31-31-2024"}, "Please select a valid date"),
        (
            {"bandPercentage": 0.123},
            "Band percentage has at most 2 decimals.",
        ),
        (
            {"priceBufferPercentage": 101},
            "Price buffer percentage must be at most 100.",
        ),
        (
            {"minimumTradeValue": -1},
            "Minimum trade value must be at least 0.",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_field(
    admin: Desk, sent: dict[str, Any], message: str
) -> None:
    answer = admin.put("/settings/firm", sent)

    assert reply_of(answer) == (422, message)
    assert answer.json()["errors"][0]["field"] == next(iter(sent))
    assert admin.get("/settings/firm").json()["data"]["version"] == 1


@pytest.mark.on_both(suite="long")
def test_details_changed_meanwhile_are_not_overwritten(admin: Desk) -> None:
    admin.put("/settings/firm", {"contact": "one", "version": 1})

    stale = admin.put("/settings/firm", {"contact": "two", "version": 1})

    assert reply_of(stale) == (
        409,
        "This record was changed by someone else. Reload and try again.",
    )
    assert admin.get("/settings/firm").json()["data"]["contact"] == "one"


def test_a_change_of_details_is_on_the_trail_with_both_values(
    admin: Desk, database: Database
) -> None:
    admin.put("/settings/firm", {"contact": "desk@a.in", "bandPercentage": 0})

    (row,) = audit_rows(database, "firm_edited")
    assert row.changes == '{"contact": ["", "desk@a.in"]}'


def test_the_calendar_is_listed_by_year(admin: Desk) -> None:
    days = admin.get("/settings/holidays", year=2026).json()["data"]

    assert days[0] == {"date": "2026-01-26", "name": "Republic Day"}
    assert days[-1]["date"] == "2026-12-25"
    assert [day["date"] for day in days] == sorted(day["date"] for day in days)
    assert admin.get("/settings/holidays", year=2031).json()["data"] == []
    assert admin.get("/settings/holidays", year=1).status_code == 422


@pytest.mark.on_both(suite="long")
def test_days_are_added_renamed_and_taken_out_and_others_stay(
    admin: Desk, database: Database
) -> None:
    admin.put("/settings/holidays", {"holidays": [{"date": "2031-01-26", "name": "Republic"}]})
    both = {
        "holidays": [
            {"date": "2031-01-26", "name": "Republic Day"},
            {"date": "2031-05-01", "name": "Maharashtra Day"},
        ]
    }
    admin.put("/settings/holidays", both)

    answer = admin.put("/settings/holidays", {"removed": ["2031-05-01", "2031-08-15"]})

    assert answer.json()["message"] == "Holidays saved"
    assert admin.get("/settings/holidays", year=2031).json()["data"] == both["holidays"][:1]
    with database.reading() as session:
        assert dt.date(2026, 1, 26) in firm.holidays(session)
    rows = audit_rows(database, "holidays_changed")
    assert [row.changes for row in rows] == [
        '{"2031-01-26": [null, "Republic"]}',
        '{"2031-01-26": ["Republic", "Republic Day"], "2031-05-01": [null, "Maharashtra Day"]}',
        '{"2031-05-01": ["Maharashtra Day", null]}',
    ]


def test_a_holiday_that_has_passed_is_kept(admin: Desk) -> None:
    answer = admin.put("/settings/holidays", {"removed": ["2025-12-25"]})

    assert reply_of(answer) == (
        422,
        "A holiday that has passed is kept: figures were computed with it.",
    )
    assert "2025-12-25" in [
        day["date"] for day in admin.get("/settings/holidays", year=2025).json()["data"]
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"date": "soon", "name": "X"}], "Please select a valid date"),
        ([{"date": "2031-05-01", "name": ""}], "Name is required"),
        (
            [{"date": "2031-05-01", "name": "A"}, {"date": "2031-05-01", "name": "B"}],
            "A day is entered twice.",
        ),
    ],
)
def test_a_day_that_does_not_fit_changes_nothing(
    admin: Desk, rows: list[dict[str, str]], message: str
) -> None:
    answer = admin.put("/settings/holidays", {"holidays": rows})

    assert reply_of(answer) == (422, message)
    assert admin.get("/settings/holidays", year=2031).json()["data"] == []


def test_the_shipped_charges_are_in_force_until_the_firm_enters_its_own(admin: Desk) -> None:
    (shipped,) = admin.get("/settings/charges").json()["data"]

    assert (shipped["_id"], shipped["isInForce"]) == (None, True)
    rates = {
        (line["broker"], line["exchange"], line["side"], line["charge"]): line["rate"]
        for line in shipped["lines"]
    }
    assert rates["ANY", "NSE", "ANY", "exchange"] == 0.00297
    assert rates["ANGEL_ONE", "ANY", "ANY", "brokerage_most"] == 20
    assert len(rates) == len(shipped["lines"])
    assert all(line["source"] for line in shipped["lines"])


def test_a_new_table_holds_from_its_day_and_until_then_the_old_one_does(
    admin: Desk, database: Database
) -> None:
    tomorrow = clock.today() + dt.timedelta(days=1)
    lines = with_rate(lines_of(admin), "ZERODHA", "depository", 15.5)

    kept = admin.put(
        "/settings/charges",
        {"effectiveOn": tomorrow.isoformat(), "source": "Circular 7", "lines": lines},
    )

    assert reply_of(kept) == (200, "Charges saved")
    new, shipped = admin.get("/settings/charges").json()["data"]
    assert (new["isInForce"], shipped["isInForce"]) == (False, True)
    sources = {(line["broker"], line["charge"]): line["source"] for line in new["lines"]}
    assert sources["ZERODHA", "depository"] == "Circular 7"
    assert sources["ANGEL_ONE", "depository"].startswith("Per scrip sold per day")
    with database.reading() as session:
        for day, depository in ((clock.today(), "13"), (tomorrow, "15.5")):
            rates = charges.rates_for("ZERODHA", day, firm.charge_lines_on(session, day))
            assert str(rates.depository) == depository
    (row,) = audit_rows(database, "charges_set")
    assert '"ZERODHA/ANY/SELL/depository": ["13", "15.5"]' in row.changes


def test_the_second_of_two_entries_of_the_charges_of_one_day_is_refused(admin: Desk) -> None:
    day = (clock.today() + dt.timedelta(days=9)).isoformat()
    lines = lines_of(admin)

    def keep(stamp: float, **seen: Any) -> Any:
        entered = {"effectiveOn": day, "source": "Circular"} | seen
        lines_with = with_rate(lines, "ANY", "stamp", stamp)
        return admin.put("/settings/charges", entered | {"lines": lines_with})

    def kept_stamp() -> float:
        found = admin.get("/settings/charges").json()["data"][0]["lines"]
        return float(next(line["rate"] for line in found if line["charge"] == "stamp"))

    with ThreadPoolExecutor() as several:
        answers = list(several.map(lambda stamp: keep(stamp, seenAt=None), [0.02, 0.03]))
    first = next(answer for answer in answers if answer.status_code == 200)
    seen = first.json()["data"]["createdAt"]
    added_too = next(answer for answer in answers if answer is not first)
    changed = keep(0.04, seenAt=seen)
    changed_too = keep(0.05, seenAt=seen)

    assert changed.status_code == 200
    stale = "This record was changed by someone else. Reload and try again."
    for refused in (added_too, changed_too):
        assert reply_of(refused) == (409, stale)
    assert kept_stamp() == 0.04
    # Who does not say what was seen is not asked about it.
    assert keep(0.06).status_code == 200
    assert kept_stamp() == 0.06


@pytest.mark.on_both(suite="long")
def test_a_table_that_is_not_in_force_yet_is_changed_and_one_that_is_stays(admin: Desk) -> None:
    today = clock.today()
    lines = lines_of(admin)

    def keep(day: dt.date, stamp: float) -> Any:
        return admin.put(
            "/settings/charges",
            {
                "effectiveOn": day.isoformat(),
                "source": "Circular",
                "lines": with_rate(lines, "ANY", "stamp", stamp),
            },
        )

    keep(today + dt.timedelta(days=9), 0.02)
    keep(today + dt.timedelta(days=9), 0.03)
    at_once = keep(today, 0.04)
    again = keep(today, 0.05)

    assert at_once.json()["data"]["isInForce"] is True
    assert reply_of(again) == (
        409,
        "Charges that are in force already are kept. Enter the new ones from a later day.",
    )
    versions = admin.get("/settings/charges").json()["data"]
    stamps = [
        line["rate"]
        for version in versions
        for line in version["lines"]
        if line["charge"] == "stamp"
    ]
    assert stamps == [0.03, 0.04, 0.015]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": " "}, "Source is required"),
        ({"effectiveOn": "never"}, "Please select a valid date"),
        ({"lines": []}, "The table of charges is not complete."),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    admin: Desk, changes: dict[str, Any], message: str
) -> None:
    body = {"effectiveOn": "2031-04-01", "source": "Circular", "lines": lines_of(admin)}

    answer = admin.put("/settings/charges", body | changes)

    assert reply_of(answer) == (422, message)
    assert len(admin.get("/settings/charges").json()["data"]) == 1


@pytest.mark.parametrize("rate", [-1, 0.123456789, "NaN"])
def test_a_rate_that_cannot_be_is_refused(admin: Desk, rate: Any) -> None:
    body = {
        "effectiveOn": "2031-04-01",
        "source": "Circular",
        "lines": with_rate(lines_of(admin), "ANY", "gst", rate),
    }

    assert admin.put("/settings/charges", body).status_code == 422


@pytest.mark.on_both(suite="long")
def test_a_rebalance_uses_the_charges_in_force_and_keeps_them(
    admin: Desk, database: Database, priced
) -> None:
    client_id = admin.add_client()
    give_holdings(database, client_id, {"INFY": (10, "1000")}, cash="0")
    priced({"INFY": "1000"})
    body = {
        "clientId": client_id,
        "targetInvestmentValue": 10000,
        "targetHoldings": [{"tradingSymbol": "INFY", "allocationPercentage": 50}],
    }
    before = admin.post("/admin/advice/rebalance-portfolio", body).json()["summary"]
    with database.transaction() as session:
        lines = tuple(
            line._replace(rate=line.rate + 10) if line.charge == "depository" else line
            for line in charges.SHIPPED
        )
        session.add(
            ChargeTable(
                id=new_id(),
                effective_on=dt.date(2026, 1, 1),
                lines=charges.text_of(lines),
                source="Test",
                created_at=clock.now(),
                created_by=None,
            )
        )

    after = admin.post("/admin/advice/rebalance-portfolio", body).json()["summary"]

    assert after["chargesBreakdown"]["depository"] - before["chargesBreakdown"]["depository"] == 10


def test_nobody_has_disclosed_anything_on_a_fresh_installation(admin: Desk) -> None:
    shown = admin.get("/settings/firm").json()["data"]

    assert (shown["disclosures"], shown["disclosuresConfirmedOn"]) == ("", None)
    assert [
        disclosure_question["isYes"] for disclosure_question in shown["disclosureQuestions"]
    ] == [None] * 6
    assert (shown["name"], shown["registrationNumber"], shown["analystName"]) == (
        "Research Analyst", "", "",
    )  # fmt: skip
    assert (shown["priceMinutes"], shown["rationaleRequired"]) == (15, True)


def test_answered_questions_make_the_text_and_are_confirmed_today(admin: Desk) -> None:
    yes = {"id": "compensation", "isYes": True, "details": "TCS paid the firm for a lecture."}
    answers = [one for one in NO_TO_ALL if one["id"] != "compensation"]

    answer = admin.put("/settings/firm", {"disclosureAnswers": [yes, *answers]})

    shown = answer.json()["data"]
    assert shown["disclosuresConfirmedOn"] == clock.today().isoformat()
    assert shown["disclosures"] == (
        "TCS paid the firm for a lecture.\n"
        "The Research Analyst, its staff, associates and their relatives have no financial "
        "interest in the securities named here; do not own one percent or more of these "
        "companies; have no other material conflict of interest; have not served as officer, "
        "director or employee of these companies; do not make a market in these securities."
    )
    told = {
        disclosure_question["id"]: disclosure_question["isYes"]
        for disclosure_question in shown["disclosureQuestions"]
    }
    assert told["compensation"] is True
    assert told["holdings"] is False


@pytest.mark.on_both(suite="long")
def test_the_firms_own_words_are_confirmed_as_of_today(admin: Desk) -> None:
    answer = admin.put("/settings/firm", {"disclosures": "The analyst holds shares of ITC."})

    shown = answer.json()["data"]
    assert shown["disclosures"] == "The analyst holds shares of ITC."
    assert shown["disclosuresConfirmedOn"] == clock.today().isoformat()
    assert {
        disclosure_question["isYes"] for disclosure_question in shown["disclosureQuestions"]
    } == {None}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (NO_TO_ALL[1:], "Answer every disclosure question."),
        ([*NO_TO_ALL, NO_TO_ALL[0]], "Answer every disclosure question."),
        (
            [{"id": "holdings", "isYes": True}, *NO_TO_ALL[1:]],
            "Say what is to be disclosed where the answer is yes.",
        ),
        ([{"id": "weather", "isYes": True}], "There is no such disclosure question."),
    ],
)
def test_half_an_answer_confirms_nothing(
    admin: Desk, answers: list[dict[str, Any]], message: str
) -> None:
    answer = admin.put("/settings/firm", {"disclosureAnswers": answers})

    assert reply_of(answer) == (422, message)
    assert admin.get("/settings/firm").json()["data"]["disclosuresConfirmedOn"] is None


@pytest.mark.on_both(suite="long")
def test_rationales_are_kept_to_be_chosen_from(admin: Desk) -> None:
    rows = [{"name": "Review", "text": "Monthly review."}, {"name": "Exit", "text": "Sold."}]

    answer = admin.put("/settings/firm", {"rationales": rows})

    assert answer.json()["data"]["rationales"] == rows
    twice = admin.put("/settings/firm", {"rationales": [rows[0], rows[0] | {"name": "REVIEW"}]})
    assert twice.json()["message"] == "Two rationales have the same name."
    assert admin.get("/settings/firm").json()["data"]["rationales"] == rows
