"""A client's lots and gains through HTTP: from trades, actions and entries to the year's sums."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.instruments.tables import CorporateAction
from tarazu.kit import clock
from tarazu.kit.db import Database, new_id
from tarazu.orders.service import NewTrade
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.tax import service as tax
from tarazu.tax.tables import LotEntry
from tests.imports.files import INFY, kite
from tests.orders.trades_of import record, trade
from tests.people_of import Desk, data_of, new_key, reply_of
from tests.rows_of import scalar

SBIN = "INE062A01020"


class TaxDesk:
    """A desk with one client, whose holdings and trades are entered in short form."""

    def __init__(self, desk: Desk, database: Database) -> None:
        self.desk, self.database = desk, database
        self.client_id = desk.add_client()
        self.path = f"/admin/clients/client/{self.client_id}"
        self.count = 0

    def hold(self, *rows: tuple[str, int]) -> None:
        content = kite(*((symbol, quantity, 100) for symbol, quantity in rows))
        fields = {"clientId": self.client_id, "dryRun": "false"}
        answer = self.desk.upload("/admin/clients/import", "h.csv", content, **fields)
        assert answer.status_code == 200, answer.text

    def trade(self, on: str, side: OrderSide, quantity: int, price: str, **more: Any) -> NewTrade:
        self.count += 1
        at = dt.datetime.fromisoformat(f"{on}T04:35:00+00:00")
        fields = {"side": side, "quantity": quantity, "price": Decimal(price)} | more
        return trade(str(self.count), at, **fields)

    def bought(self, on: str, quantity: int, price: str, **more: Any) -> None:
        made = self.trade(on, OrderSide.BUY, quantity, price, **more)
        record(self.database, self.client_id, made, source=TradeSource.FILE)

    def sold(self, on: str, quantity: int, price: str, **more: Any) -> None:
        made = self.trade(on, OrderSide.SELL, quantity, price, **more)
        record(self.database, self.client_id, made, source=TradeSource.FILE)

    def enter(self, **fields: Any) -> dict[str, Any]:
        return dict(data_of(self.desk.post(f"{self.path}/lots", fields, **new_key()), 201))

    def lots(self) -> dict[str, Any]:
        return dict(data_of(self.desk.get(f"{self.path}/lots")))

    def stock(self, symbol: str = "INFY") -> dict[str, Any]:
        (found,) = (row for row in self.lots()["stocks"] if row["tradingSymbol"] == symbol)
        return dict(found)

    def gains(self, year: str | None = None) -> dict[str, Any]:
        params = {"year": year} if year else {}
        return dict(data_of(self.desk.get(f"{self.path}/gains", **params)))

    def add_action(self, kind: ActionKind, ex_on: str, new: int, old: int) -> uuid.UUID:
        key = new_id()
        with self.database.transaction() as session:
            session.add(
                CorporateAction(
                    id=key,
                    isin=INFY,
                    new_isin="",
                    kind=kind,
                    ex_on=dt.date.fromisoformat(ex_on),
                    new=new,
                    old=old,
                    purpose="",
                    source="TEST",
                    created_at=clock.now(),
                )
            )
        return key

    def remove_action(self, key: uuid.UUID) -> None:
        with self.database.transaction() as session:
            row = session.get(CorporateAction, key)
            assert row is not None
            row.removed_at = clock.now()


@pytest.fixture
def taxed(admin: Desk, database: Database) -> TaxDesk:
    return TaxDesk(admin, database)


@pytest.mark.on_both
def test_trades_become_lots_and_the_gains_of_a_year(taxed: TaxDesk) -> None:
    taxed.bought("2024-01-03", 10, "1000")
    taxed.bought("2026-06-03", 10, "1500")
    taxed.sold("2026-07-01", 12, "1600")
    taxed.hold(("INFY", 8))

    stock = taxed.stock()
    assert (stock["known"], stock["quantity"], stock["reason"]) == (True, 8, None)
    (lot,) = stock["lots"]
    assert (lot["quantity"], lot["boughtOn"], lot["cost"]) == (8, "2026-06-03", 12_000)
    assert (lot["isLongTerm"], lot["longTermOn"]) == (False, "2027-06-04")
    year = taxed.gains("2026-27")
    (row,) = year["schedule"]
    assert (row["quantity"], row["longGain"], row["shortGain"]) == (12, 6_000, 200)
    assert year["realised"]["longGain"] == 6_000
    assert year["tax"]["ways"][0]["tax"] == 41.6
    assert year["unusedExemption"] == 119_000
    assert year["notes"][0] == "Arithmetic, not tax advice."
    assert taxed.gains("2025-26")["disposals"] == []


def test_lots_that_do_not_add_up_are_not_known_and_in_no_sum(taxed: TaxDesk) -> None:
    taxed.bought("2024-01-03", 10, "1000")
    taxed.sold("2026-07-01", 4, "1600")
    taxed.hold(("INFY", 9))

    stock = taxed.stock()

    assert (stock["known"], stock["reason"], stock["lotQuantity"]) == (False, "NOT_MATCHED", 6)
    assert stock["lots"][0]["cost"] is None
    assert (stock["shortGain"], stock["longGain"]) == (None, None)
    year = taxed.gains()
    assert year["realised"]["longGain"] == 0
    assert year["disposals"][0]["gain"] is None
    assert "do not add up" in year["disposals"][0]["reasonText"]

    # The missing shares are entered by hand: everything is known.
    taxed.enter(isin=INFY, quantity=3, boughtOn="2020-05-04", amount=2100)
    assert taxed.stock()["known"]
    # The three entered shares were sold first, with one of the others.
    assert taxed.gains()["realised"]["longGain"] == 4 * 1600 - 2100 - 1000


def test_without_any_reading_of_holdings_nothing_is_known(taxed: TaxDesk) -> None:
    taxed.bought("2024-01-03", 10, "1000")
    taxed.sold("2026-07-01", 10, "1600")

    assert taxed.gains()["disposals"][0]["reason"] == "NO_HOLDINGS"


@pytest.mark.on_both(suite="long")
def test_an_action_changes_the_lots_and_its_removal_restores_them(taxed: TaxDesk) -> None:
    taxed.bought("2024-01-03", 10, "1000")
    taxed.hold(("INFY", 20))
    assert not taxed.stock()["known"]

    key = taxed.add_action(ActionKind.BONUS, "2026-06-05", 2, 1)
    assert [(lot["quantity"], lot["cost"]) for lot in taxed.stock()["lots"]] == [
        (10, 10_000),
        (10, 0),
    ]
    assert taxed.stock()["known"]

    taxed.remove_action(key)
    assert [lot["quantity"] for lot in taxed.stock()["lots"]] == [10]
    assert not taxed.stock()["known"]


def test_an_inferred_purchase_counts_with_its_price_and_is_marked(
    taxed: TaxDesk, database: Database
) -> None:
    made = taxed.trade("2025-01-03", OrderSide.BUY, 10, "1000")
    record(database, taxed.client_id, made, source=TradeSource.INFERRED)
    unpriced = taxed.trade("2025-02-03", OrderSide.SELL, 4, "1")
    gone = NewTrade(
        **{name: getattr(unpriced, name) for name in NewTrade.__slots__} | {"price": None}
    )
    record(database, taxed.client_id, gone, source=TradeSource.INFERRED)
    taxed.hold(("INFY", 6))

    stock = taxed.stock()

    assert [lot["source"] for lot in stock["lots"]] == ["INFERRED"]
    assert stock["reason"] == "NOT_MATCHED"


def test_the_price_of_2018_is_asked_for_and_then_used(taxed: TaxDesk) -> None:
    taxed.bought("2017-01-03", 10, "500")
    taxed.sold("2026-07-01", 10, "1600")
    taxed.hold(("SBIN", 1))
    assert taxed.gains()["disposals"][0]["reason"] == "NO_HIGH"

    high = {"isin": INFY.lower(), "high": 1158.5}
    assert taxed.desk.put("/admin/tax/highs-of-2018", high).status_code == 200

    (sale,) = taxed.gains()["disposals"]
    assert (sale["cost"], sale["gain"], sale["term"]) == (11_585, 4_415, "LONG")


def test_the_class_of_income_sets_the_surcharge(taxed: TaxDesk) -> None:
    taxed.bought("2026-06-03", 10, "1000")
    taxed.sold("2026-07-01", 10, "2000")
    taxed.hold(("SBIN", 1))
    assert taxed.gains()["tax"]["ways"][0]["tax"] == 2_080

    answer = taxed.desk.put(f"{taxed.path}/tax-class", {"income": "ABOVE_1_CRORE", "version": 0})

    assert data_of(answer) == {"income": "ABOVE_1_CRORE", "version": 1}
    assert taxed.gains()["tax"]["ways"][0]["tax"] == 2_392
    stale = taxed.desk.put(f"{taxed.path}/tax-class", {"income": None, "version": 0})
    assert stale.status_code == 409


def test_a_buyback_is_entered_by_hand(taxed: TaxDesk) -> None:
    taxed.bought("2024-01-03", 10, "1000")
    taxed.enter(kind="BUYBACK", isin=INFY, quantity=4, movedOn="2026-05-04", amount=7200)
    taxed.hold(("INFY", 6))

    (part,) = taxed.gains()["disposals"]
    assert (part["kind"], part["gain"]) == ("BUYBACK", 3_200)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"isin": "INFY"}, "Enter a valid ISIN, such as INE002A01018."),
        ({"boughtOn": None}, "Enter the day of purchase."),
        ({"boughtOn": "2026-12-31"}, "The day cannot be in the future."),
        (
            {"boughtOn": "2026-03-02", "movedOn": "2026-03-01"},
            "Shares cannot come in before their purchase.",
        ),
        (
            {"kind": "OUT", "boughtOn": None, "movedOn": "2026-03-01", "amount": 5},
            "A transfer has no amount. Enter a buyback or leave it out.",
        ),
    ],
)
def test_an_entry_that_cannot_be_is_refused(
    taxed: TaxDesk, fields: dict[str, Any], message: str
) -> None:
    lot = {"isin": INFY, "quantity": 3, "boughtOn": "2020-05-04", "amount": 2100}

    answer = taxed.desk.post(f"{taxed.path}/lots", lot | fields, **new_key())

    assert reply_of(answer) == (422, message)


def test_a_removed_entry_is_gone_and_the_entry_of_another_client_is_not_found(
    taxed: TaxDesk,
) -> None:
    entry = taxed.enter(isin=INFY, quantity=3, boughtOn="2020-05-04", amount=2100)
    other = taxed.desk.add_client("Meera Nair", "meera@home.example")
    own = f"/api/v1{taxed.path}/lots/{entry['_id']}"
    foreign = f"/api/v1/admin/clients/client/{other}/lots/{entry['_id']}"

    def remove(path: str) -> int:
        return taxed.desk.web.delete(path, headers=taxed.desk.headers).status_code

    assert (remove(foreign), remove(own), remove(own)) == (404, 200, 404)
    assert taxed.lots()["entries"] == []


def test_an_entry_is_changed_and_the_old_one_stays_in_the_database(
    taxed: TaxDesk, database: Database
) -> None:
    entry = taxed.enter(isin=INFY, quantity=3, boughtOn="2020-05-04", amount=2100)
    lot = {"isin": INFY, "quantity": 5, "boughtOn": "2020-05-04", "amount": 3500}

    changed = data_of(taxed.desk.put(f"{taxed.path}/lots/{entry['_id']}", lot))

    (row,) = taxed.lots()["entries"]
    assert (row["_id"], row["quantity"]) == (changed["_id"], 5)
    assert scalar(database, select(func.count()).select_from(LotEntry)) == 2
    # Somebody who still sees the first one does not change it a second time.
    again = taxed.desk.put(f"{taxed.path}/lots/{entry['_id']}", lot)
    assert reply_of(again) == (404, "This entry is not there. Reload the list.")
    bad = taxed.desk.put(f"{taxed.path}/lots/{changed['_id']}", lot | {"boughtOn": None})
    assert reply_of(bad) == (422, "Enter the day of purchase.")
    assert [row["quantity"] for row in taxed.lots()["entries"]] == [5]


@pytest.mark.parametrize("year", ["2017-18", "2027-28", "2026", "2026-28"])
def test_a_year_that_is_none_is_refused(taxed: TaxDesk, year: str) -> None:
    assert taxed.desk.get(f"{taxed.path}/gains", year=year).status_code == 422


def test_the_year_of_two_rates_has_gains_but_no_tax(taxed: TaxDesk) -> None:
    taxed.bought("2024-04-03", 10, "1000")
    taxed.sold("2024-06-03", 10, "1100")
    taxed.hold(("SBIN", 1))

    year = taxed.gains("2024-25")

    assert (year["realised"]["shortGain"], year["tax"]) == (1_000, None)


@pytest.mark.parametrize("what", ["lots", "gains"])
def test_lots_and_gains_are_exported(taxed: TaxDesk, what: str) -> None:
    taxed.bought("2026-06-03", 10, "1000")
    taxed.sold("2026-07-01", 4, "2000")
    taxed.hold(("INFY", 6))

    text = taxed.desk.get(f"{taxed.path}/{what}/export", format="csv").text

    assert "INFY" in text
    assert ("6000.00" if what == "lots" else "4000.00") in text
    workbook = taxed.desk.get(f"{taxed.path}/{what}/export", format="xlsx")
    assert workbook.status_code == 200


def test_staircases_are_given_to_a_rebalance(taxed: TaxDesk, database: Database) -> None:
    taxed.bought("2024-01-03", 10, "1000")
    taxed.hold(("INFY", 10), ("SBIN", 5))

    with database.reading() as session:
        prices = {INFY: Decimal(1500), SBIN: Decimal(700)}
        steps = tax.staircases(session, uuid.UUID(taxed.client_id), prices, clock.now())
        gains, unknown = tax.gains_of_sales(steps, {INFY: 4, SBIN: 1})

    assert steps[SBIN] is None
    (step,) = steps[INFY] or ()
    assert (step.shares, step.is_long_term, float(step.tax)) == (10, True, 65.0)
    assert (float(gains.long_gain), unknown) == (2_000, [SBIN])
