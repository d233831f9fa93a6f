"""The board: tiles, filters, order, stocks, the last day, exports."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest

from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up.tables import AdviceExecution, LineExecution
from tarazu.kit import clock
from tarazu.kit.db import Database, add_rows
from tests.advice.conftest import AdviceDesk
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.people_of import Desk, data_of

STATES = [state.value for state in AdviceState]


def _execution(advice_id: uuid.UUID, client_id: uuid.UUID, **values: Any) -> dict[str, Any]:
    return {
        "advice_id": advice_id,
        "client_id": client_id,
        "sent_at": clock.now(),
        "window_ends_on": clock.today() + dt.timedelta(days=7),
        "is_over": False,
        "model_name": "",
        "state": AdviceState.ACTED,
        "followed_percentage": Decimal(100),
        "advised_value": Decimal(1000),
        "filled_value": Decimal(1000),
        "shortfall": None,
        "shortfall_bps": None,
        "shortfall_price": None,
        "shortfall_not_traded": None,
        "shortfall_charges": None,
        "minutes_to_first_fill": None,
        "minutes_to_ninety": None,
        "computed_at": clock.now(),
        "fingerprint": "",
    } | values


def _line(advice_id: uuid.UUID, place: int, symbol: str, **values: Any) -> dict[str, Any]:
    return {
        "advice_id": advice_id,
        "place": place,
        "isin": f"INE{symbol:0<9.9}",
        "symbol": symbol,
        "exchange": "NSE",
        "side": "BUY",
        "advised_quantity": 10,
        "advised_price": Decimal(100),
        "filled_quantity": 10,
        "average_price": Decimal(100),
        "beyond": 0,
        "status": LineStatus.DONE,
        "status_text": "",
        "shortfall": None,
        "shortfall_bps": None,
        "slippage_bps": None,
    } | values


def _add(
    database: Database,
    executions: Sequence[Mapping[str, Any]],
    lines: Sequence[Mapping[str, Any]] = (),
) -> None:
    with database.transaction() as session:
        add_rows(session, AdviceExecution, executions)
        add_rows(session, LineExecution, lines)


@pytest.fixture
def sent(advice: AdviceDesk) -> list[uuid.UUID]:
    """Four advices to one client, the oldest first."""
    return [uuid.UUID(advice.sent()) for _ in range(4)]


@pytest.mark.on_both
def test_tiles_count_every_state_with_its_rupees(desk: FollowUpDesk, sent: list[uuid.UUID]) -> None:
    rows = [
        _execution(sent[0], desk.client_id),
        _execution(sent[1], desk.client_id, filled_value=Decimal("900.50")),
        _execution(sent[2], desk.client_id, state=AdviceState.IGNORED, filled_value=Decimal(0)),
    ]
    _add(desk.database, rows)

    board = desk.board()

    tiles = {tile["state"]: tile for tile in board["tiles"]}
    assert list(tiles) == STATES
    assert (tiles["ACTED"]["count"], tiles["ACTED"]["advisedValue"]) == (2, 2000)
    assert tiles["ACTED"]["filledValue"] == 1900.5
    assert tiles["IGNORED"]["count"] == 1
    assert tiles["PART"]["count"] == tiles["PART"]["advisedValue"] == 0
    assert board["pagination"]["totalUsers"] == 3


def test_a_state_filters_the_rows_and_leaves_the_tiles(
    desk: FollowUpDesk, sent: list[uuid.UUID]
) -> None:
    rows = [
        _execution(sent[0], desk.client_id),
        _execution(sent[1], desk.client_id, state=AdviceState.IGNORED),
    ]
    _add(desk.database, rows)

    board = desk.board(state="IGNORED")

    assert [row["_id"] for row in board["data"]] == [str(sent[1])]
    assert board["pagination"]["totalUsers"] == 1
    assert sum(tile["count"] for tile in board["tiles"]) == 2


def test_tiles_follow_a_change_of_the_rows(desk: FollowUpDesk, sent: list[uuid.UUID]) -> None:
    _add(desk.database, [_execution(sent[0], desk.client_id)])
    before = desk.board()["pagination"]["totalUsers"]
    _add(desk.database, [_execution(sent[1], desk.client_id)])

    assert (before, desk.board()["pagination"]["totalUsers"]) == (1, 2)


@pytest.mark.on_both
@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"model": "Large Cap"}, [1]),
        ({"isOver": "true"}, [2]),
        ({"from": "2026-01-01", "to": "2026-01-31"}, [3]),
        ({"query": "kavya"}, [0, 1, 2, 3]),
        ({"query": "nobody"}, []),
        ({"state": "PART", "model": "Large Cap"}, []),
    ],
)
def test_the_board_is_filtered(
    desk: FollowUpDesk, sent: list[uuid.UUID], params: dict[str, str], found: list[int]
) -> None:
    long_ago = dt.datetime(2026, 1, 15, 6, 0, tzinfo=dt.UTC)
    rows = [
        _execution(sent[0], desk.client_id),
        _execution(sent[1], desk.client_id, model_name="Large Cap"),
        _execution(sent[2], desk.client_id, is_over=True),
        _execution(sent[3], desk.client_id, sent_at=long_ago),
    ]
    _add(desk.database, rows)

    board = desk.board(**params)

    assert {row["_id"] for row in board["data"]} == {str(sent[place]) for place in found}
    assert board["models"] == ["Large Cap"]


@pytest.mark.on_both(suite="long")
def test_the_board_of_one_client_has_the_status_of_each_line(
    desk: FollowUpDesk, sent: list[uuid.UUID]
) -> None:
    other = desk.advice.desk.add_client("Rohan Shah", "rohan@home.example")
    line = _line(sent[0], 0, "TCS", status=LineStatus.SHORT, filled_quantity=4)
    _add(desk.database, [_execution(sent[0], desk.client_id)], [line])

    (row,) = desk.board(clientId=str(desk.client_id), withLines="true")["data"]

    assert [(each["tradingSymbol"], each["status"]) for each in row["lines"]] == [("TCS", "SHORT")]
    assert desk.board()["data"][0]["lines"] is None
    assert desk.board(clientId=other)["data"] == []


@pytest.mark.on_both
@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("", [2, 1, 0]),
        ("sentAt", [0, 1, 2]),
        ("shortfallBps", [2, 0, 1]),
        ("-shortfallBps", [0, 2, 1]),
        ("-followedPercentage", [0, 2, 1]),
        ("nonsense", [2, 1, 0]),
    ],
)
def test_the_board_is_sorted_with_unknown_figures_last(
    desk: FollowUpDesk, sent: list[uuid.UUID], sort: str, order: list[int]
) -> None:
    at = clock.now()
    rows = [
        _execution(
            sent[0], desk.client_id, shortfall=Decimal(5), shortfall_bps=Decimal(50),
            sent_at=at - 2 * MINUTE,
        ),
        _execution(
            sent[1], desk.client_id, followed_percentage=None, sent_at=at - MINUTE
        ),
        _execution(
            sent[2], desk.client_id, shortfall=Decimal(9), shortfall_bps=Decimal(-7),
            followed_percentage=Decimal(40), sent_at=at,
        ),
    ]  # fmt: skip
    _add(desk.database, rows)

    found = [row["_id"] for row in desk.board(sort=sort)["data"]]

    assert found == [str(sent[place]) for place in order]


def test_advice_to_a_deleted_client_leaves_the_board(
    desk: FollowUpDesk, sent: list[uuid.UUID]
) -> None:
    _add(desk.database, [_execution(sent[0], desk.client_id)])
    desk.advice.desk.post("/clients/delete", {"clientId": desk.advice.client_id})

    board = desk.board()

    assert board["data"] == []
    assert sum(tile["count"] for tile in board["tiles"]) == 0


@pytest.mark.on_both
def test_stocks_have_the_median_and_the_ninetieth_percentile(
    desk: FollowUpDesk, sent: list[uuid.UUID]
) -> None:
    figures = [Decimal(2), Decimal(10), Decimal(4), Decimal(60)]
    lines = [
        _line(advice_id, 0, "TCS", slippage_bps=figure)
        for advice_id, figure in zip(sent, figures, strict=True)
    ]
    lines.append(_line(sent[0], 1, "ITC", filled_quantity=0, status=LineStatus.MISSED))
    lines.append(_line(sent[1], 1, "ITC", status=LineStatus.UNKNOWN, filled_quantity=0))
    _add(desk.database, [_execution(one, desk.client_id) for one in sent], lines)

    tcs, itc = data_of(desk.advice.desk.get("/admin/follow-up/stocks"))

    assert (tcs["tradingSymbol"], tcs["lines"], tcs["acted"]) == ("TCS", 4, 4)
    assert (tcs["medianSlippageBps"], tcs["p90SlippageBps"]) == (7, 60)
    assert (tcs["advisedValue"], tcs["filledValue"]) == (4000, 4000)
    # An unknown line is in no figure.
    assert (itc["tradingSymbol"], itc["lines"], itc["acted"]) == ("ITC", 1, 0)
    assert itc["medianSlippageBps"] is None
    assert itc["actedPercentage"] == 0


@pytest.mark.on_both
def test_stocks_are_found_and_sorted(desk: FollowUpDesk, sent: list[uuid.UUID]) -> None:
    lines = [_line(sent[0], 0, "TCS"), _line(sent[0], 1, "ITC"), _line(sent[1], 0, "ITC")]
    _add(desk.database, [_execution(one, desk.client_id) for one in sent[:2]], lines)

    def symbols(**params: str) -> list[str]:
        rows = data_of(desk.advice.desk.get("/admin/follow-up/stocks", **params))
        return [row["tradingSymbol"] for row in rows]

    assert symbols(sort="tradingSymbol") == ["ITC", "TCS"]
    assert symbols(sort="lines") == ["TCS", "ITC"]
    assert symbols(query="tc") == ["ITC", "TCS"]
    assert symbols(query="TCS") == ["TCS"]
    assert symbols(**{"from": "2020-01-01", "to": "2020-01-02"}) == []


@pytest.mark.on_both
def test_the_days_of_volume_are_the_most_that_the_advice_of_one_day_took(
    desk: FollowUpDesk, sent: list[uuid.UUID]
) -> None:
    first, second = clock.today(), clock.today() + dt.timedelta(days=30)
    ends_on = [first, first, second, second]
    isin = desk.isin("TCS")
    lines = [_line(one, 0, "TCS", isin=isin, filled_quantity=60) for one in sent[:2]]
    lines += [_line(sent[2], 0, "TCS", isin=isin, filled_quantity=70)]
    lines += [_line(sent[3], 0, "TCS", isin=isin, filled_quantity=0, status=LineStatus.MISSED)]
    lines += [_line(sent[3], 1, "ITC", isin=desk.isin("ITC"))]
    rows = [
        _execution(one, desk.client_id, window_ends_on=day)
        for one, day in zip(sent, ends_on, strict=True)
    ]
    _add(desk.database, rows, lines)
    for back in range(5):
        desk.close(first - dt.timedelta(days=back), {"TCS": "3000"}, {"TCS": 50})
        desk.close(second - dt.timedelta(days=back), {"TCS": "3000", "ITC": "400"}, {"TCS": 100})
    desk.close(second, {"ITC": "400"}, {"ITC": 100})

    def shown(**params: str) -> dict[str, float | None]:
        stocks = data_of(desk.advice.desk.get("/admin/follow-up/stocks", **params))
        return {row["tradingSymbol"]: row["daysOfVolume"] for row in stocks}

    # 120 shares over 50 a day, then 70 over 100 a day. Of ITC one day's volume is known.
    assert shown() == {"TCS": 2.4, "ITC": None}
    assert list(shown(sort="-daysOfVolume")) == list(shown(sort="daysOfVolume")) == ["TCS", "ITC"]
    export = desk.advice.desk.get("/admin/follow-up/stocks/export", format="csv").text
    assert export.splitlines()[0].rstrip().endswith("Days Of Volume")
    assert [line.rpartition(",")[2] for line in export.splitlines()[1:3]] == ["", "2.40"]


def test_the_last_business_day_says_how_many_acted(
    desk: FollowUpDesk, sent: list[uuid.UUID]
) -> None:
    day = dt.date.fromisoformat(data_of(desk.advice.desk.get("/admin/follow-up/yesterday"))["day"])
    at = dt.datetime.combine(day, dt.time(12), clock.INDIA)
    states = [AdviceState.ACTED, AdviceState.PART, AdviceState.IGNORED]
    rows = [
        _execution(advice_id, desk.client_id, sent_at=at, state=state)
        for advice_id, state in zip(sent[:3], states, strict=True)
    ]
    rows.append(_execution(sent[3], desk.client_id))
    lines = [
        _line(sent[0], 0, "TCS", slippage_bps=Decimal(8)),
        _line(sent[1], 0, "TCS", slippage_bps=Decimal(4)),
        _line(sent[3], 0, "TCS", slippage_bps=Decimal(900)),
    ]
    _add(desk.database, rows, lines)

    last_day = data_of(desk.advice.desk.get("/admin/follow-up/yesterday"))

    assert day < clock.today()
    assert last_day == {
        "day": str(day),
        "sent": 3,
        "acted": 2,
        "medianSlippageBps": 6,
        "openQuestions": 0,
    }


def test_a_day_without_advice_has_no_median(admin: Desk) -> None:
    last_day = data_of(admin.get("/admin/follow-up/yesterday"))

    assert (last_day["sent"], last_day["acted"], last_day["medianSlippageBps"]) == (0, 0, None)


@pytest.mark.parametrize("name", ["", "/stocks", "/questions"])
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_lists_are_exported(
    desk: FollowUpDesk, sent: list[uuid.UUID], name: str, form: str
) -> None:
    _add(
        desk.database,
        [_execution(sent[0], desk.client_id)],
        [_line(sent[0], 0, "TCS", slippage_bps=Decimal(8))],
    )

    answer = desk.advice.desk.get(f"/admin/follow-up{name}/export", format=form)

    assert answer.status_code == 200
    if form == "csv":
        lines = answer.content.decode("utf-8-sig").splitlines()
        expected = {"": "C0001,Kavya Menon", "/stocks": "TCS,", "/questions": "Asked (IST)"}[name]
        assert any(expected in line for line in lines)
