"""The brokers' lists of instruments: kept, carried over, with what was before."""

import datetime as dt
import tracemalloc
from collections.abc import Iterator
from io import BytesIO

import pytest
from sqlalchemy import select

from tarazu.brokers.angel.smartapi import Angel, ServerAddresses
from tarazu.brokers.host_rules import HostRules
from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import BrokerApp
from tarazu.brokers.tables import BrokerName
from tarazu.brokers.zerodha.kite import Kite
from tarazu.domain.isin import check_digit
from tarazu.domain.money import Rupees
from tarazu.instruments import jobs, masters
from tarazu.instruments import service as instruments
from tarazu.instruments.masters import MasterListRow
from tarazu.instruments.service import BrokerListing
from tarazu.instruments.tables import Instrument, MasterLine, MasterRead
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.brokers.conftest import running_simulator, simulator
from tests.brokers.firm_desk import FirmDesk, open_desk
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE

__all__ = ["running_simulator", "simulator"]

FRIDAY = dt.date(2026, 11, 20)
MONDAY = dt.date(2026, 11, 23)
NOON = dt.datetime(2026, 11, 20, 12, 0, tzinfo=clock.INDIA)
NEW_ISIN = "INE0CCU0102" + str(check_digit("INE0CCU0102"))


@pytest.fixture
def firm(settings: Settings, database: Database, simulator: Simulator) -> Iterator[FirmDesk]:
    url = f"{simulator.url}/OpenAPI_File/files/OpenAPIScripMaster.json"
    there = settings.model_copy(update={"angel_scrip_master_url": url})
    opened = open_desk(there, database, simulator)
    yield opened
    opened.gateway.close()


def line(symbol: str, token: int, angel: str = "", name: str = "") -> MasterListRow:
    return MasterListRow("NSE", symbol, name or symbol, token, angel, Rupees("0.10"), 1)


def take(
    database: Database, day: dt.date, *lines: MasterListRow, broker: BrokerName = BrokerName.ZERODHA
) -> masters.MasterChanges:
    kept = masters.store_lines(database, broker, day, lines)
    with database.transaction() as session:
        return masters.finish_read(session, broker, day, clock.now(), kept)


def known(database: Database, symbol: str) -> instruments.Listed:
    with database.reading() as session:
        return instruments.by_symbol(session, "NSE", symbol)


@pytest.mark.on_both(suite="long")
def test_both_brokers_lists_are_read_once_a_day_onto_one_line(firm: FirmDesk) -> None:
    client_id = firm.desk.add_client()
    firm.log_client_in(client_id, "AB1234", KITE)
    firm.confirm(client_id)

    jobs.read_masters(firm.database, firm.gateway, NOON)
    calls = len(firm.world.calls)
    jobs.read_masters(firm.database, firm.gateway, NOON + dt.timedelta(hours=1))

    assert len(firm.world.calls) == calls
    with firm.database.reading() as session:
        reads = session.execute(select(MasterRead)).scalars().all()
        row = session.get(MasterLine, ("NSE", "INFY"))
        assert row is not None
        assert (row.zerodha_token, row.angel_token) == (408065, "1594")
        assert (row.zerodha_on, row.angel_on) == (FRIDAY, FRIDAY)
        assert session.get(MasterLine, ("NSE", "NIFTY 50")) is None
        assert instruments.masters_read_at(session).keys() == {KITE, ANGEL}
    assert {(read.broker, read.lines) for read in reads} == {(KITE, 522), (ANGEL, 522)}


def test_nothing_is_read_before_the_lists_are_made_nor_on_a_holiday(firm: FirmDesk) -> None:
    jobs.read_masters(firm.database, firm.gateway, NOON.replace(hour=8, minute=44))
    jobs.read_masters(firm.database, firm.gateway, NOON + dt.timedelta(days=1))

    with firm.database.reading() as session:
        assert session.execute(select(MasterRead)).all() == []


