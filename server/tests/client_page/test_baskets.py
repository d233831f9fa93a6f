"""Orders handed over: baskets for Zerodha, Kite's basket file, the list, the calendar."""

import csv
import datetime as dt
import html
import io
import json
import re
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, update

from tarazu.advice import service as advising
from tarazu.client_page.baskets import hand_over_of
from tarazu.client_page.content import OpenPage
from tarazu.client_page.orders import limit_price
from tarazu.client_page.reminder import calendar_entry
from tarazu.client_page.tables import BasketState
from tarazu.domain.charges import Side
from tarazu.domain.codes import order_tag
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.firm.tables import FollowUpSettings
from tarazu.follow_up import jobs
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import CorporateAction
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.calendar_file import LONGEST_LINE
from tarazu.kit.db import new_id
from tarazu.kit.translation import Language
from tarazu.orders import service as orders
from tarazu.orders.service import NewTrade
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding
from tests.advice.conftest import AdviceDesk
from tests.brokers.conftest import running_simulator, simulator
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import KITE
from tests.client_page.conftest import ClientsPage
from tests.corporate_actions.conftest import ActionDesk
from tests.people_of import data_of, reply_of
from tests.portfolio.actions import known_for_long
from tests.rows_of import run, scalars

__all__ = ["running_simulator", "simulator"]

Priced = Callable[[dict[str, str]], None]
EXACT = {
    "variety", "tradingsymbol", "exchange", "transaction_type", "order_type", "quantity",
    "product", "price", "validity", "readonly", "tag",
}  # fmt: skip


@pytest.fixture
def zerodha(page: ClientsPage, simulator: Simulator) -> Simulator:
    """The firm has its app at Zerodha."""
    world = simulator.world
    body = {
        "name": KITE,
        "apiKey": world.api_keys[KITE],
        "apiSecret": world.secrets[KITE],
        "apiUrl": "https://api.kite.trade",
    }
    assert page.advice.desk.post("/brokers/add", body).status_code == 201
    return simulator


def _form(page: ClientsPage, step: int = 1) -> tuple[str, dict[str, str], Any]:
    """Address, fields and answer of the page with a basket."""
    answer = page.submit("/basket", step=step)
    assert answer.status_code == 200, answer.text
    form = re.search(
        r'<form class="actions" method="post" action="([^"]+)">(.*?)</form>', answer.text, re.DOTALL
    )
    assert form, answer.text
    fields = re.findall(r'name="([^"]+)" value="([^"]*)"', form[2])
    return form[1], {name: html.unescape(value) for name, value in fields}, answer


def _rows(page: ClientsPage, step: int = 1) -> list[dict[str, Any]]:
    return list(json.loads(_form(page, step)[1]["data"]))


def test_baskets_have_sales_first_and_never_both(page: ClientsPage, zerodha: Simulator) -> None:
    shown = page.open_page().text
    sales, purchases = _rows(page, 1), _rows(page, 2)

    assert "1 of 2: sell at Zerodha" in shown
    assert "2 of 2: buy at Zerodha" in shown
    assert {row["transaction_type"] for row in sales} == {"SELL"}
    assert {row["transaction_type"] for row in purchases} == {"BUY"}
    for row in sales + purchases:
        assert set(row) == EXACT
        assert (row["variety"], row["order_type"], row["product"]) == ("regular", "LIMIT", "CNC")
        assert (row["validity"], row["readonly"]) == ("DAY", False)
        assert row["tag"] == order_tag(_id(page))
        assert len(row["tag"]) == 8


def _id(page: ClientsPage) -> Any:
    return uuid.UUID(page.advice_id)


