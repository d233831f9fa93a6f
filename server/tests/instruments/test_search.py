"""Finding a stock by what one remembers of it."""

import pytest
from sqlalchemy import update

from tarazu.instruments.tables import Instrument
from tarazu.kit.db import Database
from tests.people_of import Desk, data_of
from tests.rows_of import run

pytestmark = pytest.mark.on_both


def symbols(desk: Desk, query: str) -> list[str]:
    return [row["symbol"] for row in data_of(desk.get("/instruments/search", query=query))]


def change(database: Database, listed_as: str, **values: str) -> None:
    run(database, update(Instrument).where(Instrument.symbol == listed_as).values(**values))


def test_a_row_says_all_that_the_advice_form_needs(admin: Desk) -> None:
    rows = admin.get("/instruments/search", query="INFY").json()["data"]

    assert rows[0] == {
        "symbol": "INFY",
        "exchange": "NSE",
        "name": "Infosys Ltd.",
        "isin": "INE009A01021",
        "instrumentToken": 408065,
    }


def test_the_exact_symbol_comes_first_then_prefixes_then_names(
    admin: Desk, database: Database
) -> None:
    change(database, "ZEEL", symbol="INFYX", name="Zee")
    change(database, "ACC", name="Infy Look-alike Cement")
    change(database, "AARTIIND", name="Great Infy")

    found = symbols(admin, "infy")

    assert found == ["INFY", "INFYX", "ACC", "AARTIIND"]


def test_case_and_spaces_around_make_no_difference(admin: Desk) -> None:
    assert symbols(admin, "  reLIance ") == symbols(admin, "RELIANCE")
    assert symbols(admin, "reliance")[0] == "RELIANCE"


def test_a_stock_is_found_by_a_word_inside_its_name(admin: Desk) -> None:
    assert "TCS" in symbols(admin, "consultancy")


def test_a_stock_is_found_by_its_isin(admin: Desk) -> None:
    assert symbols(admin, "ine009a01021") == ["INFY"]


def test_under_two_letters_nothing_is_found(admin: Desk) -> None:
    for query in ("", " ", "I", " I ", "%", "_"):
        assert symbols(admin, query) == []


def test_percent_underscore_and_backslash_are_literal(admin: Desk) -> None:
    for query in ("%%", "__", "IN%Y", "I_FY", "\\\\", "%INFY", "INFY\\"):
        assert symbols(admin, query) == []


def test_a_name_with_a_percent_in_it_is_found_by_it(admin: Desk, database: Database) -> None:
    change(database, "ACC", name="100%_Cement\\Works")

    assert symbols(admin, "100%_c") == ["ACC"]
    assert symbols(admin, "%_") == ["ACC"]
    assert symbols(admin, "t\\w") == ["ACC"]


def test_at_most_twenty_are_found(admin: Desk) -> None:
    assert len(symbols(admin, "ltd")) == 20


def test_a_stock_no_longer_listed_is_not_found(admin: Desk, database: Database) -> None:
    run(database, update(Instrument).where(Instrument.symbol == "INFY").values(is_active=False))

    answer = admin.post("/instruments/add", {"symbolName": "INFY", "exchange": "NSE"})

    assert "INFY" not in symbols(admin, "INFY")
    assert answer.status_code == 404


def test_a_question_that_is_far_too_long_is_refused(admin: Desk) -> None:
    assert admin.get("/instruments/search", query="x" * 101).status_code == 422