@pytest.mark.on_both(suite="long")
def test_a_list_whose_reader_died_is_read_at_once_and_one_that_failed_after_a_while(
    database: Database,
) -> None:
    now = clock.now()

    def begins(owner: str, at: dt.datetime) -> bool:
        with database.transaction() as session:
            return masters.claim_read(session, BrokerName.ZERODHA, FRIDAY, owner, at)

    assert begins("one:1:a", now)
    assert begins("two:2:b", now)
    with database.transaction() as session:
        masters.fail_read(session, BrokerName.ZERODHA, FRIDAY, "the broker does not answer")
    assert not begins("two:2:b", now)
    assert begins("two:2:b", now + masters.AGAIN_AFTER)


@pytest.mark.on_both(suite="long")
def test_a_rename_keeps_the_instrument_and_what_it_was_called(database: Database) -> None:
    before = known(database, "INFY")
    take(database, FRIDAY, line("INFY", 408065))

    carried = take(database, MONDAY, line("INFOSYS", 408065, name="Infosys"))

    after = known(database, "INFOSYS")
    assert carried.renamed == 1
    assert (after.id, after.isin) == (before.id, before.isin)
    with database.reading() as session:
        (former,) = instruments.former_names(session, before.id)
    assert (former.symbol, former.until) == ("INFY", MONDAY)


@pytest.mark.on_both(suite="long")
def test_another_token_takes_the_place_of_the_old_one(database: Database) -> None:
    before = known(database, "INFY")

    carried = take(database, FRIDAY, line("INFY", 999 * 256 + 1))

    assert carried.moved == {before.id: 408065}
    assert known(database, "INFY").instrument_token == 999 * 256 + 1


def test_a_symbol_and_a_token_that_went_different_ways_change_nothing(database: Database) -> None:
    carried = take(database, FRIDAY, line("INFY", 999 * 256 + 1), line("INFOSYS", 408065))

    assert carried.in_doubt == 1
    assert known(database, "INFY").instrument_token == 408065


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("broker", [BrokerName.ZERODHA, BrokerName.ANGEL_ONE])
def test_a_share_that_goes_into_another_series_is_followed(
    database: Database, broker: BrokerName
) -> None:
    before, token = known(database, "IDEA"), 77_301 * 256 + 1
    take(database, FRIDAY, line("IDEA", before.instrument_token, "14366"), broker=broker)

    carried = take(database, MONDAY, line("IDEA-BE", token, "77301"), broker=broker)

    after = known(database, "IDEA-BE")
    assert carried.moved == {before.id: before.instrument_token}
    assert (after.id, after.isin, after.instrument_token) == (before.id, before.isin, token)
    assert after.angel_token in {None, "77301"}
    # And back, once it is out of surveillance.
    back = line("IDEA", before.instrument_token, "14366")
    take(database, MONDAY + dt.timedelta(days=1), back, broker=broker)
    assert known(database, "IDEA").id == before.id


def test_a_symbol_in_two_series_on_one_day_is_left_as_it_is(database: Database) -> None:
    before = known(database, "IDEA")
    both = line("IDEA", before.instrument_token), line("IDEA-BE", 77_301 * 256 + 1)

    carried = take(database, FRIDAY, *both)

    assert carried.moved == {}
    assert known(database, "IDEA").instrument_token == before.instrument_token


@pytest.mark.on_both(suite="long")
def test_a_new_token_follows_from_angel_ones_list_alone(database: Database) -> None:
    before = known(database, "INFY")
    first, second = line("INFY", 408065, "1594"), line("INFY", 77_302 * 256 + 1, "77302")
    take(database, FRIDAY, first, broker=BrokerName.ANGEL_ONE)

    take(database, MONDAY, second, broker=BrokerName.ANGEL_ONE)

    after = known(database, "INFY")
    assert (after.id, after.instrument_token) == (before.id, 77_302 * 256 + 1)
    assert after.angel_token == "77302"


