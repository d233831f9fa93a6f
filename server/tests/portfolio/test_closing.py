"""The daily close: once, after hours, on business days, and with nothing invented."""

import datetime as dt
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from tarazu.app import _schedule, create_app, open_database
from tarazu.clients.returns import performance_of
from tarazu.firm import service as calendar
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.kit.fields import DayRange
from tarazu.kit.mail import MailSender
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import NewPerson
from tarazu.portfolio import closing, commands
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.errors import CannotClose
from tarazu.portfolio.jobs import close_due_days
from tarazu.portfolio.service import Funds, NewFlow, NewHolding
from tarazu.portfolio.tables import FlowType
from tarazu.prices import service as prices
from tarazu.prices.book import PriceBook

pytestmark = pytest.mark.on_both

MONDAY = dt.date(2026, 11, 16)
TUESDAY = dt.date(2026, 11, 17)
FRIDAY = dt.date(2026, 11, 20)
HOLIDAY = dt.date(2026, 11, 24)  # Guru Nanak Jayanti, a Tuesday


def at(day: dt.date, hours: int, minutes: int = 0) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hours, minutes), INDIA)


class Firm:
    """An installation whose time the test tells."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clients: dict[str, UUID] = {}

    def add(self, name: str, when: dt.datetime) -> UUID:
        with self.database.transaction() as session:
            new = NewPerson(name, f"{name.lower()}@home.example")
            (client,) = people.add_clients(session, SYSTEM, when, [new])
            portfolio.open_accounts(session, when, [client.id])
        return client.id

    def hold(
        self, client_id: UUID, when: dt.datetime, held: dict[str, int], cash: str = "0"
    ) -> None:
        with self.database.transaction() as session:
            new = {
                instruments.by_symbol(session, "NSE", symbol).id: NewHolding(quantity, Decimal(100))
                for symbol, quantity in held.items()
            }
            portfolio.replace_holdings(session, SYSTEM, when, client_id, new, "TEST")
            funds = Funds(Decimal(cash), Decimal(cash), Decimal(0))
            portfolio.set_funds(session, SYSTEM, when, client_id, funds)

    def trade(self, when: dt.datetime, by_symbol: dict[str, str]) -> None:
        with self.database.reading() as session:
            new = {self.token(symbol): Decimal(price) for symbol, price in by_symbol.items()}
            prices.record_prices(session, new, when, "SIMULATED")

    def token(self, symbol: str) -> int:
        with self.database.reading() as session:
            return instruments.by_symbol(session, "NSE", symbol).instrument_token

    def remember(self, day: dt.date, by_symbol: dict[str, str]) -> None:
        """Closing prices that were kept at the time."""
        with self.database.transaction() as session:
            known = {self.token(symbol): Decimal(price) for symbol, price in by_symbol.items()}
            prices.record_day_closes(session, day, known)

    def close(self, now: dt.datetime) -> list[dt.date]:
        return [close_due_day.day for close_due_day in close_due_days(self.database, now)]

    def firm_closes(self) -> dict[dt.date, Decimal]:
        with self.database.reading() as session:
            return dict(portfolio.firm_closes(session))

    def client_closes(self, client_id: UUID) -> list[tuple[dt.date, Decimal, Decimal]]:
        with self.database.reading() as session:
            return portfolio.client_closes(session, client_id)

    def kept(self, day: dt.date) -> dict[int, Decimal]:
        with self.database.reading() as session:
            rows = session.execute(
                text("SELECT instrument_token, price FROM day_closes WHERE date = :day"),
                {"day": day.isoformat() if self.database.is_sqlite else day},
            )
            return {row.instrument_token: Decimal(row.price) / 10_000 for row in rows}


@pytest.fixture
def firm(database: Database) -> Firm:
    return Firm(database)


@pytest.fixture
def kavya(firm: Firm) -> UUID:
    client_id = firm.add("Kavya", at(MONDAY, 9))
    firm.hold(client_id, at(MONDAY, 10), {"INFY": 10, "TCS": 2}, cash="500")
    firm.trade(at(MONDAY, 15, 29), {"INFY": "1500.05", "TCS": "3000"})
    return client_id


def test_a_business_day_is_closed_after_1545(firm: Firm, kavya: UUID) -> None:
    early = firm.close(at(MONDAY, 15, 44))
    closed = firm.close(at(MONDAY, 15, 45))

    assert (early, closed) == ([], [MONDAY])
    worth = Decimal("21000.50")
    assert firm.client_closes(kavya) == [(MONDAY, worth, Decimal(500))]
    assert firm.firm_closes() == {MONDAY: worth + 500}
    assert firm.kept(MONDAY) == {
        firm.token("INFY"): Decimal("1500.05"), firm.token("TCS"): Decimal(3000),
    }  # fmt: skip


def test_twice_changes_nothing(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.trade(at(MONDAY, 15, 50), {"INFY": "9999"})

    again = firm.close(at(MONDAY, 16))
    with firm.database.transaction() as session:
        directly = closing.close_day(session, MONDAY, at(MONDAY, 17))

    assert (again, directly) == ([], None)
    assert firm.firm_closes() == {MONDAY: Decimal("21500.50")}
    assert firm.kept(MONDAY)[firm.token("INFY")] == Decimal("1500.05")


@pytest.mark.parametrize("day", [dt.date(2026, 11, 21), dt.date(2026, 11, 22), HOLIDAY])
def test_weekends_and_holidays_are_not_closed(firm: Firm, kavya: UUID, day: dt.date) -> None:
    firm.hold(kavya, at(day, 10), {"INFY": 1})
    firm.trade(at(day, 12), {"INFY": "1500"})

    assert day not in firm.close(at(day, 18))
    with firm.database.transaction() as session, pytest.raises(CannotClose, match="not a business"):
        closing.close_day(session, day, at(day, 18))


def test_a_day_that_is_made_a_holiday_is_neither_due_nor_closed(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    with firm.database.transaction() as session:
        calendar.change_holidays(session, SYSTEM, at(TUESDAY, 8), {TUESDAY: "Election"}, ())

    with firm.database.reading() as session:
        assert closing.due_days(session, at(TUESDAY, 18)) == []
    with firm.database.transaction() as session, pytest.raises(CannotClose, match="not a business"):
        closing.close_day(session, TUESDAY, at(TUESDAY, 18))


def test_a_share_that_did_not_trade_keeps_its_last_price_and_it_is_not_that_days(
    firm: Firm, kavya: UUID
) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.trade(at(TUESDAY, 11), {"INFY": "1600"})

    firm.close(at(TUESDAY, 15, 45))

    assert firm.firm_closes()[TUESDAY] == 10 * 1600 + 2 * 3000 + 500
    assert firm.kept(TUESDAY) == {firm.token("INFY"): Decimal(1600)}


def test_a_share_that_never_had_a_price_is_worth_what_it_cost(firm: Firm, kavya: UUID) -> None:
    with firm.database.transaction() as session:
        session.execute(text("UPDATE instruments SET reference_close = 0"))
        session.execute(text("DELETE FROM last_prices"))
    firm.database.parts.pop(PriceBook)

    firm.close(at(MONDAY, 15, 45))

    assert firm.firm_closes()[MONDAY] == 12 * 100 + 500
    assert firm.kept(MONDAY) == {}


def test_a_missed_day_is_closed_with_its_closing_prices_at_the_next_start(
    firm: Firm, kavya: UUID
) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.remember(TUESDAY, {"INFY": "1510", "TCS": "3010", "LT": "9"})
    wednesday, thursday = TUESDAY + dt.timedelta(1), TUESDAY + dt.timedelta(2)
    firm.trade(at(thursday, 15, 30), {"INFY": "1530", "TCS": "3030"})

    closed = firm.close(at(FRIDAY, 9))

    # Of Wednesday nothing is known; Thursday's last prices came after its close.
    assert closed == [TUESDAY, thursday]
    assert wednesday not in firm.firm_closes()
    assert firm.firm_closes()[TUESDAY] == 10 * 1510 + 2 * 3010 + 500
    assert firm.firm_closes()[thursday] == 10 * 1530 + 2 * 3030 + 500
    assert firm.kept(thursday) == {
        firm.token("INFY"): Decimal(1530), firm.token("TCS"): Decimal(3030),
    }  # fmt: skip


def test_a_missed_day_is_left_out_without_all_its_prices(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.remember(TUESDAY, {"INFY": "1510"})

    assert firm.close(at(TUESDAY + dt.timedelta(1), 9)) == []
    with (
        firm.database.transaction() as session,
        pytest.raises(CannotClose, match="17-11-2026 is not known of 1 stock held"),
    ):
        closing.close_day(session, TUESDAY, at(FRIDAY, 9))
    assert firm.kept(TUESDAY) == {firm.token("INFY"): Decimal(1510)}


def test_a_price_from_the_middle_of_a_missed_day_is_not_its_close(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.trade(at(TUESDAY, 15, 29), {"INFY": "1510", "TCS": "3010"})

    assert firm.close(at(TUESDAY + dt.timedelta(1), 9)) == []


def test_a_missed_day_is_left_out_once_holdings_changed(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.remember(TUESDAY, {"INFY": "1510", "TCS": "3010", "LT": "9"})
    firm.hold(kavya, at(TUESDAY + dt.timedelta(1), 8), {"LT": 4}, cash="500")

    assert firm.close(at(TUESDAY + dt.timedelta(1), 9)) == []
    assert TUESDAY not in firm.firm_closes()


def test_entering_a_flow_does_not_make_a_missed_day_unknown(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.remember(TUESDAY, {"INFY": "1510", "TCS": "3010"})
    later = at(TUESDAY + dt.timedelta(1), 8)
    with firm.database.transaction() as session:
        portfolio.set_start(session, SYSTEM, later, kavya, capital=Decimal(5), started_on=MONDAY)

    assert firm.close(at(TUESDAY + dt.timedelta(1), 9)) == [TUESDAY]


def test_the_first_close_of_an_installation_is_of_the_day_itself(firm: Firm, kavya: UUID) -> None:
    firm.trade(at(FRIDAY, 10), {"INFY": "1500", "TCS": "3000"})

    assert firm.close(at(FRIDAY, 16)) == [FRIDAY]


def test_a_new_client_begins_with_the_first_close_after_the_books_are_known(
    firm: Firm, kavya: UUID
) -> None:
    rohan = firm.add("Rohan", at(MONDAY, 11))
    firm.close(at(MONDAY, 15, 45))
    firm.hold(rohan, at(TUESDAY, 10), {"INFY": 1}, cash="20")
    firm.trade(at(TUESDAY, 11), {"INFY": "1600"})
    firm.close(at(TUESDAY, 15, 45))

    assert firm.client_closes(rohan) == [(TUESDAY, Decimal(1600), Decimal(20))]
    assert [day for day, _, _ in firm.client_closes(kavya)] == [MONDAY, TUESDAY]


def test_an_inactive_client_has_a_close_and_is_not_in_the_firms(firm: Firm, kavya: UUID) -> None:
    rohan = firm.add("Rohan", at(MONDAY, 11))
    firm.hold(rohan, at(MONDAY, 11), {"INFY": 1}, cash="20")
    with firm.database.transaction() as session:
        portfolio.count_in_totals(session, at(MONDAY, 12), rohan, counted=False)

    firm.close(at(MONDAY, 15, 45))

    assert firm.client_closes(rohan) == [(MONDAY, Decimal("1500.05"), Decimal(20))]
    assert firm.firm_closes() == {MONDAY: Decimal("21500.50")}
    with firm.database.reading() as session:
        (row,) = session.execute(text("SELECT clients FROM firm_closes")).all()
    assert row.clients == 1


def test_clients_without_shares_are_closed_with_their_cash(firm: Firm, kavya: UUID) -> None:
    rohan, meera = firm.add("Rohan", at(MONDAY, 11)), firm.add("Meera", at(MONDAY, 11))
    firm.hold(rohan, at(MONDAY, 12), {}, cash="20.25")
    firm.hold(meera, at(MONDAY, 12), {"INFY": 1})
    firm.hold(meera, at(MONDAY, 13), {})

    firm.close(at(MONDAY, 15, 45))

    assert firm.client_closes(rohan) == [(MONDAY, Decimal(0), Decimal("20.25"))]
    assert firm.client_closes(meera) == [(MONDAY, Decimal(0), Decimal(0))]
    assert firm.firm_closes() == {MONDAY: Decimal("21520.75")}


def test_a_firm_without_clients_has_no_close(firm: Firm) -> None:
    assert firm.close(at(MONDAY, 18)) == []
    assert firm.firm_closes() == {}


def test_a_run_that_is_killed_leaves_nothing_and_the_next_one_closes(
    firm: Firm, kavya: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(audit_log, "record", die)
        with pytest.raises(KeyboardInterrupt):
            firm.close(at(MONDAY, 15, 45))
    nothing = (firm.firm_closes(), firm.client_closes(kavya), firm.kept(MONDAY))

    assert nothing == ({}, [], {})
    assert firm.close(at(MONDAY, 15, 46)) == [MONDAY]


def test_a_run_that_is_killed_between_two_days_keeps_the_first(
    firm: Firm, kavya: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    firm.close(at(MONDAY, 15, 45))
    wednesday = TUESDAY + dt.timedelta(1)
    for day in (TUESDAY, wednesday):
        firm.remember(day, {"INFY": "1510", "TCS": "3010"})
    later = at(wednesday + dt.timedelta(1), 9)
    record, told = audit_log.record, []

    def die_at_the_second(*given: Any) -> None:
        told.append(given)
        if len(told) > 1:
            raise KeyboardInterrupt
        record(*given)

    with monkeypatch.context() as killed:
        killed.setattr(audit_log, "record", die_at_the_second)
        with pytest.raises(KeyboardInterrupt):
            firm.close(later)

    assert list(firm.firm_closes()) == [TUESDAY, MONDAY]
    assert firm.close(later) == [wednesday]
    assert [day for day, _, _ in firm.client_closes(kavya)] == [MONDAY, TUESDAY, wednesday]


def test_of_many_that_close_at_once_one_does(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))
    firm.trade(at(TUESDAY, 11), {"INFY": "1600", "TCS": "3000"})

    with ThreadPoolExecutor(4) as pool:
        closed = list(pool.map(firm.close, [at(TUESDAY, 16)] * 4))

    assert sorted(closed) == [[], [], [], [TUESDAY]]
    assert [day for day, _, _ in firm.client_closes(kavya)] == [MONDAY, TUESDAY]


def test_money_that_came_on_a_day_is_in_its_close_and_is_no_return(firm: Firm, kavya: UUID) -> None:
    with firm.database.transaction() as session:
        start = Decimal("21500.50")
        portfolio.set_start(session, SYSTEM, at(MONDAY, 9), kavya, capital=start, started_on=MONDAY)
    firm.close(at(MONDAY, 15, 45))
    added = NewFlow(TUESDAY, Decimal(1000), FlowType.FUNDS_ADDED)
    with firm.database.transaction() as session:
        portfolio.record_cash_flow(session, SYSTEM, at(TUESDAY, 10), kavya, added)
    firm.hold(kavya, at(TUESDAY, 11), {"INFY": 10, "TCS": 2}, cash="1500")
    firm.trade(at(TUESDAY, 15, 29), {"INFY": "1500.05", "TCS": "3000"})
    firm.close(at(TUESDAY, 15, 45))

    with firm.database.reading() as session:
        days = performance_of(
            session, kavya, at(TUESDAY + dt.timedelta(1), 10), DayRange(until=TUESDAY)
        )
    assert [(day.date, day.value, day.net_investment, day.index) for day in days] == [
        (MONDAY, start, start, Decimal(100)),
        (TUESDAY, start + 1000, start + 1000, Decimal(100)),
    ]


def test_a_day_of_which_no_price_is_known_waits_for_the_exchange(firm: Firm, kavya: UUID) -> None:
    firm.close(at(MONDAY, 15, 45))

    firm.close(at(TUESDAY, 15, 45))
    waiting = dict(firm.firm_closes())
    firm.trade(at(TUESDAY, 15, 30), {"INFY": "1500.05", "TCS": "3000"})
    firm.close(at(TUESDAY, 18, 30))

    assert TUESDAY not in waiting
    assert firm.firm_closes()[TUESDAY] == waiting[MONDAY]


def test_a_close_is_in_the_trail_and_is_what_the_dashboard_shows(
    firm: Firm, kavya: UUID, admin: Any
) -> None:
    firm.close(at(MONDAY, 15, 45))

    with firm.database.reading() as session:
        (row,) = session.execute(
            text("SELECT role, record_id FROM audit WHERE action = 'day_closed'")
        ).all()
    assert (row.role, row.record_id) == ("SYSTEM", "2026-11-16")
    assert admin.get("/admin/dashboard/daily-aum").json()["data"] == [
        {"date": "2026-11-16", "totalCurrentValue": 21500.5}
    ]


def test_the_server_closes_days_automatically(settings: Settings, database: Database) -> None:
    app = create_app(settings, database)
    postman = MailSender(settings.smtp_url, settings.mail_from, settings.outbox_dir)

    assert "close" in [job.name for job in _schedule(app, postman).jobs]


def test_the_command_says_what_it_did_or_why_it_could_not(firm: Firm, kavya: UUID) -> None:
    said: list[str] = []

    def run(day: dt.date | None, now: dt.datetime) -> str | None:
        return commands.close_days(firm.database, day, now, said.append)

    assert run(None, at(MONDAY, 16)) is None
    assert run(MONDAY, at(MONDAY, 16)) is None
    assert run(None, at(MONDAY, 17)) is None
    assert said == [
        "16-11-2026 is closed: 1 client, ₹21500.50.",
        "16-11-2026 was closed already.",
        "No day is due.",
    ]
    assert run(TUESDAY, at(TUESDAY, 9)) == (
        "17-11-2026 can be closed after 15:45 India time on that day"
    )
    assert run(None, at(FRIDAY, 9)) == (
        "the closing price on 17-11-2026 is not known of 2 stocks held"
    )


def test_the_command_fails_with_one_line(tmp_path: Path) -> None:
    open_database(Settings(data_dir=tmp_path)).dispose()

    def run(day: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tarazu", "close-day", "--data-dir", str(tmp_path)]
        given = [*command, "--date", day]
        return subprocess.run(given, capture_output=True, text=True, check=False)

    weekend, nothing = run("2026-11-21"), run("today")

    assert (weekend.returncode, weekend.stdout) == (1, "")
    assert weekend.stderr.endswith("tarazu: 21-11-2026 is not a business day\n")
    assert nothing.returncode == 2
    assert "Invalid isoformat string: 'today'" in nothing.stderr
