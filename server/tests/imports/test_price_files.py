"""Closing prices come in by the exchanges' daily files, and never pass for prices of now."""

import datetime as dt
import os
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tarazu.app import _schedule, create_app
from tarazu.imports import jobs, price_files, price_folder
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.kit.mail import MailSender
from tarazu.kit.settings import Settings
from tarazu.portfolio.jobs import close_due_days
from tarazu.prices import service as prices
from tarazu.prices.tables import PriceFile
from tests.imports.bhavcopies import FRIDAY, UDIFF_HEADER, Row, older, udiff, udiff_row, zipped
from tests.imports.files import INFY, ITC, TCS, console, kite
from tests.people_of import Desk, data_of
from tests.portfolio.books import give_holdings
from tests.rows_of import run

PATH = "/admin/imports/prices"
EVENING = dt.datetime(2026, 11, 20, 18, 30, tzinfo=INDIA)
"""Of a Friday, after the close."""
CLOSE = "2026-11-20T10:00:00Z"
"""15:30 in India."""
ROWS: tuple[Row, ...] = (("INFY", "EQ", INFY, "1612.40"), ("TCS", "EQ", TCS, "3301.05"))


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.datetime], None]:
    """It is Friday evening; `now(...)` makes it another time."""

    def be(at: dt.datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: at.astimezone(dt.UTC))

    be(EVENING)
    return be


class Firm:
    """A desk with one client who holds INFY and TCS."""

    def __init__(self, desk: Desk, database: Database) -> None:
        self.desk, self.database = desk, database
        self.client_id = desk.add_client()
        give_holdings(database, self.client_id, {"INFY": (10, "1500"), "TCS": (2, "3000")})

    def send(self, content: bytes, *, dry: bool = False, name: str = "bhav.csv") -> Any:
        return data_of(self.desk.upload(PATH, name, content, dryRun=str(dry).lower()))

    def refused(self, content: bytes, name: str = "bhav.csv") -> str:
        """Why a file is refused, dry run or not; nothing is changed by it."""
        before = self.kept()
        told = set()
        for dry in ("true", "false"):
            answer = self.desk.upload(PATH, name, content, dryRun=dry)
            assert answer.status_code in {413, 422}, answer.text
            told.add(answer.json()["message"])
        assert self.kept() == before
        assert len(told) == 1
        return str(told.pop())

    def kept(self) -> list[Any]:
        with self.database.reading() as session:
            found = [
                session.execute(text(f"SELECT * FROM {table} ORDER BY 1")).all()
                for table in ("last_prices", "day_closes", "price_files")
            ]
        return [[tuple(row) for row in rows] for rows in found]

    def holdings(self) -> dict[str, dict[str, Any]]:
        rows = self.desk.get(f"/admin/clients/client/{self.client_id}/holdings").json()["data"]
        return {row["tradingSymbol"]: row for row in rows}


@pytest.fixture
def firm(admin: Desk, database: Database) -> Firm:
    return Firm(admin, database)


# ------------------------------------------------------------------------------- what is taken


@pytest.mark.on_both
@pytest.mark.parametrize(
    "content",
    [udiff(*ROWS), zipped(udiff(*ROWS)), older(*ROWS), zipped(older(*ROWS), name="cm20NOV2026bhav.csv")],
    ids=["udiff", "udiff zip", "older", "older zip"],
)  # fmt: skip
def test_a_daily_file_prices_what_is_held_at_the_close_of_its_day(
    firm: Firm, content: bytes
) -> None:
    assert {row["priceSource"] for row in firm.holdings().values()} == {"CLOSE"}

    report = firm.send(content)

    assert (report["source"], report["day"], report["counts"]["changed"]) == (
        "NSE_FILE", "2026-11-20", 2,
    )  # fmt: skip
    held = firm.holdings()["INFY"]
    assert (held["ltp"], held["currentValue"]) == (1612.4, 16124)
    assert (held["priceSource"], held["pricedAt"], held["isStale"]) == ("NSE_FILE", CLOSE, False)


def test_a_dry_run_shows_what_would_change_and_changes_nothing(firm: Firm) -> None:
    before = firm.kept()

    report = firm.send(udiff(*ROWS), dry=True)

    assert firm.kept() == before
    (infy, _) = report["rows"]
    assert (infy["tradingSymbol"], infy["price"], infy["sourceBefore"]) == ("INFY", 1612.4, "CLOSE")
    assert infy["pricedAtBefore"] == "2026-08-21T10:00:00Z"
    assert report["canApply"] is True


