"""One client read from the broker: what is taken over, and what is not."""

import copy
import datetime as dt
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from tarazu.brokers import http_client
from tarazu.brokers.tables import ClientSession
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.sockets import Progress
from tarazu.portfolio import service as portfolio
from tarazu.sync import service
from tarazu.sync.errors import Doubted
from tarazu.sync.tables import ClientSync
from tests.brokers.conftest import fixture_of, plain_fixture_of
from tests.brokers.simulator.world import ANGEL, KITE, Fault, Lot, Placed
from tests.people_of import reply_of
from tests.portfolio.books import give_holdings
from tests.rows_of import run
from tests.sync.conftest import CALLS, USERS, SyncDesk

BROKERS = [KITE, ANGEL]
NAMES = {
    KITE: {
        "holdings": "holdings",
        "funds": "margins",
        "orders": "orders",
        "positions": "positions",
        "trades": "trades",
    },
    ANGEL: {
        "holdings": "holding",
        "funds": "rms",
        "orders": "order_book",
        "positions": "position",
        "trades": "trade_book",
    },
}
FILES = {KITE: "kite", ANGEL: "angel"}
KINDS = ("500", "503", "html", "half", "nonsense", "cut", "redirect", "long")
WRONG = [("holdings", kind) for kind in KINDS] + [
    (part, "half") for part in ("funds", "positions", "orders")
]
CASES = [("main", ""), ("empty", "_empty"), ("negative_cash", "_negative_cash")]


def give_fixtures(desk: SyncDesk, broker: str, ending: str) -> None:
    answers = plain_fixture_of(f"{FILES[broker]}_answers.json")
    for part, name in NAMES[broker].items():
        desk.answer(broker, part, answers[f"{name}{ending}"])


@pytest.mark.parametrize("broker", BROKERS)
def test_holdings_with_their_parts_money_and_orders_are_stored(desk: SyncDesk, broker: str) -> None:
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    client_id = desk.client(user_id, broker)

    result = desk.synced(client_id)

    person, held = desk.person(user_id), desk.holdings(client_id)
    assert result["outcome"] == "DONE"
    assert result["unmapped"] == result["unexplained"] == 0
    assert held.keys() == {lot.stock.symbol for lot in person.lots}
    for lot in person.lots:
        row = held[lot.stock.symbol]
        assert row["quantity"] == lot.owned
        assert (row["free"], row["t1"], row["pledged"]) == (lot.free, lot.t1, lot.pledged)
        assert row["averagePrice"] == lot.average_paise / 100
    shown = desk.get(client_id, "portfolio")
    assert shown["net"] == person.cash_paise / 100
    assert shown["cash"] == person.cash_paise / 100
    assert shown["intradayPayin"] == person.payin_paise / 100
    assert shown["holdingsSource"] == broker
    assert desk.get(client_id, "profile")["lastSync"] is not None


@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize(("case", "ending"), CASES)
def test_the_known_answers_come_out_as_expected(
    desk: SyncDesk, broker: str, case: str, ending: str
) -> None:
    client_id = desk.client(USERS[broker], broker)
    give_fixtures(desk, broker, ending)

    desk.synced(client_id)

    expected = fixture_of(f"{FILES[broker]}_expected.json")[case]
    lines = {
        (line["exchange"], line["symbol"]): line for line in desk.statement(client_id)["lines"]
    }
    assert {key for key, one in lines.items() if not one["today"]} == {
        (holding["exchange"], holding["tradingSymbol"]) for holding in expected["holdings"]
    }
    for one in expected["holdings"]:
        line = lines[one["exchange"], one["tradingSymbol"]]
        assert line["isin"] == one["isin"]
        assert line["instrumentToken"] == one["instrumentToken"]
        assert line["free"] + line["t1"] + line["pledged"] == one["quantity"]
        assert (line["t1"], line["pledged"]) == (one["t1Quantity"], one["collateralQuantity"])
        # Half up to the four decimals that are kept.
        assert Decimal(str(line["averagePrice"])) == one["averagePrice"].quantize(
            Decimal("0.0001"), "ROUND_HALF_UP"
        )
    orders = {order["orderId"]: order for order in expected["orders"]}
    found = desk.get(client_id, "order-book")["orders"]
    assert len(found) == len(orders)
    for one in found:
        number = next(key for key, row in orders.items() if same_order(row, one))
        want = orders.pop(number)
        assert one["rawStatus"] == want["brokerStatus"]
        assert one["averagePrice"] == float(want["averagePrice"])
        assert one["filledQuantity"] == want["filledQuantity"]
    assert not orders
    shown = desk.get(client_id, "portfolio")
    assert shown["cash"] == float(expected["funds"]["cash"])
    assert shown["intradayPayin"] == float(expected["funds"]["intradayPayin"])