def test_limits_are_one_percent_away_in_whole_ticks(page: ClientsPage, zerodha: Simulator) -> None:
    page.open_page()
    prices = {row["tradingsymbol"]: row["price"] for row in _rows(page, 1) + _rows(page, 2)}

    # INFY is sold at 1500.00 less 1 %; TCS 3000.00 and RELIANCE 1250.50 plus 1 %, rounded up.
    assert prices["INFY"] == 1485.0
    assert prices["TCS"] == 3030.0
    assert prices["RELIANCE"] in {1263.05, 1263.1}


@given(
    last=st.decimals("0.05", "99999", places=2),
    away=st.decimals("0", "20", places=2),
    tick=st.sampled_from([Decimal("0.01"), Decimal("0.05"), Decimal("0.10"), Decimal(1)]),
)
def test_a_limit_is_a_whole_tick_and_no_nearer_than_asked(
    last: Decimal, away: Decimal, tick: Decimal
) -> None:
    buy, sell = (limit_price(last, side, away, tick) for side in (Side.BUY, Side.SELL))

    assert buy % tick == 0
    assert sell % tick == 0
    assert buy >= last * (100 + away) / 100 > buy - tick
    assert sell == tick or sell <= last * (100 - away) / 100 < sell + tick


@pytest.mark.on_both(suite="long")
def test_a_basket_has_at_most_the_rows_that_the_firm_set(
    page: ClientsPage, zerodha: Simulator
) -> None:
    run(page.database, update(FollowUpSettings).values(basket_rows=1))
    shown = page.open_page().text

    steps = re.findall(r"(\d+) of (\d+): (sell|buy) at Zerodha", shown)
    assert [step[0] for step in steps] == [str(n) for n in range(1, len(steps) + 1)]
    assert [step[2] for step in steps] == sorted((step[2] for step in steps), reverse=True)
    assert len(_rows(page, len(steps))) == 1


def test_a_sale_names_the_exchange_on_which_the_broker_has_the_shares(
    advice: AdviceDesk, simulator: Simulator
) -> None:
    opened = ClientsPage(advice, advice.sent())
    opened.make_link()
    advice.hold({"INFY": 100, "ITC": 10}, cash="200000", on="BSE")
    body = {
        "name": KITE, "apiKey": "k", "apiSecret": "s", "apiUrl": "https://api.kite.trade",
    }  # fmt: skip
    assert advice.desk.post("/brokers/add", body).status_code == 201
    opened.open_page()

    assert {row["exchange"] for row in _rows(opened, 1)} == {"BSE"}
    assert {row["exchange"] for row in _rows(opened, 2)} == {"NSE"}


def test_the_second_basket_is_found_once_the_first_one_is_placed(
    page: ClientsPage, zerodha: Simulator
) -> None:
    page.open_page()
    assert page.submit("/basket", step=2, steps=2).text.count("<h1>Buy</h1>") == 1
    # As if the sales were one basket of three before: the page still shows the number of then.
    assert page.submit("/basket", step=3, steps=3).text.count("<h1>Buy</h1>") == 1
    assert page.submit("/basket", step=2, steps=3).text.count("<h1>Sell</h1>") == 1
    assert "Nothing is left to order" in page.submit("/basket", step=1, steps=3).text


def test_what_was_traded_already_is_in_no_basket(page: ClientsPage, zerodha: Simulator) -> None:
    page.open_page()
    before = {row["tradingsymbol"]: row["quantity"] for row in _rows(page, 2)}
    now = clock.now()
    with page.database.transaction() as session:
        bought = {"TCS": before["TCS"], "RELIANCE": 1}
        trades = [
            NewTrade(
                "NSE", symbol, symbol, now, symbol,
                instruments.by_symbol(session, "NSE", symbol).isin, OrderSide.BUY, shares,
                Decimal(1_000),
            )
            for symbol, shares in bought.items()
        ]  # fmt: skip
        client_id = _uuid(page.advice.client_id)
        orders.record_trades(session, client_id, trades, TradeSource.BROKER, now)
    jobs.match_due(page.database, clock.now(), lambda _: None)

    after = {row["tradingsymbol"]: row["quantity"] for row in _rows(page, 2)}
    assert after == {"RELIANCE": before["RELIANCE"] - 1}


