"""Rates entered by an ADMIN: dated, with a source, and never for a year that is over."""

from typing import Any

import pytest

from tarazu.kit.db import Database
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_changes
from tests.tax.test_client_lots import TaxDesk, taxed

__all__ = ["taxed"]

PATH = "/settings/tax-rates"
FROM_AUGUST = "2026-08-01"


def enter(desk: Desk, on: str, **values: str) -> Any:
    rates = [{"item": item, "value": value} for item, value in values.items()]
    return desk.post(PATH, {"effectiveOn": on, "source": "Finance Act 2026", "rates": rates})


def in_force(desk: Desk) -> dict[str, str]:
    return {line["item"]: line["value"] for line in data_of(desk.get(PATH))["inForce"]}


@pytest.mark.on_both
def test_a_rate_holds_from_its_day_and_past_years_keep_theirs(taxed: TaxDesk) -> None:
    taxed.bought("2025-06-03", 10, "1000")
    taxed.sold("2025-07-01", 10, "2000")
    taxed.bought("2026-06-03", 10, "1000")
    taxed.sold("2026-09-01", 5, "2000")
    taxed.hold(("INFY", 5))
    before = taxed.gains("2025-26")

    version = data_of(enter(taxed.desk, "2026-04-01", short_term="25", long_term="12.5"))

    assert [(line["item"], line["value"]) for line in version["lines"]] == [("short_term", "25")]
    assert in_force(taxed.desk)["short_term"] == "25"
    assert taxed.gains("2025-26") == before
    year = taxed.gains("2026-27")
    assert year["tax"]["ways"][0]["tax"] == 1_300
    line = next(line for line in year["rates"]["lines"] if line["item"] == "short_term")
    assert (line["effectiveOn"], line["source"]) == ("2026-04-01", "Finance Act 2026")

    removed = taxed.desk.web.delete(f"/api/v1{PATH}/{version['_id']}", headers=taxed.desk.headers)

    assert reply_of(removed) == (200, "Tax rates removed")
    assert taxed.gains("2026-27")["tax"]["ways"][0]["tax"] == 1_040


def test_a_year_of_two_rates_shows_both_and_no_tax(taxed: TaxDesk) -> None:
    enter(taxed.desk, FROM_AUGUST, short_term="25")

    year = taxed.gains("2026-27")

    lines = [line for line in year["rates"]["lines"] if line["item"] == "short_term"]
    assert [(line["effectiveOn"], line["value"]) for line in lines] == [
        ("2024-07-23", "20"),
        (FROM_AUGUST, "25"),
    ]
    assert year["tax"] is None


@pytest.mark.parametrize(
    ("on", "values", "message"),
    [
        ("2026-03-31", {"cess": "5"}, "The rates of 2025-26 and earlier are kept"),
        ("2029-04-01", {"cess": "5"}, "Enter a day up to 31-03-2029."),
        (FROM_AUGUST, {"cess": "4.0"}, "None of these rates differs"),
        (FROM_AUGUST, {"cess": "101"}, "Enter a number from 0 to 100."),
        (FROM_AUGUST, {"cess": "-1"}, "Enter a number from 0 to 100."),
        (FROM_AUGUST, {"cess": "four"}, "Enter a number from 0 to 100."),
        (FROM_AUGUST, {"cess": "NaN"}, "Enter a number from 0 to 100."),
        (FROM_AUGUST, {"holding_period": "0"}, "Enter a whole number from 1 to 120."),
        (FROM_AUGUST, {"exemption": "150000"}, "enter it from 1 April."),
        (FROM_AUGUST, {"surcharge_above_1_crore": "5"}, "The surcharge of a higher income"),
        (FROM_AUGUST, {"grandfathered_until": "2020-01-31"}, "There is no such rate"),
        (FROM_AUGUST, {"wealth": "1"}, "There is no such rate"),
        (FROM_AUGUST, {"section_long_term": " "}, "Enter a section"),
    ],
)
def test_rates_that_cannot_be_are_refused_and_change_nothing(
    admin: Desk, on: str, values: dict[str, str], message: str
) -> None:
    before = data_of(admin.get(PATH))

    status, text = reply_of(enter(admin, on, **values))

    assert status == 422
    assert message in text
    assert data_of(admin.get(PATH)) == before


def test_two_versions_of_one_day_do_not_overlap(admin: Desk) -> None:
    enter(admin, FROM_AUGUST, cess="5")

    answer = enter(admin, FROM_AUGUST, short_term="25")

    assert reply_of(answer) == (
        409,
        "Rates from 01-08-2026 are entered already. Remove them first, or choose another day.",
    )


def test_every_change_is_audited(admin: Desk, database: Database) -> None:
    version = data_of(enter(admin, "2027-04-01", exemption="150000"))
    admin.web.delete(f"/api/v1{PATH}/{version['_id']}", headers=admin.headers)

    done = audit_changes(database, version["_id"])
    assert [action for action, _ in done] == ["tax_rates_set", "tax_rates_removed"]
    assert done[0][1]["exemption"] == ["125000", "150000"]
    assert (
        admin.web.delete(f"/api/v1{PATH}/{version['_id']}", headers=admin.headers).status_code
        == 404
    )


def test_the_rates_are_exported(admin: Desk) -> None:
    text = admin.get(f"{PATH}/export", format="csv").text

    assert "Health and education cess,4,percent" in text
