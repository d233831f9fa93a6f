"""The firm's totals are kept up, and always equal the rows."""

from collections import defaultdict
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.errors import UnfitHolding
from tarazu.portfolio.service import Funds, NewHolding, Statement
from tests.people_of import Desk

pytestmark = pytest.mark.on_both

SYMBOLS = ("INFY", "TCS", "ITC", "LT")

holdings = st.dictionaries(
    st.sampled_from(SYMBOLS),
    st.builds(
        NewHolding,
        st.integers(1, 10**6),
        st.decimals("0", "99999", places=4, allow_nan=False, allow_infinity=False),
    ),
)
cash = st.decimals("-1000000", "1000000", places=2, allow_nan=False, allow_infinity=False)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("holdings"), st.integers(0, 2), holdings),
        st.tuples(st.just("statement"), st.integers(0, 2), holdings),
        st.tuples(st.just("cash"), st.integers(0, 2), cash),
        st.tuples(st.just("counted"), st.integers(0, 2), st.booleans()),
    ),
    max_size=12,
)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=acts)
def test_totals_equal_the_rows_of_counted_clients(
    admin: Desk, database: Database, steps: list[tuple[str, int, object]]
) -> None:
    mark = clock.now().timestamp()
    clients = [UUID(admin.add_client(f"C {n}", f"{n}-{mark}@home.example")) for n in range(3)]
    before = _totals(database)
    held: dict[int, dict[str, NewHolding]] = defaultdict(dict)
    money: dict[int, Decimal] = defaultdict(Decimal)
    counted = dict.fromkeys(range(3), True)

    for kind, who, value in steps:
        with database.transaction() as session:
            if kind in {"holdings", "statement"}:
                held[who] = value  # type: ignore[assignment]
                new = {
                    instruments.by_symbol(session, "NSE", symbol).id: holding
                    for symbol, holding in held[who].items()
                }
                if kind == "holdings":
                    portfolio.replace_holdings(
                        session, SYSTEM, clock.now(), clients[who], new, "TEST"
                    )
                else:
                    money[who] = Decimal(len(new))
                    told = {clients[who]: Statement(new, money[who])}
                    portfolio.take_statements(session, clock.now(), told, "TEST")
            elif kind == "cash":
                money[who] = value  # type: ignore[assignment]
                funds = Funds(money[who], money[who], Decimal(0))
                portfolio.set_funds(session, SYSTEM, clock.now(), clients[who], funds)
            else:
                counted[who] = bool(value)
                portfolio.count_in_totals(session, clock.now(), clients[who], counted=counted[who])

    after = _totals(database)
    live = [who for who in range(3) if counted[who]]
    assert after["cash"] - before["cash"] == sum((money[who] for who in live), Decimal(0))
    for symbol in SYMBOLS:
        rows = [held[who][symbol] for who in live if symbol in held[who]]
        quantity, invested = (
            new - old for new, old in zip(after[symbol], before[symbol], strict=True)
        )
        assert quantity == sum(row.quantity for row in rows)
        assert invested == sum((r.quantity * r.average_price for r in rows), Decimal(0))
    with database.transaction() as session:
        for client_id in clients:
            portfolio.replace_holdings(session, SYSTEM, clock.now(), client_id, {}, "TEST")


def test_the_same_holdings_again_change_nothing(admin: Desk, database: Database) -> None:
    client_id = UUID(admin.add_client())
    with database.transaction() as session:
        stock = instruments.by_symbol(session, "NSE", "INFY").id
        new = {stock: NewHolding(5, Decimal("100.5"))}
        first = portfolio.replace_holdings(session, SYSTEM, clock.now(), client_id, new, "A")
        again = portfolio.replace_holdings(session, SYSTEM, clock.now(), client_id, new, "A")

    assert not first.is_empty
    assert again.is_empty


@pytest.mark.parametrize(
    "unfit",
    [
        NewHolding(0, Decimal(1)),
        NewHolding(-5, Decimal(1)),
        NewHolding(5, Decimal(-1)),
        NewHolding(5, Decimal("NaN")),
        NewHolding(5, Decimal(1), pledged=6),
        NewHolding(10**9, Decimal(10**7)),
    ],
)
def test_holdings_that_cannot_be_are_refused(
    admin: Desk, database: Database, unfit: NewHolding
) -> None:
    client_id = UUID(admin.add_client())

    with database.transaction() as session:
        new = {instruments.by_symbol(session, "NSE", "INFY").id: unfit}
        with pytest.raises(UnfitHolding):
            portfolio.replace_holdings(session, SYSTEM, clock.now(), client_id, new, "A")

    with database.reading() as session:
        assert portfolio.stocks_of(session, client_id) == []


def _totals(database: Database) -> dict[str, Any]:
    with database.reading() as session:
        by_id = {stock_sum.instrument_id: stock_sum for stock_sum in portfolio.stock_sums(session)}
        totals: dict[str, Any] = {"cash": portfolio.firm_counts(session)[1]}
        for symbol in SYMBOLS:
            found = by_id.get(instruments.by_symbol(session, "NSE", symbol).id)
            totals[symbol] = (found.quantity, found.invested) if found else (0, Decimal(0))
    return totals