def _uuid(text: str) -> Any:
    return uuid.UUID(text)


@pytest.mark.on_both(suite="long")
def test_a_closed_market_offers_no_basket(
    page: ClientsPage, zerodha: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(hours=6))
    shown = page.open_page().text

    assert "The market is closed." in shown
    assert "at Zerodha (" not in shown
    refused = page.get("/basket", step=1)
    assert refused.status_code == 409
    assert scalars(page.database, __import__("sqlalchemy").select(BasketState.id)) == []


def test_an_old_price_is_in_no_basket(
    page: ClientsPage, zerodha: Simulator, priced: Priced, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(hours=2))
    none = page.open_page().text
    priced({"INFY": "1510.00", "TCS": "3010.00"})
    some = page.submit("/view").text

    assert "There are no live prices now" in none
    assert "In no basket, because there is no live price:" in some
    assert "RELIANCE" in some.partition("no live price:")[2][:60]
    assert {row["tradingsymbol"] for row in _rows(page, 2)} == {"TCS"}


def test_a_firm_without_an_app_offers_no_basket(page: ClientsPage) -> None:
    assert "Your Research Analyst has not set up Zerodha." in page.open_page().text
    assert page.get("/basket").status_code == 409


def test_the_basket_page_alone_may_post_to_the_broker(
    page: ClientsPage, zerodha: Simulator
) -> None:
    content = page.open_page()
    address, _, basket = _form(page)

    assert address == "https://kite.zerodha.com/connect/basket"
    policy = basket.headers["Content-Security-Policy"]
    assert "form-action 'self' https://kite.zerodha.com;" in policy
    assert basket.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert "kite.zerodha.com" not in content.headers["Content-Security-Policy"]
    assert content.headers["Referrer-Policy"] == "no-referrer"
    assert page.submit("/view").headers["Referrer-Policy"] == "no-referrer"


def test_the_simulated_page_of_kite_takes_every_basket(
    page: ClientsPage, zerodha: Simulator
) -> None:
    page.open_page()
    url = f"{zerodha.url}/connect/basket"
    for step in (1, 2):
        _, fields, _ = _form(page, step)
        without = httpx.post(url, data=fields)
        taken = httpx.post(url, data=fields, headers={"Referer": "https://desk.example/"})
        assert (without.status_code, "Invalid api_key" in without.text) == (400, True)
        assert taken.status_code == 200, taken.text
    assert len(zerodha.world.baskets) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"tag": "too-long-a-tag"}, {"product": "MIS"}, {"quantity": "3"}, {"price": 0},
        {"order_type": "SL"}, {"readonly": "false"}, {"tradingsymbol": "NOSUCH"},
    ],
)  # fmt: skip
def test_the_simulated_page_of_kite_is_strict(
    page: ClientsPage, zerodha: Simulator, change: dict[str, Any]
) -> None:
    page.open_page()
    _, fields, _ = _form(page)
    rows = json.loads(fields["data"])
    fields["data"] = json.dumps([rows[0] | change])

    refused = httpx.post(
        f"{zerodha.url}/connect/basket", data=fields, headers={"Referer": "https://desk.example/"}
    )
    assert refused.status_code == 400


def test_the_basket_file_has_kite_s_fields(page: ClientsPage, zerodha: Simulator) -> None:
    page.open()
    rows = page.get("/kite-basket.json", step=2).json()

    assert [row["weight"] for row in rows] == list(range(len(rows)))
    for row in rows:
        assert set(row) == {"id", "instrument", "weight", "params"}
        assert row["id"] == 0
        stock, params = row["instrument"], row["params"]
        assert set(stock) == {
            "tradingsymbol", "exchange", "segment", "instrumentToken", "exchangeToken",
            "tickSize", "lotSize", "type", "isEquity",
        }  # fmt: skip
        assert stock["exchangeToken"] == stock["instrumentToken"] // 256
        assert (stock["type"], stock["isEquity"], params["tags"]) == ("EQ", True, [])
        assert params["transactionType"] == "BUY"
        assert params["product"] == "CNC"
        assert params["price"] > params["lastPrice"] > 0
    assert page.get("/kite-basket.json", step=3).status_code == 409


