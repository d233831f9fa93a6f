"""What nothing changed of is not computed again; whatever changes anything is."""

import datetime as dt
import uuid
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.follow_up import matching_queries, recompute, service
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import Answer, LineFill, MatchedInputs
from tarazu.follow_up.windows import end_of_day
from tarazu.instruments.tables import CorporateAction
from tarazu.kit import clock
from tarazu.kit.db import new_id
from tarazu.orders import service as orders
from tarazu.orders.tables import OrderStatus, Trade
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.people_of import data_of
from tests.rows_of import run, scalar, scalars

SYMBOLS = ("INFY", "TCS", "RELIANCE")


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[uuid.UUID]:
    """The clients whose advice was computed, in order."""
    real, clients = recompute.computed_advice, list[uuid.UUID]()

    def noted(client: Any, terms: Any) -> Any:
        clients.append(client.sent[0].client_id)
        return real(client, terms)

    monkeypatch.setattr(recompute, "computed_advice", noted)
    return clients


def _mark(desk: FollowUpDesk, *client_ids: uuid.UUID) -> None:
    with desk.database.transaction() as session:
        orders.mark_matching_due(session, client_ids or (desk.client_id,), clock.now())


def _traded(desk: FollowUpDesk) -> tuple[str, dt.datetime]:
    """An advice of which TCS was bought, matched ten minutes later."""
    advice_id = desk.advice.sent()
    at = clock.now() + 10 * MINUTE
    desk.carry_out(advice_id, at, "TCS")
    desk.match(at + 2 * MINUTE)
    return advice_id, at + 2 * MINUTE


@pytest.mark.on_both
def test_a_client_of_whom_nothing_changed_is_not_computed(
    desk: FollowUpDesk, computed: list[uuid.UUID]
) -> None:
    _, at = _traded(desk)
    assert computed == [desk.client_id]
    desk.read(at + MINUTE)

    assert desk.match(at + 2 * MINUTE) == 0

    assert computed == [desk.client_id]


def _price(desk: FollowUpDesk, advice_id: str) -> None:
    run(desk.database, update(Trade).values(price=Decimal("3010.05")))


def _isin(desk: FollowUpDesk, advice_id: str) -> None:
    run(desk.database, update(Trade).values(isin=desk.isin("WIPRO")))


def _trade(desk: FollowUpDesk, advice_id: str) -> None:
    desk.trade("RELIANCE", 1, "1250", clock.now() + 11 * MINUTE)


def _removed(desk: FollowUpDesk, advice_id: str) -> None:
    run(desk.database, delete(Trade))


def _order(desk: FollowUpDesk, advice_id: str) -> None:
    desk.order("RELIANCE", clock.now() + MINUTE, OrderStatus.OPEN)


def _declined(desk: FollowUpDesk, advice_id: str) -> None:
    with desk.database.transaction() as session:
        place = desk.line(advice_id, "RELIANCE")["place"]
        response = NewResponse(Answer.DECLINED, lines=(place,))
        service.record_response(session, uuid.UUID(advice_id), response, clock.now())


def _close(desk: FollowUpDesk, advice_id: str) -> None:
    desk.close(clock.today(), {"RELIANCE": "1260"})


def _split(desk: FollowUpDesk, advice_id: str) -> None:
    action = CorporateAction(
        id=new_id(),
        isin=desk.isin("RELIANCE"),
        new_isin="",
        kind=ActionKind.SPLIT,
        ex_on=clock.today(),
        new=2,
        old=1,
        source="TEST",
        created_at=clock.now(),
    )
    with desk.database.transaction() as session:
        session.add(action)


def _later_advice(desk: FollowUpDesk, advice_id: str) -> None:
    desk.advice.sent()


def _tolerance(desk: FollowUpDesk, advice_id: str) -> None:
    data_of(desk.advice.desk.put("/admin/settings/follow-up", {"tolerance": 3}))


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    "happens",
    [
        _price,
        _isin,
        _trade,
        _removed,
        _order,
        _declined,
        _close,
        _split,
        _later_advice,
        _tolerance,
    ],
)
def test_whatever_the_sums_read_lets_them_be_made_again(
    desk: FollowUpDesk,
    computed: list[uuid.UUID],
    happens: Callable[[FollowUpDesk, str], None],
) -> None:
    advice_id, at = _traded(desk)
    computed.clear()

    happens(desk, advice_id)
    _mark(desk)
    desk.match(at)

    assert computed == [desk.client_id]


