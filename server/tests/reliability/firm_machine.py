"""Does the same to the product, over HTTP, and to the model; after every step both must show the same."""

import datetime as dt
import json
import uuid
from contextlib import ExitStack
from decimal import Decimal
from typing import Any

from fastapi import FastAPI
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.prices import service as prices
from tests.imports.files import firm as firm_file
from tests.imports.files import kite
from tests.people_of import Desk
from tests.reliability.firm_model import ZERO, Client, Fee, Figures, Firm, Flow, Schedule
from tests.reliability.new_firms import NewFirm

TODAY = clock.today()
SYMBOLS = ("INFY", "TCS", "RELIANCE", "ITC")
SENT_FIELDS = (
    "type", "symbol", "exchange", "product", "quantity", "instrumentToken",
    "allocationPercentage", "possibleAllocationPercentage", "drift", "message", "ltp",
    "currentInvestmentValue", "additionalInvestmentValue", "projectedInvestmentValue",
)  # fmt: skip

amounts = st.decimals("0.01", "5000000", places=2)
values = st.decimals("1", "90000000", places=2)
averages = st.decimals("0.05", "9000", places=4)
quotes = st.decimals("0.05", "9000", places=2)
shares_of_gain = st.decimals("0", "50", places=2)
days = st.dates(TODAY - dt.timedelta(days=500), TODAY)
later = st.integers(0, 300).map(lambda days: dt.timedelta(days=days))
holdings = st.dictionaries(
    st.sampled_from(SYMBOLS), st.tuples(st.integers(1, 5000), averages), min_size=1
)


def read(answer: Any) -> Any:
    """The body of an answer with its numbers as they are written, exact."""
    return json.loads(answer.text, parse_float=Decimal)


def differences(wanted: Figures, shown: Figures) -> dict[str, tuple[object, object]]:
    """Figures that are not as the model has them: what it has, and what is shown."""
    return {name: (told, shown[name]) for name, told in wanted.items() if shown[name] != told}


def refuse_differences(wanted: Figures, shown: Figures, where: str) -> None:
    found = differences(wanted, shown)
    assert not found, (where, found)