def test_the_list_has_a_limit_only_at_a_live_price(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.open()
    live = page.get("/list.csv")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=20))
    old = page.get("/list.csv")

    rows = list(csv.reader(io.StringIO(live.content.decode("utf-8-sig"))))
    assert rows[0] == ["Symbol", "Exchange", "Side", "Quantity", "Limit price"]
    assert rows[1][:3] == ["INFY", "NSE", "SELL"]
    assert rows[1][4] == "1485.00"
    assert {row[2] for row in rows[2:]} <= {"SELL", "BUY"}
    assert all(row[4] == "" for row in list(csv.reader(io.StringIO(old.text)))[1:])
    assert live.headers["Content-Disposition"] == 'attachment; filename="orders.csv"'


def test_the_reminder_is_a_calendar_entry_without_stocks(page: ClientsPage) -> None:
    page.open()
    first, second = page.get("/reminder.ics"), page.get("/reminder.ics")
    text = first.content.decode()
    lines = text.split("\r\n")

    assert first.headers["Content-Type"].startswith("text/calendar")
    assert text.endswith("END:VCALENDAR\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= LONGEST_LINE for line in lines)
    unfolded = text.replace("\r\n ", "").split("\r\n")
    assert f"UID:advice-{page.advice_id}@tarazu.invalid" in unfolded
    for line in (
        "METHOD:PUBLISH", "BEGIN:VTIMEZONE", "TZID:Asia/Kolkata", "BEGIN:VALARM",
        "TRIGGER:-PT10M", "END:VALARM",
    ):  # fmt: skip
        assert line in unfolded
    assert any(re.fullmatch(r"DTSTART;TZID=Asia/Kolkata:\d{8}T093000", line) for line in unfolded)
    assert not any(word in text for word in ("INFY", "TCS", page.token))
    uid = [line for line in second.text.split("\r\n") if line.startswith("UID:")]
    assert uid == [line for line in lines if line.startswith("UID:")]


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=300))
def test_long_lines_are_folded_between_letters(text: str) -> None:
    at = dt.datetime(2026, 11, 25, 4, tzinfo=dt.UTC)
    entry = calendar_entry(new_id(), at, at, f"सलाह {text}", text)

    lines = entry.split(b"\r\n")
    assert all(len(line) <= LONGEST_LINE for line in lines)
    for line in lines:
        line.decode()
    unfolded = entry.decode().replace("\r\n ", "")
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    assert f"SUMMARY:सलाह {escaped}\r\n" in unfolded


def test_a_window_that_ended_while_the_page_was_open_offers_nothing(
    page: ClientsPage, zerodha: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(page.database, update(FollowUpSettings).values(window_days=1))
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(days=6))
    shown = page.open_page().text

    assert "The time to act on this advice ended on" in shown
    assert "at Zerodha (" not in shown
    assert reply_of(page.get("/basket"))[0] == 409
    assert data_of(page.get("/content"))["isOver"] is True


