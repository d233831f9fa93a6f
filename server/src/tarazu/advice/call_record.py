"""The record of calls: every row of every sealed advice that says to buy or to sell, chained.

A row has the hash of the seal of its advice, and is chained to the row before it as seals are: who
kept an earlier export finds its last hash in a later one, or knows that something was changed.
"""

import datetime as dt
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.advice import row_queries
from tarazu.advice.row_queries import CallLine, CallSum
from tarazu.advice.sealing import digest_of, link_of
from tarazu.domain.money import plain


class ChainedLine(NamedTuple):
    """A row of the record; `hash` is over `previous_hash` and the row's canonical text."""

    line: CallLine
    previous_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class PendingPrice:
    """A dispatch and the shares that it said to trade, by instrument token."""

    batch_id: uuid.UUID
    sent_at: dt.datetime
    tokens: frozenset[int]


def record_of_calls(session: Session) -> Iterator[ChainedLine]:
    """All rows in the order of the sealing, from the first one that is kept."""
    previous = ""
    for line in row_queries.call_lines(session):
        link = link_of(previous, digest_of(text_of(line).encode()))
        yield ChainedLine(line, previous, link)
        previous = link


def text_of(line: CallLine) -> str:
    """The row as canonical JSON: keys in order, no spaces, figures as text without trailing zeros."""
    fields = {
        "seal": line.seal,
        "sealHash": line.seal_hash,
        "place": line.place,
        "sentAt": line.sent_at.astimezone(dt.UTC).isoformat().replace("+00:00", "Z"),
        "isin": line.isin,
        "exchange": line.exchange,
        "symbol": line.symbol,
        "side": line.side,
        "weight": plain(line.weight),
        "price": plain(line.price),
        "validUntil": line.valid_until.isoformat() if line.valid_until else None,
        "model": line.model,
        "modelVersion": line.model_number,
    }
    return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def call_sums(session: Session) -> list[CallSum]:
    """What each dispatch said of each stock, over all its clients, in order of time."""
    return row_queries.call_sums(session)


def dispatches_between(
    session: Session, first: dt.datetime, last: dt.datetime
) -> list[PendingPrice]:
    """The dispatches of that time, both ends included, with the shares they said to trade."""
    tokens: dict[tuple[uuid.UUID, dt.datetime], set[int]] = {}
    for batch_id, sent_at, token in row_queries.dispatched_tokens(session, first, last):
        tokens.setdefault((batch_id, sent_at), set()).add(token)
    return [PendingPrice(*key, frozenset(found)) for key, found in tokens.items()]
