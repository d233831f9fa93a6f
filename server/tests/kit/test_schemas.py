"""Plain rows are on the wire what a model of the same values would be."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from pydantic import Field
from pydantic_core import to_json

from tarazu.advice.schemas import AdviceRow
from tarazu.kit.schemas import Number, Points, Price, Rate, Schema, Units
from tarazu.orders.schemas import OrderRow
from tarazu.orders.tables import OrderSide, OrderStatus


class Shown(Schema):
    id: uuid.UUID = Field(alias="_id")
    some_amount: Number
    no_amount: Number | None
    a_price: Price
    a_rate: Rate | None = None
    on_day: dt.date
    kept: Units
    share: Points


VALUES = {
    "id": uuid.UUID(int=7),
    "some_amount": Decimal("-2.345"),
    "no_amount": None,
    "a_price": Decimal("1234567.00005"),
    "a_rate": Decimal("12.123456785"),
    "on_day": dt.date(2026, 11, 2),
    "kept": -23_450,
    "share": 1_234,
}
ORDER = {
    "id": uuid.UUID(int=7),
    "order_timestamp": dt.datetime(2026, 11, 2, 4, 0, 1, 500, tzinfo=dt.UTC),
    "trading_symbol": "INFY",
    "quantity": 10,
    "filled_quantity": 0,
    "average_price": Decimal("1500.1000"),
    "transaction_type": OrderSide.BUY,
    "product": "CNC",
    "exchange": "NSE",
    "order_status": OrderStatus.OPEN,
    "raw_status": "OPEN",
    "is_lapsed": False,
}


@pytest.mark.parametrize(
    ("shape", "values"),
    [
        (Shown, VALUES),
        (Shown, VALUES | {"a_rate": None, "no_amount": Decimal("0.005")}),
        (OrderRow, ORDER),
    ],
)
def test_a_plain_row_is_what_a_model_writes(shape: type[Schema], values: dict[str, Any]) -> None:
    written = shape(**values).model_dump_json(by_alias=True)

    assert to_json(shape.plain(**values)).decode() == written


def test_units_and_points_are_written_as_rupees_and_percents() -> None:
    row = Shown.plain(**VALUES)

    assert (row["kept"], row["share"], row["someAmount"]) == (-2.35, 12.34, -2.35)


def test_a_field_that_was_left_out_is_missed() -> None:
    with pytest.raises(KeyError):
        Shown.plain(**{name: value for name, value in VALUES.items() if name != "on_day"})


def test_a_shape_in_a_row_is_plain_as_well() -> None:
    row = AdviceRow.plain(
        id=uuid.UUID(int=7),
        created_at=dt.datetime(2026, 11, 2, tzinfo=dt.UTC),
        total_stocks=0,
        total_invested_value=10_000,
        total_buy_value=0,
        total_sell_value=0,
        buy_value=0,
        sell_value=0,
        rationale="",
        delivery=None,
        stocks=[Shown.plain(**VALUES)],
    )

    assert row["stocks"] == [Shown.plain(**VALUES)]
    assert (row["totalInvestedValue"], row["delivery"]) == (1.0, None)