class FirmMachine(RuleBasedStateMachine):
    """Accounting, fees, imports and advice of a small firm.

    Every rule ends with a client that it touched; the invariants look at the firm as a whole and
    at that client in detail, and at the end at every client.
    """

    new_firm: NewFirm
    clients = Bundle("clients")
    flows = Bundle("flows")
    fees = Bundle("fees")

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.desk: Desk = self.stack.enter_context(type(self).new_firm())
        self.touched: str | None = None
        kept = self._get("/settings/fee-schedule")["inForce"]
        share = Decimal(str(kept["slabs"][0]["percentage"]))
        first = (dt.date.fromisoformat(kept["effectiveOn"]), Schedule(share, share))
        self.firm = Firm(first, {symbol: self._known_price(symbol) for symbol in SYMBOLS})
        # The closes that come with the product are too old to advise at.
        for symbol, price in self.firm.prices.items():
            self._tell_price(symbol, price)

    def teardown(self) -> None:
        try:
            for client_id in self.firm.listed():
                self._check_client(client_id)
            assert self._get("/admin/audit/verify")["holds"]
        finally:
            self.stack.close()

    # -------------------------------------------------------------------------------- clients

    @initialize(target=clients)
    def begin(self) -> str:
        return self._new_client()

    @precondition(lambda self: len(self.firm.clients) < 3)
    @rule(target=clients)
    def add_client(self) -> str:
        return self._new_client()

    def _new_client(self) -> str:
        number = len(self.firm.clients) + 1
        self.touched = self.desk.add_client(f"Client {number}", f"client{number}@home.example")
        self.firm.clients[self.touched] = Client(f"C{number:04}")
        return self.touched

    @rule(client_id=clients, capital=amounts)
    def set_capital(self, client_id: str, capital: Decimal) -> None:
        answer = self._post(client_id, "starting-capital", {"amount": float(capital)})
        if self._was_let(client_id, answer, 200):
            self.firm.clients[client_id].capital = capital

    @rule(client_id=clients, day=days)
    def set_start(self, client_id: str, day: dt.date) -> None:
        answer = self._post(client_id, "starting-date", {"startingDate": day.isoformat()})
        if self._was_let(client_id, answer, 200):
            self.firm.clients[client_id].started_on = day

    @rule(client_id=clients, cash=amounts, day=days)
    def enter_cash(self, client_id: str, cash: Decimal, day: dt.date) -> None:
        answer = self._put(client_id, "cash", {"amount": float(cash), "asOf": day.isoformat()})
        if self._was_let(client_id, answer, 200):
            one = self.firm.clients[client_id]
            one.hand_cash, one.is_read = (cash, day), True

    @rule(client_id=clients, is_active=st.booleans())
    def set_status(self, client_id: str, is_active: bool) -> None:
        body = {"id": client_id, "status": "ACTIVE" if is_active else "INACTIVE"}
        if self._was_let(client_id, self.desk.put("/clients/edit", body), 200):
            self.firm.clients[client_id].is_active = is_active

    @rule(client_id=clients)
    def delete_or_restore_client(self, client_id: str) -> None:
        one = self.firm.clients[client_id]
        if one.is_deleted:
            answer = self.desk.post(f"/admin/clients/{client_id}/restore")
        else:
            answer = self.desk.post("/clients/delete", {"clientId": client_id})
        assert answer.status_code == 200, answer.text
        one.is_deleted = not one.is_deleted
        self.touched = client_id

    # -------------------------------------------------------------------------------- accounting

    @rule(target=flows, client_id=clients, day=days, amount=amounts, is_added=st.booleans())
    def record_flow(
        self, client_id: str, day: dt.date, amount: Decimal, is_added: bool
    ) -> tuple[str, str]:
        answer = self._post(client_id, "accounting/transaction", self._flow(day, amount, is_added))
        if not self._was_let(client_id, answer, 201):
            return client_id, ""
        flow_id = str(answer.json()["data"]["_id"])
        self.firm.clients[client_id].flows[flow_id] = Flow(day, amount, is_added)
        return client_id, flow_id

    @rule(place=flows, day=days, amount=amounts, is_added=st.booleans(), stale=st.integers(0, 3))
    def change_flow(
        self, place: tuple[str, str], day: dt.date, amount: Decimal, is_added: bool, stale: int
    ) -> None:
        client_id, flow_id = place
        kept = self.firm.clients[client_id].flows.get(flow_id)
        if kept is None:
            return
        version = kept.version + (1 if stale == 0 else 0)
        body = self._flow(day, amount, is_added) | {"transactionId": flow_id, "version": version}
        answer = self._put(client_id, "accounting/transaction", body)
        if self._was_done(client_id, answer, kept, is_stale=stale == 0):
            kept.date, kept.amount, kept.is_added = day, amount, is_added
            kept.version += 1

    @rule(place=flows)
    def delete_or_restore_flow(self, place: tuple[str, str]) -> None:
        client_id, flow_id = place
        kept = self.firm.clients[client_id].flows.get(flow_id)
        if kept is None:
            return
        if kept.is_deleted:
            answer = self.desk.post(f"/admin/transactions/{flow_id}/restore")
        else:
            body = {"transactionId": flow_id, "version": kept.version}
            answer = self._post(client_id, "accounting/transaction/delete", body)
        if self._was_let(client_id, answer, 200):
            kept.is_deleted = not kept.is_deleted
            kept.version += 1

    @staticmethod
    def _flow(day: dt.date, amount: Decimal, is_added: bool) -> dict[str, Any]:
        kind = "FUNDS_ADDED" if is_added else "FUNDS_WITHDRAWN"
        return {"date": day.isoformat(), "amount": float(amount), "type": kind}

    # -------------------------------------------------------------------------------- fees

    @rule(day=days, low=shares_of_gain, high=shares_of_gain)
    def set_schedule(self, day: dt.date, low: Decimal, high: Decimal) -> None:
        slabs = [{"from": 0, "percentage": float(low)}, {"from": 10, "percentage": float(high)}]
        body = {"effectiveOn": day.isoformat(), "kind": "SLABS", "slabs": slabs}
        answer = self.desk.put("/settings/fee-schedule", body)
        if self.firm.is_used(day):
            assert answer.status_code == 409, answer.text
        else:
            assert answer.status_code == 200, answer.text
            self.firm.schedules[day] = Schedule(low, high)

    @rule(
        target=fees, client_id=clients, day=days, length=st.none() | later,
        start=values, end=values,
    )  # fmt: skip
    def add_fee(
        self,
        client_id: str,
        day: dt.date,
        length: dt.timedelta | None,
        start: Decimal,
        end: Decimal,
    ) -> tuple[str, str]:
        final_on = day + length if length is not None else None
        body = {
            "startingDate": day.isoformat(),
            "finalDate": final_on.isoformat() if final_on else "",
            "startingValue": float(start),
            "finalValue": float(end),
        }
        answer, one = self._post(client_id, "fees", body), self.firm.clients[client_id]
        until = final_on or TODAY
        if one.overlaps(day, until) and not one.is_deleted:
            assert answer.status_code == 422, answer.text
            return client_id, ""
        if not self._was_let(client_id, answer, 201):
            return client_id, ""
        fee_id = str(answer.json()["data"]["_id"])
        fee = Fee(day, final_on, final_on, start, end, self.firm.schedule_on(day))
        fee.counted_until = until
        fee.net_flows = one.inside(fee)
        one.fees[fee_id] = fee
        return client_id, fee_id

    @rule(place=fees, is_paid=st.booleans(), back=later, stale=st.integers(0, 3))
    def settle_fee(
        self, place: tuple[str, str], is_paid: bool, back: dt.timedelta, stale: int
    ) -> None:
        client_id, fee_id = place
        kept = self.firm.clients[client_id].fees.get(fee_id)
        if kept is None:
            return
        version = kept.version + (1 if stale == 0 else 0)
        body = {"feeId": fee_id, "status": "PAID" if is_paid else "DUE", "version": version}
        if is_paid:
            body["paidDate"] = (TODAY - back).isoformat()
        answer = self._put(client_id, "fees", body)
        is_early = is_paid and TODAY - back < kept.starting_on and stale != 0
        if is_early and not (kept.is_deleted or self.firm.clients[client_id].is_deleted):
            assert answer.status_code == 422, answer.text
        elif self._was_done(client_id, answer, kept, is_stale=stale == 0):
            kept.is_paid, kept.paid_on = is_paid, TODAY - back if is_paid else None
            kept.version += 1

    @rule(place=fees, length=later)
    def end_fee_on_another_day(self, place: tuple[str, str], length: dt.timedelta) -> None:
        client_id, fee_id = place
        one = self.firm.clients[client_id]
        kept = one.fees.get(fee_id)
        if kept is None:
            return
        final_on = kept.starting_on + length
        body = {"feeId": fee_id, "finalDate": final_on.isoformat()}
        answer = self._put(client_id, "fees", body)
        if kept.is_paid and kept.final_on != final_on and not (kept.is_deleted or one.is_deleted):
            assert answer.status_code == 409, answer.text
        elif one.overlaps(kept.starting_on, final_on, kept) and not (
            kept.is_deleted or one.is_deleted
        ):
            assert answer.status_code == 422, answer.text
        elif self._was_done(client_id, answer, kept):
            if kept.final_on != final_on:
                kept.final_on = kept.counted_until = final_on
                kept.net_flows = one.inside(kept)
            kept.due_on = kept.due_on or final_on
            kept.version += 1

    @rule(place=fees)
    def delete_or_restore_fee(self, place: tuple[str, str]) -> None:
        client_id, fee_id = place
        kept = self.firm.clients[client_id].fees.get(fee_id)
        if kept is None:
            return
        if kept.is_deleted:
            answer = self.desk.post(f"/admin/fees/{fee_id}/restore")
        else:
            body = {"feeId": fee_id, "version": kept.version}
            answer = self._post(client_id, "fees/delete", body)
        one = self.firm.clients[client_id]
        is_back = kept.is_deleted and not one.is_deleted
        if is_back and one.overlaps(kept.starting_on, kept.counted_until):
            assert answer.status_code == 422, answer.text
        elif self._was_let(client_id, answer, 200):
            kept.is_deleted = not kept.is_deleted
            kept.version += 1

    # -------------------------------------------------------------------------------- holdings files

    @rule(client_id=clients, held=holdings, is_trial=st.booleans())
    def import_holdings(
        self, client_id: str, held: dict[str, tuple[int, Decimal]], is_trial: bool
    ) -> None:
        one = self.firm.clients[client_id]
        content = kite(*((name, count, float(cost)) for name, (count, cost) in held.items()))
        answer = self._upload(content, is_trial, clientId=client_id)
        if not one.is_active and not one.is_deleted:
            assert answer.status_code == 422, answer.text
            return
        if not self._was_let(client_id, answer, 200):
            return
        counts = answer.json()["data"]["counts"]
        before = one.shares
        assert {name: counts[name] for name in ("added", "changed", "removed", "unchanged")} == {
            "added": len(held.keys() - before.keys()),
            "changed": sum(name in before and before[name] != held[name] for name in held),
            "removed": len(before.keys() - held.keys()),
            "unchanged": sum(before.get(name) == held[name] for name in held),
        }
        if not is_trial:
            one.shares, one.is_read = dict(held), True

    @rule(held=holdings, cash=amounts, is_refused=st.booleans())
    def import_for_the_firm(
        self, held: dict[str, tuple[int, Decimal]], cash: Decimal, is_refused: bool
    ) -> None:
        """One file for every client, with cash; a row of nobody, or of one inactive, stops it all."""
        listed = self.firm.listed()
        lines = [
            f"{one.code},NSE,{name},,{count},{cost},"
            for one in listed.values()
            for name, (count, cost) in held.items()
        ]
        lines += [f"{one.code},,CASH,,,,{cash}" for one in listed.values()]
        if is_refused:
            lines.append("C0999,NSE,INFY,,1,1,")
        if not lines:
            return
        answer = self._upload(firm_file(*lines), is_trial=False)
        if is_refused or not all(one.is_active for one in listed.values()):
            assert answer.status_code == 422, answer.text
            return
        assert answer.status_code == 200, answer.text
        for one in listed.values():
            one.shares, one.told_cash, one.hand_cash, one.is_read = dict(held), cash, None, True

    @rule(symbol=st.sampled_from(SYMBOLS), price=quotes)
    def price_moves(self, symbol: str, price: Decimal) -> None:
        self._tell_price(symbol, price)
        self.firm.prices[symbol] = price

    def _tell_price(self, symbol: str, price: Decimal) -> None:
        # Prices come from a feed, which no call of the API is.
        app = self.desk.web.app
        assert isinstance(app, FastAPI)
        with app.state.database.reading() as session:
            token = instruments.by_symbol(session, "NSE", symbol).instrument_token
            prices.record_prices(session, {token: price}, clock.now(), "SIMULATED")

    # -------------------------------------------------------------------------------- advice

    @rule(client_id=clients, shares=st.lists(st.integers(0, 30), min_size=3, max_size=3))
    def send_advice(self, client_id: str, shares: list[int]) -> None:
        one = self.firm.clients[client_id]
        worth = self.firm.worth([one]) + one.cash
        if one.is_deleted or not one.is_active or worth < 100_000:
            return
        wanted = dict(zip((*SYMBOLS[:3], "CASH"), [*shares, 100 - sum(shares)], strict=True))
        wish = {
            "clientId": client_id,
            "clientName": "whoever",
            "targetInvestmentValue": float(round(worth, 2)),
            "targetHoldings": [
                {"tradingSymbol": name, "exchange": "NSE", "allocationPercentage": share}
                for name, share in wanted.items()
            ],
        }
        found = self.desk.post("/admin/advice/rebalance-portfolio", wish)
        assert found.status_code == 200, found.text
        body = self._advice_of(client_id, float(round(worth, 2)), read(found))
        if body is None:
            return
        key = str(uuid.uuid4())
        first, again = (
            self.desk.post("/admin/advice/create", body, **{"Idempotency-Key": key})
            for _ in range(2)
        )
        assert first.status_code == 201, first.text
        assert (again.status_code, again.json()) == (201, first.json())
        assert again.headers["Idempotent-Replayed"] == "true"
        body["_id"] = first.json()["data"]["_id"]
        one.advice.insert(0, body)
        self.touched = client_id

    def _advice_of(self, client_id: str, worth: float, found: Any) -> dict[str, Any] | None:
        traded = [row for row in found["data"] if row["type"] != "HOLD"]
        if not traded:
            return None
        sums = {
            side: sum(
                (Decimal(str(r["projectedInvestmentValue"])) for r in traded if r["type"] == side),
                ZERO,
            )
            for side in ("BUY", "SELL")
        }
        for row in traded:
            price = Decimal(str(row["ltp"]))
            assert price == self.firm.prices[row["symbol"]]
        return {
            "userId": client_id,
            "totalStocks": len(traded),
            "totalInvestedValue": worth,
            "totalBuyValue": float(sums["BUY"]),
            "totalSellValue": float(sums["SELL"]),
            "stocks": [{name: self._plain(row[name]) for name in SENT_FIELDS} for row in traded],
            "rebalanceId": found["rebalanceId"],
        }

    @staticmethod
    def _plain(value: Any) -> Any:
        return float(value) if isinstance(value, Decimal) else value

    # -------------------------------------------------------------------------------- what is shown

    @invariant()
    def the_firm_shows_what_the_model_holds(self) -> None:
        firm = self.firm
        if not firm.clients:
            return
        refuse_differences(firm.stats(), self._get("/admin/dashboard/stats"), "dashboard")
        refuse_differences(firm.fee_stats(), self._get("/fees/stats"), "fees")
        self._check_rows(firm.client_list(), self._rows("/admin/clients", "_id"))
        self._check_rows(firm.fee_overview(), self._rows("/fees", "_id"))
        shares = self._rows("/admin/dashboard/stocks-distribution", "symbol")
        self._check_rows(firm.distribution(), shares)

    @invariant()
    def the_client_shows_what_the_model_holds(self) -> None:
        if self.touched is not None:
            self._check_client(self.touched)

    def _check_client(self, client_id: str) -> None:
        one, path = self.firm.clients[client_id], f"/admin/clients/client/{client_id}"
        if one.is_deleted:
            for part in ("portfolio", "holdings", "accounting", "fees"):
                assert self.desk.get(f"{path}/{part}").status_code == 404
            return
        refuse_differences(self.firm.portfolio(one), self._get(f"{path}/portfolio"), "portfolio")
        self._check_rows(self.firm.holdings(one), self._rows(f"{path}/holdings", "tradingSymbol"))
        fees = {
            key: fee.shown() | {"flowsChanged": fee.changed(one.inside(fee))}
            for key, fee in one.live_fees().items()
        }
        self._check_rows(fees, self._rows(f"{path}/fees", "_id"))
        flows: dict[str, Figures] = {
            key: {
                "date": flow.date.isoformat(),
                "amount": flow.amount,
                "type": "FUNDS_ADDED" if flow.is_added else "FUNDS_WITHDRAWN",
                "version": flow.version,
            }
            for key, flow in one.live_flows().items()
        }
        self._check_rows(flows, self._rows(f"{path}/accounting", "_id"))
        assert self._get(f"{path}/starting-value") == one.starting_value_on(TODAY)
        self._check_advice(client_id, one)

    def _check_advice(self, client_id: str, one: Client) -> None:
        kept = self._get(f"/admin/advice/clients/{client_id}")
        assert [row["_id"] for row in kept] == [body["_id"] for body in one.advice]
        for row, body in zip(kept, one.advice, strict=True):
            for name in ("totalStocks", "totalInvestedValue", "totalBuyValue", "totalSellValue"):
                assert row[name] == Decimal(str(body[name])), (name, row, body)
            for side, total in (("BUY", "totalBuyValue"), ("SELL", "totalSellValue")):
                parts = [s["projectedInvestmentValue"] for s in row["stocks"] if s["type"] == side]
                assert sum(parts, ZERO) == row[total]

    # -------------------------------------------------------------------------------- calls

    def _was_let(self, client_id: str, answer: Any, status: int) -> bool:
        """Whether it was done: a deleted client, and what belongs to it, is not there."""
        is_gone = self.firm.clients[client_id].is_deleted
        assert answer.status_code == (404 if is_gone else status), answer.text
        self.touched = client_id
        return not is_gone

    def _was_done(
        self, client_id: str, answer: Any, kept: Flow | Fee, *, is_stale: bool = False
    ) -> bool:
        """The same for a record, which may be deleted itself, or seen in an older state."""
        self.touched = client_id
        if kept.is_deleted or self.firm.clients[client_id].is_deleted:
            assert answer.status_code == 404, answer.text
            return False
        assert answer.status_code == (409 if is_stale else 200), answer.text
        return not is_stale

    def _known_price(self, symbol: str) -> Decimal:
        # A fresh installation knows the closes that come with its list of instruments.
        body = {"symbolName": symbol, "exchange": "NSE"}
        answer = self.desk.post("/instruments/add", body)
        assert answer.status_code == 200, answer.text
        return Decimal(str(read(answer)["data"]["ltp"]))

    def _get(self, path: str) -> Any:
        answer = self.desk.get(path)
        assert answer.status_code == 200, answer.text
        return read(answer)["data"]

    def _rows(self, path: str, key: str) -> dict[str, Figures]:
        return {row[key]: row for row in self._get(path)}

    def _post(self, client_id: str, part: str, body: Any) -> Any:
        return self.desk.post(f"/admin/clients/client/{client_id}/{part}", body)

    def _put(self, client_id: str, part: str, body: Any) -> Any:
        return self.desk.put(f"/admin/clients/client/{client_id}/{part}", body)

    def _upload(self, content: bytes, is_trial: bool, **fields: str) -> Any:
        dry_run = "true" if is_trial else "false"
        return self.desk.upload(
            "/admin/clients/import", "holdings.csv", content, dryRun=dry_run, **fields
        )

    @staticmethod
    def _check_rows(wanted: dict[str, Figures], shown: dict[str, Figures]) -> None:
        assert wanted.keys() == shown.keys(), (wanted.keys(), shown.keys())
        for key, figures in wanted.items():
            refuse_differences(figures, shown[key], key)
