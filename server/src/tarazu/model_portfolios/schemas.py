"""Shapes of model portfolios, the drift monitor and the firm's limits on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.instruments.service import StockNamed
from tarazu.kit.fields import is_plain, is_seen
from tarazu.kit.schemas import Number, Price, Schema, Version, Whole
from tarazu.model_portfolios.tables import ModelStatus
from tarazu.people.tables import Status

MOST_CONSTITUENTS = 100
MOST_AT_ONCE = 10_000
LONGEST_NAME = 100
LONGEST_BENCHMARK = 120
LONGEST_TEXT = 2_000
LONGEST_RATIONALE = 5_000


def _text(most: int, name: str, *, lines: bool = True) -> AfterValidator:
    def check(text: str) -> str:
        plain = text.replace("\r\n", "\n").strip()
        if not is_seen(plain):
            raise ValueError(f"{name} is required")
        if len(plain) > most or not is_plain(plain, lines=lines):
            raise ValueError(f"{name} has at most {most:,} characters, none of them for control.")
        return plain

    return AfterValidator(check)


Name = Annotated[str, _text(LONGEST_NAME, "A name", lines=False)]
Amount = Annotated[Number, Field(gt=0, le=10**12, decimal_places=2)]


class NewConstituent(StockNamed):
    allocation_percentage: Number


class NewModelVersion(Schema):
    """All five texts are required; cash is what the constituents leave of 100 %."""

    rationale: Annotated[str, _text(LONGEST_RATIONALE, "A rationale")]
    benchmark: Annotated[str, _text(LONGEST_BENCHMARK, "A benchmark", lines=False)]
    universe: Annotated[str, _text(LONGEST_TEXT, "A universe")]
    selection_method: Annotated[str, _text(LONGEST_TEXT, "A selection method")]
    risks: Annotated[str, _text(LONGEST_TEXT, "A text on risks")]
    constituents: Annotated[list[NewConstituent], Field(min_length=1, max_length=MOST_CONSTITUENTS)]


class NewModel(NewModelVersion):
    name: Name


class ModelEdit(Schema):
    """What is left out stays as it is."""

    name: Name | None = None
    status: ModelStatus | None = None
    version: Version | None = None


class LatestVersion(Schema):
    id: uuid.UUID = Field(alias="_id")
    number: int
    created_at: dt.datetime
    benchmark: str
    stocks: int
    cash_percentage: Number


class ModelRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    name: str
    status: ModelStatus
    version: int
    latest: LatestVersion
    subscribers: int
    launched_at: dt.datetime
    updated_at: dt.datetime


class ConstituentRow(Schema):
    """`ltp` is the newest price, `price_at` when it was traded; None without one."""

    trading_symbol: str
    exchange: str
    isin: str
    name: str
    instrument_token: int
    allocation_percentage: Number
    ltp: Price | None
    price_at: dt.datetime | None
    price_source: str | None
    is_price_stale: bool


class ModelVersionRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    number: int
    created_at: dt.datetime
    author: str
    rationale: str
    benchmark: str
    universe: str
    selection_method: str
    risks: str
    cash_percentage: Number
    constituents: list[ConstituentRow]


class ModelShown(ModelRow):
    """A model with all its versions, newest first."""

    versions: list[ModelVersionRow]


class SubscriberRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    status: Status
    investment_value: Number | None
    subscribed_at: dt.datetime
    portfolio_value: Number | None


class NewSubscriber(Schema):
    """`investment_value` None: all holdings and cash follow the model."""

    client_id: uuid.UUID
    investment_value: Amount | None = None


class SubscribersEdit(Schema):
    add: Annotated[list[NewSubscriber], Field(max_length=MOST_AT_ONCE, default_factory=list)]
    remove: Annotated[list[uuid.UUID], Field(max_length=MOST_AT_ONCE, default_factory=list)]


class CandidateRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    model_id: uuid.UUID | None
    model_name: str | None


class DriftRow(Schema):
    """Drifts in percent points of the Investment Value; None where a price is missing.

    The base is that of a run: all holdings and cash, or the part that follows the model.
    """

    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    model_id: uuid.UUID
    model_name: str
    version_number: int
    max_drift: Number | None
    max_drift_symbol: str
    tolerance: Number = Field(alias="tolerancePercentage")
    total_drift: Number | None
    investment_value: Number | None
    cash_percentage: Number | None
    outside_percentage: Number | None
    price_missing: list[str]
    synced_at: dt.datetime | None
    action_pending: bool


class FollowedRow(Schema):
    """What a client of the client list follows; drift in percent points of the Investment Value."""

    id: uuid.UUID = Field(alias="_id")
    model_id: uuid.UUID | None
    model_name: str
    max_drift: Number | None
    max_drift_symbol: str
    tolerance: Number = Field(alias="tolerancePercentage")
    advised_at: dt.datetime | None


class BookLimitsShown(Schema):
    """`holdings_days` are business days; `tolerance_percentage` is in percent points."""

    holdings_days: int
    price_minutes: int
    tolerance_percentage: Number
    version: int


class BookLimitsEdit(Schema):
    holdings_days: Annotated[Whole, Field(ge=1, le=30)]
    price_minutes: Annotated[Whole, Field(ge=1, le=1_440)]
    tolerance_percentage: Annotated[Number, Field(ge=0, le=20, decimal_places=2)]
    version: Version | None = None