def test_the_end_of_a_window_and_the_reading_up_to_it_let_the_sums_be_made_again(
    desk: FollowUpDesk, computed: list[uuid.UUID]
) -> None:
    advice_id, _ = _traded(desk)
    ends_on = dt.date.fromisoformat(desk.execution(advice_id)["windowEndsOn"])
    over = end_of_day(ends_on) + MINUTE
    computed.clear()

    desk.match(over)
    assert desk.execution(advice_id)["isOver"] is True
    assert desk.statuses(advice_id)["RELIANCE"] == "UNKNOWN"
    desk.read(over)
    desk.match(over + MINUTE)

    assert computed == [desk.client_id, desk.client_id]
    assert desk.statuses(advice_id)["RELIANCE"] == "MISSED"


def test_a_client_is_known_again_whoever_is_matched_with_them(
    desk: FollowUpDesk, computed: list[uuid.UUID]
) -> None:
    _, at = _traded(desk)
    other = uuid.UUID(desk.advice.desk.add_client("Rohan Shah", "rohan@home.example"))
    own = desk.advice.client_id
    desk.advice.client_id = str(other)
    desk.advice.hold({"INFY": 100, "ITC": 10}, cash="200000")
    desk.advice.sent()
    desk.advice.client_id = own
    desk.match(at)
    computed.clear()
    # The other client's advice is older, so that more is read at once.
    earlier = clock.now() - dt.timedelta(days=30)
    desk.trade("TCS", 1, "3000", earlier, client_id=desk.client_id)
    desk.match(at)
    computed.clear()
    _mark(desk, desk.client_id, other)

    desk.match(at)

    assert computed == []


@pytest.mark.on_both
def test_of_trades_only_what_differs_is_written(
    desk: FollowUpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + 10 * MINUTE
    desk.trade("TCS", 2, "3000", at, trade_id="A1")
    desk.trade("TCS", 2, "3000", at, trade_id="A2")
    desk.read(at)
    desk.match(at)
    real, added = matching_queries.add_stored_rows, list[tuple[Any, ...]]()

    def noted(session: Any, table: Any, names: Any, rows: Any) -> None:
        added.extend(rows if table is LineFill else ())
        real(session, table, names, rows)

    monkeypatch.setattr(matching_queries, "add_stored_rows", noted)
    run(desk.database, update(Trade).where(Trade.trade_id == "A1").values(price=Decimal(3010)))
    desk.trade("TCS", 1, "3000", at, trade_id="A3")

    assert desk.match(at + MINUTE) == 1

    key = scalar(desk.database, select(Trade.id).where(Trade.trade_id == "A3"))
    assert [row[2:] for row in added] == [(key.hex, 1)]
    line = desk.line(advice_id, "TCS")
    assert [(fill["tradeId"], fill["price"]) for fill in line["fills"]] == [
        ("A1", 3010),
        ("A2", 3000),
        ("A3", 3000),
    ]


def test_a_trade_that_counts_for_fewer_shares_is_written_again(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    wanted = desk.line(advice_id, "TCS")["advisedQuantity"]
    at = clock.now() + 10 * MINUTE
    desk.trade("TCS", wanted, "3000", at, trade_id="B1")
    desk.match(at)
    desk.trade("TCS", 1, "3000", at - MINUTE, trade_id="B2")

    desk.match(at)

    line = desk.line(advice_id, "TCS")
    assert [(fill["tradeId"], fill["quantity"]) for fill in line["fills"]] == [
        ("B2", 1),
        ("B1", wanted - 1),
    ]


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("seed", range(3))
def test_what_was_not_computed_again_would_not_have_changed(desk: FollowUpDesk, seed: int) -> None:
    """After every step of a random story, computing everything again gives the rows that are there."""
    chance = Random(seed)
    advice_id = desk.advice.sent()
    ends_on = dt.date.fromisoformat(desk.execution(advice_id)["windowEndsOn"])
    days = (end_of_day(ends_on) - clock.now()) / 12
    steps = [_price, _trade, _order, _close, _split, _declined, _removed]
    for number in range(12):
        now = clock.now() + (number + 1) * days + MINUTE
        symbol, shares = chance.choice(SYMBOLS), chance.choice((-4, 1, 3, 60))
        match chance.randrange(4):
            case 0:
                desk.trade(symbol, shares, "1000", now - MINUTE)
            case 1:
                desk.read(now)
            case 2:
                chance.choice(steps)(desk, advice_id)
            case 3:
                desk.close(clock.day_in_india(now), {symbol: "1234"})
        if chance.random() < 0.7:
            _mark(desk)
        desk.match(now)
        _mark(desk)
        desk.match(now)

        run(desk.database, delete(MatchedInputs))
        _mark(desk)

        assert desk.match(now) == 0
    lines = [line["filledQuantity"] for line in desk.execution(advice_id)["lines"]]
    counted = scalar(desk.database, select(func.sum(LineFill.quantity))) or 0
    assert sum(lines) == counted
    assert len(scalars(desk.database, select(MatchedInputs.client_id))) == 1
