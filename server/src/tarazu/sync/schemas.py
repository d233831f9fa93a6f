"""Shapes of syncs and readiness on the wire."""

import datetime as dt
import uuid

from pydantic import Field

from tarazu.kit.schemas import Flag, Number, Pagination, Price, Schema
from tarazu.sync.readiness import Problem, SessionState
from tarazu.sync.tables import Outcome, RunKind, RunState

MOST_LINKS = 10_000


class SyncWish(Schema):
    """How a client is to be synced; by default as ever."""

    accept_empty: Flag = False


class SyncResult(Schema):
    outcome: Outcome
    changed: int
    unmapped: int
    unexplained: int


class RunClientRow(Schema):
    client_id: uuid.UUID
    name: str
    code: str
    outcome: Outcome
    reason: str
    finished_at: dt.datetime | None


class RunCounts(Schema):
    waiting: int
    done: int
    no_session: int
    dead: int
    doubted: int
    failed: int


class RunShown(Schema):
    id: uuid.UUID = Field(alias="_id")
    kind: RunKind
    state: RunState
    started_at: dt.datetime
    finished_at: dt.datetime | None
    done: int
    total: int
    counts: RunCounts
    clients: list[RunClientRow]


class LastRun(Schema):
    success: bool
    data: RunShown | None
    pagination: Pagination


class BrokerLineRow(Schema):
    exchange: str
    symbol: str
    isin: str
    instrument_token: int = Field(validation_alias="token")
    is_mapped: bool
    free: int
    t1: int
    pledged: int
    today: int
    margin_funded: int
    average_price: Price
    last_price: Price | None
    is_doubted: bool


class QuantityChangeRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    exchange: str
    symbol: str
    isin: str
    before: int
    after: int
    ordered: int
    average_before: Price
    average_after: Price
    hint: str
    found_at: dt.datetime


class BrokerStatementShown(Schema):
    outcome: Outcome | None
    reason: str
    left_out: list[str]
    tried_at: dt.datetime | None
    synced_at: dt.datetime | None
    net: Number | None
    collateral: Number | None
    lines: list[BrokerLineRow]
    changes: list[QuantityChangeRow]


class ReadinessRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    broker: str
    session: SessionState
    session_until: dt.datetime | None
    linked_at: dt.datetime | None
    synced_at: dt.datetime | None
    outcome: Outcome | None
    reason: str
    left_out: list[str]
    """Rows of the broker's last answer that could not be read, a sentence each."""
    late_actions: list[str]
    """Where shares of corporate actions are not credited in time: all awaited ones, a sentence each."""
    price_at: dt.datetime | None
    unexplained: int
    unmapped: int
    money_by_books: Number | None
    money_at_broker: Number | None
    money_difference: Number
    problems: list[Problem]


class ReadinessCounts(Schema):
    total: int
    ready: int
    session: int
    sync: int
    left_out: int
    unmapped: int
    changes: int
    actions: int
    money: int
    prices: int


class ReadinessPage(Schema):
    success: bool
    data: list[ReadinessRow]
    counts: ReadinessCounts
    to_connect: int
    """Clients without a log-in to whom no link was sent that is still good."""
    masters_read_at: dict[str, dt.datetime]
    """By broker, when its list of instruments was last read."""
    alarms: list[str]
    """What is wrong with the installation as a whole, a sentence each; mostly nothing."""
    pagination: Pagination


class LinksWanted(Schema):
    """To whom links go; to all without a log-in or a good link when left out."""

    client_ids: list[uuid.UUID] | None = Field(default=None, max_length=MOST_LINKS)


class LinksSent(Schema):
    sent: int
