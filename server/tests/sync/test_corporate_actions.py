"""What both brokers show around an ex-date: no alarm, no false loss, and nothing uncredited is sold."""

from dataclasses import replace
from typing import Any

import pytest

from tests.brokers.simulator.world import ANGEL, KITE, Lot
from tests.corporate_actions.conftest import ActionDesk, isin_of
from tests.people_of import data_of
from tests.portfolio.actions import known_for_long
from tests.rows_of import audit_rows
from tests.sync.conftest import USERS, SyncDesk
from tests.sync.test_changes import hold

HELD, PAISE = 100, 10_000

# What the broker shows at each reading from the ex-date on: shares, and what one cost in paise.
OLD, CREDITED, RENEWED = (HELD, PAISE), (2 * HELD, PAISE), (2 * HELD, PAISE // 2)
COURSES = {
    "the old shares at the new price, then both new": [OLD, OLD, RENEWED],
    "credited later, with the old average for a while": [OLD, CREDITED, CREDITED, RENEWED],
    "adjusted at once": [RENEWED, RENEWED],
}


def show(desk: SyncDesk, user_id: str, lot: Lot, shown: tuple[int, int]) -> None:
    desk.change(user_id, lots=(replace(lot, free=shown[0], average_paise=shown[1]),))


def sale_of(desk: SyncDesk, client_id: str, symbol: str) -> dict[str, Any]:
    """The row of a rebalance that is to sell all of a stock."""
    target = {"tradingSymbol": symbol, "exchange": "NSE", "allocationPercentage": 0}
    body = {
        "clientId": client_id,
        "clientName": "whoever",
        "targetInvestmentValue": 1_000_000,
        "targetHoldings": [target],
    }
    answer = desk.firm.desk.post("/admin/advice/rebalance-portfolio", body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"][0])


@pytest.mark.parametrize("broker", [KITE, ANGEL])
@pytest.mark.parametrize("course", COURSES)
def test_a_bonus_raises_no_alarm_and_shows_no_loss(
    desk: SyncDesk, broker: str, course: str
) -> None:
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    lot = hold(desk, user_id, HELD)
    symbol, client_id = lot.stock.symbol, desk.client(user_id, broker)
    desk.synced(client_id)
    known_for_long(desk.database)
    before = desk.holdings(client_id)[symbol]

    ActionDesk(desk.firm.desk, desk.database).enter(tradingSymbol=symbol)

    for shown in COURSES[course]:
        show(desk, user_id, lot, shown)
        assert desk.synced(client_id)["unexplained"] == 0
        held, sale = desk.holdings(client_id)[symbol], sale_of(desk, client_id, symbol)
        assert (held["quantity"], held["uncredited"]) == (2 * HELD, 2 * HELD - shown[0])
        for figure in ("currentValue", "invested", "pnl"):
            assert held[figure] == pytest.approx(before[figure], abs=0.01)
        assert held["actionSuspected"] is False
        assert sale["quantity"] == shown[0]
    assert desk.statement(client_id)["changes"] == []
    assert desk.get(client_id, "portfolio")["actionSuspected"] == []
    counts = desk.firm.desk.get("/admin/readiness").json()["counts"]
    assert (counts["changes"], counts["actions"]) == (0, 0)


@pytest.mark.parametrize("broker", [KITE, ANGEL])
def test_a_split_with_a_new_isin_is_credited_under_it(desk: SyncDesk, broker: str) -> None:
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    lot = hold(desk, user_id, HELD)
    symbol, client_id = lot.stock.symbol, desk.client(user_id, broker)
    desk.synced(client_id)
    known_for_long(desk.database)
    actions = ActionDesk(desk.firm.desk, desk.database)

    split = actions.enter(
        "SPLIT", tradingSymbol=symbol, factor={"new": 5, "old": 1}, newIsin=_new_isin(lot)
    )
    # The list of the broker still has the old ISIN; its holdings have the old shares.
    assert desk.synced(client_id)["unexplained"] == 0
    pending = desk.holdings(client_id)[symbol]
    renamed = replace(lot, stock=replace(lot.stock, isin=_new_isin(lot)))
    show(desk, user_id, renamed, (5 * HELD, PAISE // 5))
    assert desk.synced(client_id)["unexplained"] == 0
    credited = desk.holdings(client_id)[symbol]

    assert (pending["quantity"], pending["uncredited"]) == (5 * HELD, 4 * HELD)
    assert (credited["quantity"], credited["uncredited"]) == (5 * HELD, 0)
    assert credited["pnl"] == pytest.approx(pending["pnl"], abs=0.01)
    assert [row["state"] for row in actions.list()] == ["DONE"]
    assert actions.remove(split).status_code == 200
    assert len(audit_rows(desk.database, "corporate_action_removed")) == 1
    assert data_of(desk.firm.desk.get("/admin/corporate-actions")) == []


def _new_isin(lot: Lot) -> str:
    return isin_of(f"{lot.stock.isin[:7]}0999"[:11])