def test_the_page_keeps_the_window_with_which_the_advice_was_first_computed(
    page: ClientsPage,
) -> None:
    jobs.match_due(page.database, clock.now(), lambda _: None)
    ends_on = page.open()["windowEndsOn"]
    run(page.database, update(FollowUpSettings).values(window_days=1))

    content = data_of(page.get("/content"))
    execution = data_of(page.advice.desk.get(f"/admin/advice/{page.advice_id}/execution"))

    assert content["windowEndsOn"] == ends_on == execution["windowEndsOn"]


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("is_matched", [False, True])
def test_after_a_split_the_baskets_have_the_shares_of_now(
    page: ClientsPage, zerodha: Simulator, is_matched: bool
) -> None:
    page.open_page()
    before = {row["tradingsymbol"]: row["quantity"] for row in _rows(page, 2)}
    now = clock.now()
    with page.database.transaction() as session:
        tcs = instruments.by_symbol(session, "NSE", "TCS")
        session.add(
            CorporateAction(
                id=new_id(), isin=tcs.isin, new_isin="", kind=ActionKind.SPLIT,
                ex_on=clock.today() + dt.timedelta(days=1), new=5, old=1, source="TEST",
                created_at=now,
            )
        )  # fmt: skip
        trade = NewTrade(
            "NSE", "1", "1", now, "TCS", tcs.isin, OrderSide.BUY, before["TCS"] // 2, Decimal(3_000)
        )
        client_id = _uuid(page.advice.client_id)
        orders.record_trades(session, client_id, [trade], TradeSource.BROKER, now)
    day_after = now + dt.timedelta(days=1)
    jobs.match_due(page.database, day_after if is_matched else now, lambda _: None)

    with page.database.reading() as session:
        link = advising.open_link(session, page.token, day_after)
        assert link is not None
        opened = OpenPage(session, link, "", Language.EN, day_after)
        orders_left = hand_over_of(opened, opened.content()).orders
        left = {row.symbol: row.quantity for row in orders_left}

    assert left["TCS"] == (before["TCS"] - before["TCS"] // 2) * 5
    assert left["RELIANCE"] == before["RELIANCE"]


@pytest.mark.parametrize("shown", [20, 0])
def test_only_credited_shares_are_asked_to_be_sold(
    page: ClientsPage, zerodha: Simulator, shown: int
) -> None:
    known_for_long(page.database)
    stocks = page.advice.history()[0]["stocks"]
    advised = next(stock["quantity"] for stock in stocks if stock["symbol"] == "INFY")
    ActionDesk(page.advice.desk, page.database).enter()
    with page.database.transaction() as session:
        client_id = _uuid(page.advice.client_id)
        held = dict(portfolio.present_of(session, [client_id])[client_id].holdings)
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        sold = held.pop(infy).quantity - shown
        if shown:
            held[infy] = NewHolding(shown, Decimal(100))
        now = clock.now()
        portfolio.replace_holdings(session, SYSTEM, now, client_id, held, "FILE", {infy: -sold})

    text, rows = page.open_page().text, _rows(page, 1)

    asked = {row["tradingsymbol"]: row["quantity"] for row in rows if _is_sale(row)}
    assert asked == ({"INFY": shown} if shown else {})
    left = f"{advised - shown} of these shares are not credited yet."
    assert f"{left} Sell them once your broker shows them." in text


def _is_sale(row: dict[str, Any]) -> bool:
    return bool(row["transaction_type"] == "SELL")


def test_many_lines_are_read_with_as_many_statements_as_one(
    page: ClientsPage, zerodha: Simulator
) -> None:
    def statements() -> int:
        page.open()
        seen: list[str] = []

        def note(_c: Any, _k: Any, statement: str, *_: Any) -> None:
            seen.append(statement)

        event.listen(page.database.engine, "before_cursor_execute", note)
        lines = page.get("/list.csv").text.strip().splitlines()
        event.remove(page.database.engine, "before_cursor_execute", note)
        counts.append(len(lines) - 1)
        return len(seen)

    counts: list[int] = []
    of_three = statements()
    rebalanced = page.advice.rebalanced(targets={"TCS": 40, "CASH": 10})
    sent = page.advice.send(page.advice.advice_of(rebalanced))
    page.make_link(data_of(sent, 201)["_id"])
    of_one = statements()

    assert counts == [3, 1]
    assert of_three == of_one
