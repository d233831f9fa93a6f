"""Shapes of a client's accounting on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any

from pydantic import Field, model_validator

from tarazu.kit.fields import Day, saying
from tarazu.kit.schemas import Number, Schema, Version
from tarazu.portfolio.tables import FlowType

Amount = Annotated[Number, Field(gt=0, decimal_places=2), saying("Please enter a valid amount")]
Cashflow = Annotated[FlowType, saying("Please select cashflow type")]


_NOTHING = {"date": None, "amount": None, "type": None}


class NewTransaction(Schema):
    date: Day
    amount: Amount
    type: Cashflow

    @model_validator(mode="before")
    @classmethod
    def _nothing_is_missing(cls, given: Any) -> Any:
        # A field that is not there is refused in the words for an empty one.
        return {**_NOTHING, **given} if isinstance(given, dict) else given


class ChangedTransaction(NewTransaction):
    transaction_id: uuid.UUID
    version: Version | None = None


class DeletedTransaction(Schema):
    transaction_id: uuid.UUID
    version: Version | None = None


class TransactionRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    date: dt.date
    amount: Number
    type: FlowType
    version: int
