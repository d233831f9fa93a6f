"""A run of the book while shares of a corporate action are not credited."""

import datetime as dt
import uuid
from typing import Any

import pytest

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.portfolio import service as portfolio
from tests.corporate_actions.conftest import ActionDesk
from tests.models_of import Bench
from tests.people_of import data_of
from tests.portfolio.actions import known_for_long

pytestmark = pytest.mark.on_both


def enter(bench: Bench, symbol: str = "INFY") -> dict[str, Any]:
    """A bonus of one for one, of today."""
    return ActionDesk(bench.desk, bench.database).enter(tradingSymbol=symbol)


def leg_of(bench: Bench, run: dict[str, Any], client: str, symbol: str) -> dict[str, Any]:
    return next(leg for leg in bench.legs(run, client)["legs"] if leg["symbol"] == symbol)


def test_who_waits_for_shares_is_in_a_tile_and_sells_only_credited_ones(bench: Bench) -> None:
    waiting = bench.client("Asha Rao", {"INFY": 300}, "0")
    other = bench.client("Binod Sen", {"TCS": 100}, "200000")
    known_for_long(bench.database)
    enter(bench)

    run = bench.begun()

    row, leg = bench.row(run, waiting), leg_of(bench, run, waiting, "INFY")
    assert (row["tile"], row["isIncluded"], row["canBeIncluded"]) == ("ACTION_PENDING", False, True)
    assert row["reasons"][0]["message"] == (
        "INFY: 300 shares are not credited yet; only credited shares are sold."
    )
    # 30 % of ₹9,00,000 are 180 shares; 300 of the 600 cannot be sold.
    assert (leg["currentQuantity"], leg["newQuantity"]) == (600, 300)
    assert leg["message"].startswith("300 shares are not credited yet and cannot be sold. Sell 300")
    assert bench.row(run, other)["tile"] == "READY"
    path = f"/admin/book-runs/{run['_id']}/tiles/ACTION_PENDING"
    included = data_of(bench.desk.put(path, {"isIncluded": True, "note": "Rest later"}))
    assert bench.sent(included)["sending"]["sent"] == 2
    verified = bench.desk.get(f"/admin/advice/{bench.history(waiting)[0]['_id']}/verify")
    assert data_of(verified)["holds"]


def test_a_stock_outside_the_model_is_kept_until_all_of_it_is_credited(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100, "SBIN": 10}, "200000")
    known_for_long(bench.database)
    drift_before = data_of(bench.desk.get("/admin/models/drift"))[0]
    enter(bench, "SBIN")

    run = bench.begun(outside="SELL")

    leg = leg_of(bench, run, client, "SBIN")
    assert (leg["type"], leg["currentQuantity"]) == ("HOLD", 20)
    drift = data_of(bench.desk.get("/admin/models/drift"))[0]
    assert (drift_before["actionPending"], drift["actionPending"]) == (False, True)
    with bench.database.transaction() as session:
        key = instruments.by_symbol(session, "NSE", "SBIN").id
        person = uuid.UUID(client)
        assert portfolio.uncredited_shares(session) == {person: {key: 10}}


def test_where_it_is_not_known_what_is_credited_nothing_can_be_included(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 300}, "0")
    enter(bench)

    row = bench.row(bench.begun(), client)

    assert (row["tile"], row["canBeIncluded"]) == ("ACTION_PENDING", False)
    assert row["reasons"][0]["message"] == (
        "INFY: it is not known whether the shares of a corporate action are credited."
    )


def test_a_suspected_action_has_a_tile_of_its_own(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 300}, "0")
    with bench.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        portfolio.suspect_actions(session, clock.now() + dt.timedelta(minutes=1), [infy])

    row = bench.row(bench.begun(), client)

    assert (row["tile"], row["isIncluded"]) == ("ACTION_SUSPECTED", False)
    assert row["reasons"][0]["message"] == "INFY: shares or price moved as in a split or bonus."
