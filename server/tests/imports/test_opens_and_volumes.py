"""A day's first prices and the shares traded come in with its closes, by the exchanges' files."""

import datetime as dt
from decimal import Decimal

import pytest

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.prices import service as prices
from tests.imports.bhavcopies import FRIDAY, UDIFF_HEADER, Row, older, udiff, udiff_row
from tests.imports.files import INFY, TCS
from tests.people_of import Desk, data_of

pytestmark = pytest.mark.on_both

ROWS: tuple[Row, ...] = (("INFY", "EQ", INFY, "1612.40"), ("TCS", "EQ", TCS, "3301.05"))


@pytest.fixture(autouse=True)
def friday_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    at = dt.datetime(2026, 11, 20, 18, 30, tzinfo=INDIA).astimezone(dt.UTC)
    monkeypatch.setattr(clock, "now", lambda: at)


def take(desk: Desk, content: bytes) -> None:
    """Import a file of which no row is refused."""
    report = data_of(desk.upload("/admin/imports/prices", "bhav.csv", content, dryRun="false"))
    assert report["counts"]["refused"] == 0, report


def volumes(database: Database, *symbols: str) -> list[int | None]:
    """The stored volume of Friday."""
    with database.reading() as session:
        tokens = [
            instruments.by_symbol(session, "NSE", symbol).instrument_token for symbol in symbols
        ]
        known = prices.volumes_between(session, tokens, FRIDAY, FRIDAY)
        return [known[token][0][1] if known[token] else None for token in tokens]


@pytest.mark.parametrize(
    "content",
    [udiff(*ROWS, volume=2_400_000_000), older(*ROWS, volume=2_400_000_000)],
    ids=["udiff", "older"],
)
def test_both_formats_have_the_shares_traded_on_the_day(
    admin: Desk, database: Database, content: bytes
) -> None:
    take(admin, content)

    assert volumes(database, "INFY", "TCS") == [2_400_000_000, 2_400_000_000]


def opens(database: Database) -> dict[int, Decimal]:
    """Friday's stored opening prices of INFY."""
    with database.reading() as session:
        token = instruments.by_symbol(session, "NSE", "INFY").instrument_token
        return prices.opens_of_day(session, FRIDAY, [token])


@pytest.mark.parametrize(
    "content",
    [udiff(*ROWS, opening="1598.55"), older(*ROWS, opening="1598.55")],
    ids=["udiff", "older"],
)
def test_both_formats_have_the_opening_prices(
    admin: Desk, database: Database, content: bytes
) -> None:
    take(admin, content)

    assert [*opens(database).values()] == [Decimal("1598.55")]


@pytest.mark.parametrize("opening", ["", "-", "0.00"])
def test_a_share_without_an_opening_price_still_has_its_close(
    admin: Desk, database: Database, opening: str
) -> None:
    take(admin, udiff(*ROWS, opening=opening))

    assert opens(database) == {}
    assert volumes(database, "INFY") == [1000]


def test_an_opening_price_that_cannot_be_right_refuses_its_row(
    admin: Desk, database: Database
) -> None:
    content = udiff(*ROWS, opening="-5")
    refused = admin.upload("/admin/imports/prices", "bhav.csv", content, dryRun="true")

    assert data_of(refused)["refused"][0]["reason"].startswith("Opening price")


def test_a_file_without_a_column_keeps_what_is_known_of_it(admin: Desk, database: Database) -> None:
    take(admin, udiff(*ROWS, opening="1598.55", volume=500))
    take(admin, udiff(*ROWS, opening="", volume=600))

    assert [*opens(database).values()] == [Decimal("1598.55")]
    assert volumes(database, "INFY") == [600]


def test_the_other_exchange_s_opening_is_not_that_of_the_listing(
    admin: Desk, database: Database
) -> None:
    take(admin, udiff(*ROWS, source="BSE", opening="1590"))

    assert opens(database) == {}


def test_a_close_that_was_stored_before_the_file_gets_the_volume(
    admin: Desk, database: Database
) -> None:
    with database.transaction() as session:
        token = instruments.by_symbol(session, "NSE", "INFY").instrument_token
        prices.record_day_closes(session, FRIDAY, {token: Decimal(1600)})
    assert volumes(database, "INFY") == [None]

    take(admin, udiff(*ROWS, volume=500))

    assert volumes(database, "INFY") == [500]
    with database.reading() as session:
        assert prices.closes_of_day(session, FRIDAY, [token])[token] == 1600


def test_the_other_exchange_s_volume_is_not_that_of_the_listing(
    admin: Desk, database: Database
) -> None:
    take(admin, udiff(*ROWS, source="BSE", volume=30))
    assert volumes(database, "INFY") == [None]

    take(admin, udiff(*ROWS, volume=500))
    take(admin, udiff(*ROWS, source="BSE", volume=31))
    assert volumes(database, "INFY") == [500]


def test_a_file_without_volumes_still_has_prices(admin: Desk, database: Database) -> None:
    take(admin, udiff(*ROWS, volume=""))
    assert volumes(database, "INFY") == [None]


@pytest.mark.parametrize("volume", ["many", "-5", "10.5", "9" * 13])
def test_a_volume_that_cannot_be_right_refuses_its_row(
    admin: Desk, database: Database, volume: str
) -> None:
    lines = [UDIFF_HEADER, udiff_row(ROWS[0], FRIDAY, volume=volume), udiff_row(ROWS[1], FRIDAY)]
    content = ("\n".join(lines) + "\n").encode()
    report = data_of(admin.upload("/admin/imports/prices", "bhav.csv", content, dryRun="false"))

    (refused,) = report["refused"]
    assert refused["reason"].startswith("Traded volume")
    assert volumes(database, "INFY", "TCS") == [None, 1000]


def test_volumes_and_openings_go_with_a_share_to_its_new_token(
    admin: Desk, database: Database
) -> None:
    take(admin, udiff(*ROWS, volume=500, opening="1598.55"))
    with database.transaction() as session:
        token = instruments.by_symbol(session, "NSE", "INFY").instrument_token
        prices.take_over(session, {token: 7_000_001})
        known = prices.volumes_between(session, [7_000_001], FRIDAY, FRIDAY)
        opening = prices.opens_of_day(session, FRIDAY, [7_000_001])

    assert opening == {7_000_001: Decimal("1598.55")}
    assert known == {7_000_001: [(FRIDAY, 500)]}
