"""Shapes of track records and calls on the wire."""

import datetime as dt
import uuid

from pydantic import Field

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.track_record.calls import PriceKind
from tarazu.kit.schemas import Number, Pagination, Price, Schema, attribute
from tarazu.track_record.calls import CallState, Verdict


class DrawdownRow(Schema):
    """The deepest fall, in percent below nought."""

    percentage: Number
    peak_on: dt.date
    trough_on: dt.date


class FiguresRow(Schema):
    """The return of a line; `yearlyPercentage` is null for less than a year."""

    since: dt.date
    until: dt.date
    percentage: Number
    yearly: Number | None = Field(serialization_alias="yearlyPercentage")
    drawdown: DrawdownRow | None


class ComparedRow(Schema):
    """A line and the model over the days that both have; the difference is the model's less its own."""

    line: FiguresRow
    model: FiguresRow
    difference: Number = Field(serialization_alias="differencePercentagePoints")


class BenchmarkName(Schema):
    name: str
    kind: BenchmarkKind


class TrackPoint(Schema):
    """Model, benchmark and followers (asset-weighted) on a day; null where not known."""

    date: dt.date
    model: Price | None
    benchmark: Price | None
    followers: Price | None


class TrackVersion(Schema):
    """A version, when it was released, and the day at whose close it took effect."""

    number: int = attribute("version.row.number")
    released_at: dt.datetime = attribute("version.row.created_at")
    on: dt.date | None


class UnknownDays(Schema):
    """Days in a row without a value, because these closes are not known."""

    first: dt.date = Field(serialization_alias="from")
    last: dt.date = Field(serialization_alias="to")
    days: int
    symbols: list[str]


class CompositeRow(Schema):
    """All followers of a whole calendar month; returns in percent, `dispersion` in percentage points.

    `dispersion` is null for fewer than six accounts. Net is after the fees paid.
    """

    month: dt.date
    accounts: int
    value: Number
    asset_gross: Number
    equal_gross: Number
    asset_net: Number
    equal_net: Number
    dispersion: Number | None


class TrackRecordShown(Schema):
    """The track record of a model; `words` go with it wherever it is shown.

    `madeAt` is null until it was calculated for the first time.
    """

    id: uuid.UUID = attribute("model.row.id", "_id")
    name: str = attribute("model.row.name")
    made_at: dt.datetime | None
    is_current: bool
    launched_on: dt.date | None
    as_of: dt.date | None
    benchmark: BenchmarkName | None
    series: list[TrackPoint] = attribute("points", "series")
    versions: list[TrackVersion]
    unknown: list[UnknownDays]
    figures: FiguresRow | None
    beside_benchmark: ComparedRow | None
    followers: ComparedRow | None
    followers_equal: ComparedRow | None
    composite: list[CompositeRow] = attribute("months", "composite")
    subscribers: int
    partial: int
    words: str


class CallPriceRow(Schema):
    """`at` is null for a close; `kind` says which price it is."""

    price: Price
    on: dt.date
    at: dt.datetime | None
    kind: PriceKind


class CallShown(Schema):
    """A call; percentages are from the entry to the exit or the last close, null where not known."""

    id: str = Field(serialization_alias="_id")
    isin: str
    symbol: str = Field(serialization_alias="tradingSymbol")
    exchange: str
    model: str
    clients: int
    sent_at: dt.datetime
    ended_at: dt.datetime | None
    entry: CallPriceRow | None
    exit: CallPriceRow | None
    state: CallState
    verdict: Verdict
    days: int | None
    gross: Number | None = attribute("result.gross", "grossPercentage")
    net: Number | None = attribute("result.net", "netPercentage")
    benchmark: Number | None = attribute("result.benchmark", "benchmarkPercentage")
    difference: Number | None = Field(serialization_alias="differencePercentagePoints")
    why_unknown: str | None = attribute("result.why_unknown")


class HitRateRow(Schema):
    """`count` calls of which `hits` were; the interval of 95 % is Wilson's; null without any."""

    hits: int
    count: int
    percentage: Number | None
    low: Number | None
    high: Number | None


class CallsShown(Schema):
    """The metrics of all calls, and one page of those that match the filters."""

    benchmark: BenchmarkName | None
    why_no_benchmark: str | None
    hits: HitRateRow
    gains: HitRateRow
    mean: Number | None = Field(serialization_alias="meanPercentage")
    mean_difference: Number | None = Field(serialization_alias="meanDifferencePercentagePoints")
    total: int
    open: int
    unknown: int
    exits: int
    models: list[str]
    words: str
    calls: list[CallShown]
    pagination: Pagination