def same_order(expected: dict[str, Any], found: dict[str, Any]) -> bool:
    names = ("tradingSymbol", "exchange", "quantity", "transactionType", "product")
    return all(expected[name] == found[name] for name in names) and (
        dt.datetime.fromisoformat(expected["orderTimestamp"])
        == dt.datetime.fromisoformat(found["orderTimestamp"])
    )


def test_the_clients_money_is_without_what_pledged_shares_are_good_for(desk: SyncDesk) -> None:
    client_id = desk.client()
    give_fixtures(desk, KITE, "")

    desk.synced(client_id)

    statement, shown = desk.statement(client_id), desk.get(client_id, "portfolio")
    assert statement["collateral"] == 12500
    assert shown["net"] == statement["net"] == 99725.05 - 12500


def test_one_share_on_two_exchanges_is_one_holding_and_two_lines(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.change("AB1234", lots=(), orders=())
    row = plain_fixture_of("kite_answers.json")["holdings"]["json"]["data"]
    sbin = next(one for one in row if one["tradingsymbol"] == "SBIN")
    on_nse = sbin | {"exchange": "NSE", "instrument_token": 779521, "quantity": 4}
    on_nse |= {"average_price": 700, "t1_quantity": 0, "collateral_quantity": 0}
    body = {"status": "success", "data": [sbin, on_nse]}
    desk.answer(KITE, "holdings", {"status": 200, "contentType": "application/json", "json": body})

    desk.synced(client_id)

    held = desk.holdings(client_id)
    assert held.keys() == {"SBIN"}
    assert held["SBIN"]["quantity"] == 20
    # (16 × 801.7813 + 4 × 700) ÷ 20
    assert held["SBIN"]["averagePrice"] == 781.425
    assert len(desk.statement(client_id)["lines"]) == 2


def test_what_was_traded_for_delivery_today_is_counted_once(desk: SyncDesk) -> None:
    client_id = desk.client()
    give_fixtures(desk, KITE, "")

    desk.synced(client_id)

    held = desk.holdings(client_id)
    # Bought today and in no holding yet; of RELIANCE three came yesterday, of TATASTEEL all lie
    # with the broker.
    assert (held["HDFCBANK"]["quantity"], held["HDFCBANK"]["boughtToday"]) == (2, 2)
    assert (held["RELIANCE"]["free"], held["RELIANCE"]["t1"]) == (5, 3)
    assert (held["TATASTEEL"]["free"], held["TATASTEEL"]["pledged"]) == (0, 100)


def test_an_unknown_stock_is_kept_and_listed(desk: SyncDesk) -> None:
    client_id = desk.client()
    give_fixtures(desk, KITE, "")

    result = desk.synced(client_id)

    unmapped = {
        line["symbol"] for line in desk.statement(client_id)["lines"] if not line["isMapped"]
    }
    assert unmapped == {"RELINFRA-BE"}
    assert result["unmapped"] == 1
    assert "RELINFRA-BE" not in desk.holdings(client_id)


@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize(("part", "kind"), WRONG)
def test_a_failed_call_leaves_everything_as_it_was(
    desk: SyncDesk, broker: str, part: str, kind: str
) -> None:
    client_id = desk.client(USERS[broker], broker)
    desk.synced(client_id)
    before = desk.everything(client_id)
    for lot in desk.person(USERS[broker]).lots:
        desk.change_lot(USERS[broker], lot.stock.symbol, lambda one: replace(one, free=7))
    desk.fault(broker, part, kind)

    answer = desk.sync(client_id)

    assert answer.status_code in {502, 503}
    assert answer.json()["success"] is False
    assert desk.everything(client_id) == before
    statement = desk.statement(client_id)
    assert statement["outcome"] == "FAILED"
    assert statement["reason"] == answer.json()["message"]


def test_a_broker_that_hangs_holds_nobody_up_for_long(
    desk: SyncDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    client_id = desk.client()
    desk.synced(client_id)
    before = desk.everything(client_id)
    monkeypatch.setattr(http_client, "TOTAL_SECONDS", 0.5)
    desk.fault(KITE, "funds", "hang")

    answer = desk.sync(client_id)

    assert answer.status_code == 502
    assert desk.everything(client_id) == before


@pytest.mark.parametrize("broker", BROKERS)
def test_too_many_calls_are_waited_for(desk: SyncDesk, broker: str) -> None:
    client_id = desk.client(USERS[broker], broker)
    desk.fault(broker, "holdings", "limit", times=2)

    assert desk.synced(client_id)["outcome"] == "DONE"
    assert desk.get(client_id, "profile")["isConnected"] is True


@pytest.mark.parametrize("broker", BROKERS)
def test_a_revoked_session_is_over_and_costs_no_holding(desk: SyncDesk, broker: str) -> None:
    client_id = desk.client(USERS[broker], broker)
    desk.synced(client_id)
    before = desk.everything(client_id)[0]
    desk.world.revoke(USERS[broker])

    answer = desk.sync(client_id)
    again = desk.sync(client_id)

    assert reply_of(answer) == (502, "The broker session has ended. Log in at the broker again.")
    assert again.status_code == 409
    assert desk.statement(client_id)["outcome"] == "NO_SESSION"
    assert desk.get(client_id, "profile")["isConnected"] is False
    assert desk.holdings(client_id) == before


@pytest.mark.on_both(suite="long")
def test_an_expired_session_that_may_be_renewed_is_renewed_on_the_way(desk: SyncDesk) -> None:
    client_id = desk.client("A123456", ANGEL)
    desk.fault(ANGEL, "holdings", "expired", times=1)

    assert desk.synced(client_id)["outcome"] == "DONE"


@pytest.mark.on_both(suite="long")
def test_a_session_of_another_person_is_not_read_and_ended(desk: SyncDesk) -> None:
    client_id = desk.client()
    with desk.database.transaction() as session:
        portfolio.set_broker(session, UUID(client_id), KITE, "ZZ9999")

    answer = desk.sync(client_id)

    assert answer.status_code == 409
    assert "AB1234" in answer.json()["message"]
    assert "ZZ9999" in answer.json()["message"]
    assert desk.holdings(client_id) == {}
    assert desk.get(client_id, "profile")["isConnected"] is False


EMPTY: dict[str, list[dict[str, Any]]] = {
    KITE: [{"status": "success", "data": []}],
    ANGEL: [
        {"status": True, "message": "SUCCESS", "errorcode": "", "data": []},
        {"status": True, "message": "SUCCESS", "errorcode": "", "data": None},
        {"status": False, "message": "No holding", "errorcode": "AB1015", "data": None},
    ],
}


@pytest.mark.parametrize(
    ("broker", "body"), [(broker, body) for broker, bodies in EMPTY.items() for body in bodies]
)
def test_an_empty_list_empties_no_book_though_a_share_was_bought_today(
    desk: SyncDesk, broker: str, body: dict[str, Any]
) -> None:
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    client_id = desk.client(user_id, broker)
    desk.synced(client_id)
    before = desk.everything(client_id)
    bought = Placed(
        "7001", desk.person(user_id).lots[0].stock, "BUY", "CNC", 5, 5, 100, "COMPLETE", 30
    )
    desk.change(user_id, orders=(bought,))
    desk.answer(
        broker, "holdings", {"status": 200, "contentType": "application/json", "json": body}
    )

    answer = desk.sync(client_id)

    assert answer.status_code == 409
    assert answer.json()["code"] == "doubted"
    assert desk.everything(client_id) == before


def test_what_was_bought_today_alone_is_in_no_list_and_no_reason_for_doubt(desk: SyncDesk) -> None:
    lot = desk.person().lots[0]
    buy = Placed("7001", lot.stock, "BUY", "CNC", 5, 5, 100, "COMPLETE", 30)
    desk.change("AB1234", lots=(), orders=(buy,))
    client_id = desk.client()
    desk.synced(client_id)
    desk.change("AB1234", orders=(buy, replace(buy, order_id="7002", side="SELL", filled=3)))

    desk.synced(client_id)

    assert desk.holdings(client_id)[lot.stock.symbol]["quantity"] == 2


def test_a_list_that_is_empty_three_times_over_an_hour_is_believed(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.change("AB1234", orders=())
    desk.synced(client_id)
    desk.change("AB1234", lots=())
    run(desk.database, update(ClientSession).values(expires_at=clock.now() + dt.timedelta(days=1)))
    begun = clock.now() + dt.timedelta(minutes=1)

    def sync_after(minutes: int) -> str:
        try:
            now = begun + dt.timedelta(minutes=minutes)
            return service.sync_client(way, UUID(client_id), now).outcome
        except Doubted:
            return "DOUBTED"

    way = service.SyncContext(desk.database, desk.gateway, SYSTEM)
    outcomes = [sync_after(minutes) for minutes in (0, 1, 2, 59)]
    lots = desk.holdings(client_id)
    outcomes.append(sync_after(60))

    assert outcomes == ["DOUBTED"] * 4 + ["DONE"]
    assert lots
    assert desk.holdings(client_id) == {}


@pytest.mark.on_both(suite="long")
def test_a_list_with_something_in_between_begins_the_count_again(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.change("AB1234", orders=())
    desk.synced(client_id)
    lots = desk.person().lots
    desk.change("AB1234", lots=())
    assert desk.sync(client_id).status_code == 409
    with desk.database.transaction() as session:
        long_ago = clock.now() - dt.timedelta(hours=2)
        session.execute(update(ClientSync).values(emptied_at=long_ago, emptied_times=2))
    desk.change("AB1234", lots=lots)
    desk.synced(client_id)
    desk.change("AB1234", lots=())

    assert desk.sync(client_id).status_code == 409
    assert len(desk.holdings(client_id)) == len(lots)


def odd_rows(broker: str, part: str) -> tuple[dict[str, Any], list[str]]:
    """The fixtures' answer with odd rows among the good ones, and what is said of these."""
    found = copy.deepcopy(plain_fixture_of(f"{FILES[broker]}_answers.json")[NAMES[broker][part]])
    data = found["json"]["data"]
    rows = data["net"] if part == "positions" and broker == KITE else data
    symbol, exchange = rows[0]["tradingsymbol"], rows[0]["exchange"]
    plain = symbol.removesuffix("-EQ")
    if part == "positions":
        rows.append(rows[0] | {"exchange": "NCDEX", "tradingsymbol": "DHANIYA", "symboltoken": "1"})
        if broker == KITE:
            rows[-1]["instrument_token"] = None
        field = "instrument_token" if broker == KITE else "exchange"
        return found, [f"Position DHANIYA on NCDEX is left out: its {field}"]
    if part == "orders":
        field = "order_timestamp" if broker == KITE else "updatetime"
        number = "order_id" if broker == KITE else "orderid"
        rows.append(rows[0] | {field: None, number: "990011"})
        return found, [f"Order 990011 {plain} on {exchange} is left out: its {field}"]
    average = "average_price" if broker == KITE else "averageprice"
    rows[0][average] = -1.5
    return found, [f"Holding {plain} on {exchange} is left out: its {average}"]


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize("part", ["holdings", "positions", "orders"])
def test_a_row_that_cannot_be_read_is_named_and_costs_no_other_row(
    desk: SyncDesk, broker: str, part: str
) -> None:
    client_id = desk.client(USERS[broker], broker)
    give_fixtures(desk, broker, "")
    desk.synced(client_id)
    before = desk.everything(client_id)
    found, sentences = odd_rows(broker, part)
    desk.world.faults.clear()
    desk.answer(broker, part, found)
    give_fixtures(desk, broker, "")

    result = desk.synced(client_id)

    holdings, money, orders, lines = desk.everything(client_id)
    assert (holdings, orders) == (before[0], before[2])
    assert money[:2] == before[1][:2]
    assert {line["symbol"] for line in lines} == {one["symbol"] for one in before[3]}
    assert result["unexplained"] == 0
    told = [
        row.removesuffix(" is missing or not usable.")
        for row in desk.statement(client_id)["leftOut"]
    ]
    assert told == sentences
    (row,) = desk.firm.desk.get("/admin/readiness").json()["data"]
    assert "LEFT_OUT" in row["problems"]
    assert row["leftOut"] == desk.statement(client_id)["leftOut"]


@pytest.mark.on_both(suite="long")
def test_what_could_be_read_again_is_named_no_more(desk: SyncDesk) -> None:
    client_id = desk.client()
    found, _ = odd_rows(KITE, "orders")
    desk.world.faults.append(Fault(CALLS[KITE]["orders"], "canned", answer=found, times=2))
    desk.synced(client_id)
    named = desk.statement(client_id)["leftOut"]

    desk.synced(client_id)

    assert len(named) == 1
    assert desk.statement(client_id)["leftOut"] == []


def test_nothing_held_any_more_is_doubted_until_staff_accept_it(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.change("AB1234", orders=())
    desk.synced(client_id)
    before = desk.holdings(client_id)
    desk.change("AB1234", lots=())

    answer = desk.sync(client_id)

    assert answer.status_code == 409
    assert answer.json()["code"] == "doubted"
    assert desk.holdings(client_id) == before
    assert desk.statement(client_id)["outcome"] == "DOUBTED"
    assert desk.sync(client_id).status_code == 409  # not three times over an hour
    desk.synced(client_id, acceptEmpty=True)
    assert desk.holdings(client_id) == {}


def test_nothing_held_is_doubted_too_where_a_file_brought_the_holdings(desk: SyncDesk) -> None:
    client_id = desk.client()
    give_holdings(desk.database, client_id, {"INFY": (10, "1500")})
    desk.change("AB1234", lots=(), orders=())

    assert desk.sync(client_id).status_code == 409
    assert desk.holdings(client_id).keys() == {"INFY"}


def test_a_sync_takes_the_place_of_what_a_file_brought(desk: SyncDesk) -> None:
    client_id = desk.client()
    give_holdings(desk.database, client_id, {"ITC": (999, "1")}, cash="5")
    desk.change("AB1234", orders=())

    desk.synced(client_id)

    lots = {lot.stock.symbol: lot.owned for lot in desk.person().lots}
    found = {symbol: row["quantity"] for symbol, row in desk.holdings(client_id).items()}
    assert found == lots


def test_a_second_sync_changes_nothing_and_writes_nothing_into_the_trail(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.synced(client_id)
    rows = len(desk.firm.trail("client_synced"))

    result = desk.synced(client_id)

    assert result["changed"] == result["unexplained"] == 0
    assert rows == len(desk.firm.trail("client_synced")) == 1


def test_shares_that_settle_over_night_are_no_change(desk: SyncDesk) -> None:
    client_id = desk.client()
    lot = Lot(desk.person().lots[0].stock, 10, 5, 0, 10_000)
    desk.change("AB1234", lots=(lot,), orders=())
    desk.synced(client_id)
    desk.change("AB1234", lots=(replace(lot, free=15, t1=0),))

    result = desk.synced(client_id)

    held = desk.holdings(client_id)[lot.stock.symbol]
    assert (held["free"], held["t1"]) == (15, 0)
    assert result["changed"] == result["unexplained"] == 0


def test_the_book_of_tokens_knows_no_secret(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.synced(client_id)

    told = str(desk.statement(client_id)) + str(
        [row.changes for row in desk.firm.trail("client_synced")]
    )

    for token in desk.world.logins:
        assert token not in told


def test_an_unknown_client_cannot_be_synced(desk: SyncDesk) -> None:
    assert desk.firm.desk.post(f"/admin/clients/client/{UUID(int=7)}/sync", {}).status_code == 404


def test_the_progress_and_end_of_a_sync_are_sent_to_who_started_it(
    desk: SyncDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[Any, Progress]] = []
    app: Any = desk.firm.web.app
    monkeypatch.setattr(app.state.hub, "publish_progress", lambda *given: told.append(given))
    client_id = desk.client()

    desk.synced(client_id)
    first, told[:] = list(told), []
    desk.fault(KITE, "holdings", "503")
    desk.sync(client_id)
    broken = list(told)

    assert {progress.id for _, progress in first} == {f"sync:{client_id}"}
    (account_id,) = {one for one, _ in first}
    assert account_id is not None
    assert [(one.step, one.done, one.total, one.state) for _, one in first] == [
        ("Checking the account", 0, 7, "RUNNING"),
        ("Reading orders", 1, 7, "RUNNING"),
        ("Reading positions", 2, 7, "RUNNING"),
        ("Reading trades", 3, 7, "RUNNING"),
        ("Reading holdings", 4, 7, "RUNNING"),
        ("Reading funds", 5, 7, "RUNNING"),
        ("Saving", 6, 7, "RUNNING"),
        ("", 1, 1, "DONE"),
    ]
    # Whose it is was asked already; and what fails ends as well.
    assert [(one.step, one.done, one.total) for _, one in broken] == [
        ("Reading orders", 0, 6),
        ("Reading positions", 1, 6),
        ("Reading trades", 2, 6),
        ("Reading holdings", 3, 6),
        ("", 1, 1),
    ]


@pytest.mark.parametrize(("on_nse", "tagged"), [(4, "BSE"), (40, "NSE")])
def test_a_holding_keeps_the_exchange_on_which_the_broker_has_it(
    desk: SyncDesk, on_nse: int, tagged: str
) -> None:
    """Of a share on both exchanges, the one with more of it."""
    client_id = desk.client()
    desk.change("AB1234", lots=(), orders=())
    rows = plain_fixture_of("kite_answers.json")["holdings"]["json"]["data"]
    sbin = next(row for row in rows if row["tradingsymbol"] == "SBIN") | {"exchange": "BSE"}
    other = sbin | {"exchange": "NSE", "instrument_token": 779521, "quantity": on_nse}
    other |= {"t1_quantity": 0, "collateral_quantity": 0}
    body = {"status": "success", "data": [sbin, other]}
    desk.answer(KITE, "holdings", {"status": 200, "contentType": "application/json", "json": body})

    desk.synced(client_id)

    with desk.database.reading() as session:
        (held,) = portfolio.stocks_of(session, UUID(client_id))
    assert held.instrument.exchange == "NSE"
    assert held.exchange == tagged