def test_bse_prices_its_own_shares_and_nse_goes_first_for_those_of_nse(firm: Firm) -> None:
    firm.send(udiff(("INFY", "A", INFY, "1611"), source="BSE"))
    assert firm.holdings()["INFY"]["priceSource"] == "BSE_FILE"

    firm.send(udiff(*ROWS))
    again = firm.send(udiff(("INFY", "A", INFY, "1611"), source="BSE"))

    assert again["counts"]["kept"] == 1
    held = firm.holdings()["INFY"]
    assert (held["ltp"], held["priceSource"]) == (1612.4, "NSE_FILE")


@pytest.mark.on_both
def test_a_newer_price_stays_and_an_older_file_is_still_kept_as_that_days_closes(
    firm: Firm, priced: Callable[[dict[str, str]], None]
) -> None:
    priced({"INFY": "1650"})

    report = firm.send(udiff(*ROWS))

    assert report["counts"] | {"kept": 1, "changed": 1} == report["counts"]
    assert firm.holdings()["INFY"]["ltp"] == 1650
    with firm.database.reading() as session:
        infy = session.execute(
            text("SELECT zerodha_token FROM instruments WHERE symbol = 'INFY'")
        ).scalar_one()
        assert prices.closes_of_day(session, FRIDAY, [infy])[infy] == Decimal("1612.40")


@pytest.mark.on_both
def test_the_same_file_twice_changes_nothing_more(firm: Firm) -> None:
    firm.send(udiff(*ROWS))

    again = firm.send(udiff(*ROWS))

    assert (again["counts"]["unchanged"], again["counts"]["changed"]) == (2, 0)


def test_only_series_of_shares_are_read_and_stocks_not_used_here_are_counted(firm: Firm) -> None:
    rows: list[Row] = [
        ("INFY", "BE", INFY, "1612"),
        ("TCS", "N1", TCS, "1"),
        ("NOSUCHCO", "EQ", "INE000A01012", "5"),
    ]

    report = firm.send(udiff(*rows))

    assert (report["counts"]["changed"], report["counts"]["otherSeries"]) == (1, 1)
    assert report["counts"]["unknown"] == 1
    assert firm.holdings()["TCS"]["priceSource"] == "CLOSE"


def test_a_row_without_isin_is_matched_by_its_symbol_and_a_wrong_pair_is_refused(
    firm: Firm,
) -> None:
    rows: list[Row] = [("INFY", "EQ", "", "1612"), ("TCS", "EQ", "INE000A01012", "3301")]

    report = firm.send(udiff(*rows))

    assert report["counts"]["changed"] == 1
    (refused,) = report["refused"]
    assert (refused["line"], "not INE000A01012" in refused["reason"]) == (3, True)


def test_wrong_rows_are_named_by_line_and_the_others_are_taken(firm: Firm) -> None:
    rows: list[Row] = [
        ("INFY", "EQ", INFY, "1612"),
        ("TCS", "EQ", TCS, "abc"),
        ("ITC", "EQ", ITC, "0"),
        ("INFY", "EQ", INFY, "1613"),
        ("WIPRO", "EQ", "INE075A01023", "=1+1"),
    ]

    report = firm.send(udiff(*rows))

    assert [row["line"] for row in report["refused"]] == [3, 4, 5, 6]
    assert (report["counts"]["refused"], report["counts"]["changed"]) == (4, 1)
    assert firm.holdings()["INFY"]["ltp"] == 1612


def test_a_user_may_import_prices_and_the_audit_log_has_it(
    firm: Firm, user: Desk, admin: Desk
) -> None:
    assert user.upload(PATH, "bhav.csv", udiff(*ROWS), dryRun="false").status_code == 200

    rows = admin.get("/admin/audit", action="prices_imported").json()["data"]
    assert [row["action"] for row in rows] == ["prices_imported"]