def test_a_token_that_another_share_has_is_not_taken(database: Database) -> None:
    tcs = known(database, "TCS").instrument_token

    carried = take(database, FRIDAY, line("INFY", tcs))

    assert carried.in_doubt >= 1
    assert known(database, "INFY").instrument_token == 408065


@pytest.mark.on_both(suite="long")
def test_both_brokers_tokens_are_stored(database: Database) -> None:
    with database.transaction() as session:
        session.get_one(Instrument, known(database, "INFY").id).angel_token = None

    take(database, FRIDAY, line("INFY", 408065))
    take(database, FRIDAY, line("INFY", 408065, "1594"), broker=BrokerName.ANGEL_ONE)

    found = known(database, "INFY")
    assert (found.instrument_token, found.angel_token) == (408065, "1594")


@pytest.mark.on_both(suite="long")
def test_a_stock_that_only_the_lists_know_is_added_once_somebody_holds_it(
    database: Database,
) -> None:
    seen = BrokerListing("NSE", "NEWCO", NEW_ISIN, 77_777 * 256 + 1, Rupees("12.345678"))
    with database.transaction() as session:
        assert instruments.locate(session, [seen], clock.now()) == ([None], {})
    take(database, FRIDAY, line("NEWCO", 77_777 * 256 + 1, name="New Company"))

    with database.transaction() as session:
        (found,), _ = instruments.locate(session, [seen], clock.now())
        (again,), _ = instruments.locate(session, [seen], clock.now())

    assert found is not None
    assert found == again
    assert (found.name, found.isin) == ("New Company", NEW_ISIN)
    # With another token it is another listing.
    other = BrokerListing("NSE", "OTHER", "INE009A01021", 1)
    with database.transaction() as session:
        (infy,), _ = instruments.locate(session, [other], clock.now())
    assert infy is not None
    assert infy.symbol == "INFY"


def kite_list(rows: int) -> Iterator[bytes]:
    yield b"instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,"
    yield b"lot_size,instrument_type,segment,exchange\n"
    for number in range(rows):
        token = (number + 1) * 256 + 1
        kind = "EQ,NSE,NSE" if number % 10 == 0 else "CE,NFO-OPT,NFO"
        yield f"{token},{number + 1},SYM{number},Name {number},0,,0,0.05,1,{kind}\n".encode()


def angel_list(rows: int) -> Iterator[bytes]:
    yield b"["
    for number in range(rows):
        kind = ("", "NSE", "-EQ") if number % 10 == 0 else ("OPTSTK", "NFO", "CE")
        yield (b"," if number else b"") + (
            f'{{"token":"{number + 1}","symbol":"SYM{number}{kind[2]}","name":"SYM{number}",'
            f'"expiry":"","strike":"-1.000000","lotsize":"1","instrumenttype":"{kind[0]}",'
            f'"exch_seg":"{kind[1]}","tick_size":"5.000000"}}'
        ).encode()
    yield b"]"


@pytest.mark.long
@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
@pytest.mark.parametrize("broker", [BrokerName.ZERODHA, BrokerName.ANGEL_ONE])
def test_a_hundred_thousand_lines_fit_into_little_memory(
    database: Database, broker: BrokerName
) -> None:
    app = BrokerApp("key", "secret", "http://127.0.0.1:1")
    outside = BrokerHttpClient(HostRules(frozenset()))
    kite = Kite(app, outside, None)  # type: ignore[arg-type]
    angel = Angel(app, outside, None, ServerAddresses("", "", ""))  # type: ignore[arg-type]
    port = kite if broker == BrokerName.ZERODHA else angel
    written = BytesIO()
    for piece in (kite_list if port is kite else angel_list)(100_000):
        written.write(piece)
    written.seek(0)

    tracemalloc.start()
    kept = masters.store_lines(database, broker, FRIDAY, jobs._lines(port.read_master(written)))
    with database.transaction() as session:
        masters.finish_read(session, broker, FRIDAY, clock.now(), kept)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept == 10_000
    assert peak < 40_000_000
