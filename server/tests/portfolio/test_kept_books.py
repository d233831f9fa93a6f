"""Whatever staff do over HTTP, the sums that are kept up equal the rows they are of."""

import uuid
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select
from sqlalchemy.orm import Session

from tarazu.fees.tables import Fee, FeeStatus
from tarazu.kit.db import Database
from tarazu.people.tables import Person, Role, Status
from tarazu.portfolio.tables import Account, CashFlow, FirmTotal, FlowType, Holding, StockTotal
from tests.fees.desks import fees_path
from tests.people_of import Desk, new_key

FIRM_HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash\n"
DAYS = [f"2025-{month:02d}-15" for month in range(1, 13)]

places = st.integers(0, 3)
flows = st.fixed_dictionaries(
    {
        "date": st.sampled_from(DAYS),
        "amount": st.integers(0, 10**9).map(lambda paise: paise / 100),
        "type": st.sampled_from(list(FlowType)).map(str),
    }
)
lines = st.lists(
    st.tuples(
        st.sampled_from(["INFY", "TCS", "ITC"]), st.integers(1, 10**5), st.integers(1, 10**7)
    ),
    unique_by=lambda line: line[0],
    max_size=3,
)


class Office(RuleBasedStateMachine):
    """One installation on which staff do as they like; each run of the machine adds clients."""

    admin: Desk
    database: Database

    def __init__(self) -> None:
        super().__init__()
        self.clients: list[tuple[str, str]] = []
        self.flows: list[tuple[str, str]] = []
        self.fees: list[tuple[str, str]] = []

    @initialize(flow=flows)
    def begin(self, flow: dict[str, Any]) -> None:
        for place in range(2):
            self.add_client()
            self.import_a_file(place, [("INFY", 10, 100_050), ("ITC", 7, 41_000)], 12_345)
            self.add_flow(place, flow)
            self.add_fee(place, 1_500_000)

    def add_client(self) -> None:
        person = {"name": "Kavya Menon", "email": f"{uuid.uuid4().hex}@home.example"}
        (added,) = self.admin.post("/clients/add", {"clients": [person]}).json()["data"]
        self.clients.append((added["_id"], added["clientId"]))

    @rule(place=places, held=lines, cash=st.none() | st.integers(-(10**8), 10**8))
    def import_a_file(self, place: int, held: list[Any], cash: int | None) -> None:
        code = self._pick(self.clients, place)[1]
        rows = [
            f"{code},NSE,{symbol},,{quantity},{paise / 100:.2f},\n"
            for symbol, quantity, paise in held
        ]
        if cash is not None or not rows:
            rows.append(f"{code},,CASH,,,,{(cash or 0) / 100:.2f}\n")
        content = (FIRM_HEADER + "".join(rows)).encode()
        self.admin.upload("/admin/clients/import", "firm.csv", content, dryRun="false")

    @rule()
    def load_the_sample_client(self) -> None:
        answer = self.admin.post("/admin/clients/sample", **new_key()).json()["data"]
        if (answer["_id"], answer["clientId"]) not in self.clients:
            self.clients.append((answer["_id"], answer["clientId"]))

    @rule(place=places, status=st.sampled_from(["ACTIVE", "INACTIVE"]))
    def set_status(self, place: int, status: str) -> None:
        client_id, _ = self._pick(self.clients, place)
        self.admin.put("/clients/edit", {"id": client_id, "status": status})

    @rule(place=places)
    def delete_client(self, place: int) -> None:
        self.admin.post("/clients/delete", {"clientId": self._pick(self.clients, place)[0]})

    @rule(place=places)
    def restore_client(self, place: int) -> None:
        self.admin.post(f"/admin/clients/{self._pick(self.clients, place)[0]}/restore")

    @rule(place=places, flow=flows)
    def add_flow(self, place: int, flow: dict[str, Any]) -> None:
        client_id, _ = self._pick(self.clients, place)
        answer = self.admin.post(f"{self._accounting(client_id)}/transaction", flow)
        if answer.status_code == 201:
            self.flows.append((client_id, answer.json()["data"]["_id"]))

    @rule(place=places, flow=flows)
    def change_flow(self, place: int, flow: dict[str, Any]) -> None:
        if self.flows:
            client_id, flow_id = self._pick(self.flows, place)
            body = {**flow, "transactionId": flow_id}
            self.admin.put(f"{self._accounting(client_id)}/transaction", body)

    @rule(place=places, is_back=st.booleans())
    def delete_flow(self, place: int, is_back: bool) -> None:
        if self.flows:
            client_id, flow_id = self._pick(self.flows, place)
            path = f"{self._accounting(client_id)}/transaction/delete"
            self.admin.post(path, {"transactionId": flow_id})
            if is_back:
                self.admin.post(f"/admin/transactions/{flow_id}/restore")

    @rule(place=places, day=st.sampled_from(DAYS))
    def move_the_start(self, place: int, day: str) -> None:
        client_id, _ = self._pick(self.clients, place)
        path = f"/admin/clients/client/{client_id}/starting-date"
        self.admin.post(path, {"startingDate": day})

    @rule(place=places, final=st.integers(0, 5_000_000))
    def add_fee(self, place: int, final: int) -> None:
        client_id, _ = self._pick(self.clients, place)
        body = {
            "startingDate": "2025-04-01",
            "finalDate": "2026-03-31",
            "startingValue": 1_000_000,
            "finalValue": final,
        }
        answer = self.admin.post(fees_path(client_id), body)
        if answer.status_code == 201:
            self.fees.append((client_id, answer.json()["data"]["_id"]))

    @rule(place=places, status=st.sampled_from(["PAID", "DUE"]))
    def settle_fee(self, place: int, status: str) -> None:
        if self.fees:
            client_id, fee_id = self._pick(self.fees, place)
            self.admin.put(fees_path(client_id), {"feeId": fee_id, "status": status})

    @rule(place=places)
    def delete_fee(self, place: int) -> None:
        if self.fees:
            client_id, fee_id = self._pick(self.fees, place)
            self.admin.post(f"{fees_path(client_id)}/delete", {"feeId": fee_id})

    @invariant()
    def kept_sums_are_those_of_the_rows(self) -> None:
        with self.database.reading() as session:
            _compare_firm(session)
            compare_flows(session)
            earned = _sum(
                fee.amount or Decimal(0)
                for fee in session.execute(select(Fee)).scalars()
                if fee.deleted_at is None and fee.status == FeeStatus.PAID
            )
        data = self.admin.get("/admin/dashboard/stats").json()["data"]
        assert data["fees"] == float(round(earned, 2))

    @staticmethod
    def _pick(known: list[tuple[str, str]], place: int) -> tuple[str, str]:
        return known[place % len(known)]

    @staticmethod
    def _accounting(client_id: str) -> str:
        return f"/admin/clients/client/{client_id}/accounting"


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    return sum(amounts, Decimal(0))