# ----------------------------------------------------------------------------- what is refused


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (udiff(*ROWS, day="2026-11-23"), "has not closed yet"),
        (udiff(*ROWS, day="2026-11-15"), "not a business day"),
        (udiff(*ROWS, day="2026-11-10"), "not a business day"),
        (udiff(*ROWS, source="MCX"), "The file is of MCX"),
        (udiff(*ROWS, segment="FO"), "segment FO"),
        (b"SYMBOL,PRICE\nINFY,1600\n", "not a file of closing prices"),
        (b"", "empty"),
        (b"\x00\x01\x02", "neither a CSV"),
        (udiff(*ROWS)[:-60], "ends in the middle"),
        (udiff(*ROWS)[:-3], "ends in the middle"),
        (older(*ROWS)[:-6], "ends in the middle"),
        (zipped(udiff(*ROWS))[:-40], "damaged or incomplete"),
        (zipped(udiff(*ROWS), ("other.csv", "a")), "one CSV file"),
        (zipped(b"0," * 20_000_000), "too large when unpacked"),
        (
            udiff(ROWS[0]) + udiff_row(ROWS[1], "2026-11-19").encode() + b"\n",
            "several days (19-11-2026 to 20-11-2026)",
        ),
        (
            udiff(ROWS[0]) + udiff_row(ROWS[1], FRIDAY, "BSE").encode() + b"\n",
            "one exchange at a time",
        ),
        ((UDIFF_HEADER + "\n").encode(), "names its exchange"),
        (udiff(*ROWS) * 30_000, "larger than 5 MB"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_as_a_whole_changes_nothing_and_is_refused_in_a_sentence(
    firm: Firm, content: bytes, said: str
) -> None:
    told = firm.refused(content)

    assert said in told
    assert "\n" not in told


def test_a_file_of_today_is_refused_until_the_market_has_closed(
    firm: Firm, now: Callable[[dt.datetime], None]
) -> None:
    now(dt.datetime(2026, 11, 20, 15, 29, tzinfo=INDIA))
    assert "has not closed yet" in firm.refused(udiff(*ROWS))

    now(dt.datetime(2026, 11, 20, 15, 31, tzinfo=INDIA))
    assert firm.send(udiff(*ROWS))["counts"]["changed"] == 2


def test_ten_thousand_wrong_rows_are_answered_at_once_with_the_first_two_hundred(
    firm: Firm,
) -> None:
    wrong = udiff(*[("INFY", "EQ", INFY, "abc")] * 10_000)
    began = time.process_time()

    answer = firm.desk.upload(PATH, "bhav.csv", wrong, dryRun="false")

    assert time.process_time() - began < 5
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("10,000 rows are refused")
    assert len(answer.json()["errors"]) == 200
    assert answer.json()["errors"][0]["field"] == "line 2"
    dry = firm.send(wrong, dry=True)
    assert (dry["canApply"], dry["counts"]["refused"], len(dry["refused"])) == (False, 10_000, 200)


# ------------------------------------------------------------------- what else goes by the files


@pytest.mark.on_both(suite="long")
def test_a_missed_day_is_closed_from_the_file_of_that_day(
    firm: Firm, now: Callable[[dt.datetime], None]
) -> None:
    monday = dt.datetime(2026, 11, 23, 9, 0, tzinfo=INDIA)
    run(firm.database, text("UPDATE firm_totals SET changed_at = :at"), {"at": "2026-11-20 06:00"})
    now(monday)
    assert close_due_days(firm.database, monday) == []

    given = price_files.read_price_file(udiff(*ROWS), "bhav.csv")
    price_files.import_prices(firm.database, SYSTEM, monday, given, is_dry_run=False)

    (closed,) = close_due_days(firm.database, monday)
    assert (closed.day, closed.value) == (FRIDAY, Decimal("22726.10"))


@pytest.mark.on_both
def test_another_process_takes_in_what_this_one_read(
    firm: Firm, settings: Settings, database: Database
) -> None:
    other = Database(settings.resolved_database_url)
    try:
        assert prices.take_filed(other) is False
        firm.send(udiff(*ROWS))
        assert prices.take_filed(other) is True
        assert prices.take_filed(other) is False
        with other.reading() as session:
            token = session.execute(
                text("SELECT zerodha_token FROM instruments WHERE symbol = 'INFY'")
            ).scalar_one()
            assert prices.last_prices(session, [token])[token].price == Decimal("1612.40")
    finally:
        other.dispose()


# ---------------------------------------------------------------------------- the watched folder


def put(folder: Path, name: str, content: bytes, ago: int = 60) -> Path:
    path = folder / name
    path.write_bytes(content)
    at = EVENING.timestamp() - ago
    os.utime(path, (at, at))
    return path


def test_a_watched_folder_is_read_once_whatever_its_files_are_called(
    firm: Firm, tmp_path: Path
) -> None:
    put(tmp_path, "BhavCopy.zip", zipped(udiff(*ROWS)))
    put(tmp_path, "notes.txt", b"not for us")

    assert jobs.read_price_folder(firm.database, tmp_path, EVENING) == 1

    put(tmp_path, "the same.zip", (tmp_path / "BhavCopy.zip").read_bytes())
    price_folder._seen.clear()  # as after a restart
    assert jobs.read_price_folder(firm.database, tmp_path, EVENING) == 0
    assert firm.holdings()["INFY"]["priceSource"] == "NSE_FILE"
    assert (tmp_path / "BhavCopy.zip").is_file()


@pytest.mark.on_both(suite="long")
def test_a_file_still_being_written_waits_and_a_refused_one_is_tried_again_an_hour_later(
    firm: Firm, tmp_path: Path
) -> None:
    put(tmp_path, "a.csv", udiff(*ROWS), ago=2)
    assert jobs.read_price_folder(firm.database, tmp_path, EVENING) == 0
    put(tmp_path, "a.csv", udiff(*ROWS, day="2026-11-23"))

    assert jobs.read_price_folder(firm.database, tmp_path, EVENING) == 0

    with firm.database.reading() as session:
        refused = prices.last_refused_file(session)
    assert refused is not None
    assert "has not closed yet" in refused.problem
    soon = EVENING + dt.timedelta(minutes=30)
    assert jobs.read_price_folder(firm.database, tmp_path, soon) == 0
    with firm.database.reading() as session:
        assert session.get(PriceFile, refused.hash).at == EVENING  # type: ignore[union-attr]
    monday = dt.datetime(2026, 11, 23, 16, 0, tzinfo=INDIA)
    assert jobs.read_price_folder(firm.database, tmp_path, monday) == 1
    with firm.database.reading() as session:
        assert prices.last_refused_file(session) is None


def test_the_folder_is_timed_work_only_where_it_is_set(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    def names(given: Settings) -> set[str]:
        app = create_app(given, database)
        postman = MailSender(given.smtp_url, given.mail_from, given.outbox_dir)
        return {job.name for job in _schedule(app, postman).jobs}

    assert "price-folder" not in names(settings)
    watched = settings.model_copy(update={"prices_folder": str(tmp_path)})
    assert {"price-folder", "filed-prices"} <= names(watched)


# -------------------------------------------------------------- what a holdings file itself says


HOLDINGS = "/admin/clients/import"


def import_holdings(firm: Firm, content: bytes, name: str = "holdings.csv") -> None:
    answer = firm.desk.upload(HOLDINGS, name, content, dryRun="false", clientId=firm.client_id)
    assert answer.status_code == 200, answer.text


def test_the_prices_of_a_holdings_file_are_of_its_day(firm: Firm) -> None:
    import_holdings(firm, console(("INFY", INFY, 10, 1500)), "holdings.xlsx")

    held = firm.holdings()["INFY"]
    # The shipped close is of the same day, and its time is known: it is the newer one.
    assert (held["priceSource"], held["pricedAt"]) == ("CLOSE", "2026-08-21T10:00:00Z")

    import_holdings(firm, kite(("INFY", 10, 1500)))

    held = firm.holdings()["INFY"]
    assert (held["ltp"], held["priceSource"]) == (100, "HOLDINGS_FILE")
    assert held["pricedAt"] == "2026-11-20T03:30:00Z"


def test_the_price_of_a_holdings_file_never_takes_the_place_of_a_newer_one(
    firm: Firm, now: Callable[[dt.datetime], None]
) -> None:
    firm.send(udiff(*ROWS))

    import_holdings(firm, kite(("INFY", 11, 1500)))

    held = firm.holdings()["INFY"]
    assert (held["quantity"], held["ltp"], held["priceSource"]) == (11, 1612.4, "NSE_FILE")


@pytest.mark.on_both(suite="long")
def test_a_holdings_file_of_a_sunday_has_prices_of_friday(
    firm: Firm, now: Callable[[dt.datetime], None]
) -> None:
    now(dt.datetime(2026, 11, 20, 18, 45, tzinfo=INDIA))
    with firm.database.transaction() as session:
        sunday = dt.date(2026, 11, 22)
        at = dt.datetime(2026, 11, 22, 12, 0, tzinfo=INDIA)
        assert prices.keep_prices_of_day(session, {1: Decimal(5)}, sunday, at) == 1
        assert prices.keep_prices_of_day(session, {2: Decimal(5)}, sunday, EVENING) == 0
        kept = session.execute(text("SELECT at FROM last_prices WHERE instrument_token = 1"))
        assert str(kept.scalar_one()).startswith("2026-11-20 03:30")