def _compare_firm(session: Session) -> None:
    counted = {
        person.id
        for person in session.execute(select(Person)).scalars()
        if (person.role, person.status, person.deleted_at) == (Role.CLIENT, Status.ACTIVE, None)
    }
    accounts = session.execute(select(Account)).scalars().all()
    (total,) = session.execute(select(FirmTotal)).scalars()
    assert {account.client_id for account in accounts if account.is_counted} == counted
    assert total.clients == len(counted)
    assert total.net == _sum(account.net for account in accounts if account.client_id in counted)
    held: dict[uuid.UUID, tuple[int, Decimal]] = defaultdict(lambda: (0, Decimal(0)))
    for row in session.execute(select(Holding)).scalars():
        if row.client_id in counted:
            quantity, invested = held[row.instrument_id]
            cost = row.quantity * row.average_price
            held[row.instrument_id] = (quantity + row.quantity, invested + cost)
    rows = session.execute(select(StockTotal)).scalars()
    assert {
        row.instrument_id: (row.quantity, row.invested) for row in rows if row.quantity
    } == dict(held)


def compare_flows(session: Session) -> None:
    """The stored sums of each account are those of its live cash flows since the start."""
    rows = session.execute(select(CashFlow)).scalars().all()
    for account in session.execute(select(Account)).scalars():
        counting = [
            row
            for row in rows
            if row.client_id == account.client_id
            and row.deleted_at is None
            and (account.started_on is None or row.date >= account.started_on)
        ]
        added, withdrawn = (
            _sum(row.amount for row in counting if row.type == kind)
            for kind in (FlowType.FUNDS_ADDED, FlowType.FUNDS_WITHDRAWN)
        )
        assert (account.funds_added, account.funds_withdrawn) == (added, withdrawn)


@pytest.mark.on_both(suite="long")
def test_kept_sums_equal_the_rows_whatever_staff_do(admin: Desk, database: Database) -> None:
    class Here(Office):
        pass

    Here.admin, Here.database = admin, database
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=15,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
        ),
    )
