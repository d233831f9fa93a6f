"""Restrictions: the stocks that a client does not want traded freely; every rebalance keeps them."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import HUNDRED, ZERO, rounded
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.restrictions import queries
from tarazu.restrictions.errors import UnfitRestriction
from tarazu.restrictions.tables import RestrictionList


@dataclass(frozen=True, slots=True)
class ClientRestriction:
    """One restricted stock, and why; the reason may be empty."""

    instrument: Listed
    restriction: Restriction
    reason: str


@dataclass(frozen=True, slots=True)
class ClientRestrictions:
    """All of a client's restrictions, by symbol; `version` is 0 before the first were set."""

    version: int
    restrictions: tuple[ClientRestriction, ...]


def restrictions_of(session: Session, client_id: uuid.UUID) -> ClientRestrictions:
    """The restrictions of one client."""
    by_client = restrictions_of_all(session, [client_id])
    row = queries.list_of(session, client_id)
    return ClientRestrictions(row.version if row else 0, by_client.get(client_id, ()))


def restrictions_of_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, tuple[ClientRestriction, ...]]:
    """The restrictions of these clients, by client; clients without any are left out."""
    rows = queries.rows_of(session, client_ids)
    listed = instruments.by_ids(session, {row.instrument_id for row in rows}) if rows else {}
    by_client: dict[uuid.UUID, list[ClientRestriction]] = {}
    for row in rows:
        restriction = Restriction(row.kind, row.minimum, row.maximum)
        by_client.setdefault(row.client_id, []).append(
            ClientRestriction(listed[row.instrument_id], restriction, row.reason)
        )
    return {client_id: _by_symbol(restricted) for client_id, restricted in by_client.items()}


def set_restrictions(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    restrictions: Sequence[ClientRestriction],
    version: int | None,
) -> ClientRestrictions:
    """Replace all restrictions of a client.

    Raises:
        UnfitRestriction: a stock is in the list twice, or a range is not valid.
        StaleVersion: they were changed since `version`.
    """
    acquire_lock(session, AdvisoryLock.RESTRICTIONS)
    _refuse_unfit(restrictions)
    before = restrictions_of(session, client_id)
    if version is not None and version != before.version:
        raise StaleVersion
    after = _by_symbol(restrictions)
    if before.restrictions == after:
        return before
    row = queries.list_of(session, client_id)
    if row is None:
        row = RestrictionList(client_id=client_id, version=0)
        session.add(row)
    row.version += 1
    queries.replace_rows(
        session,
        client_id,
        [
            {
                "client_id": client_id,
                "instrument_id": restricted.instrument.id,
                "kind": restricted.restriction.kind,
                "minimum": restricted.restriction.minimum,
                "maximum": restricted.restriction.maximum,
                "reason": restricted.reason,
            }
            for restricted in after
        ],
    )
    changes = {"restrictions": [_audit_texts(before.restrictions), _audit_texts(after)]}
    audit_log.record(session, actor, now, "restrictions_set", ("client", client_id), changes)
    session.flush()
    return ClientRestrictions(row.version, after)


def _by_symbol(restrictions: Sequence[ClientRestriction]) -> tuple[ClientRestriction, ...]:
    return tuple(sorted(restrictions, key=lambda restricted: restricted.instrument.symbol))


def _audit_texts(restrictions: Sequence[ClientRestriction]) -> list[str]:
    """Each restriction as the audit trail has it: "INFY RANGE 2 5"."""
    texts = []
    for restricted in restrictions:
        restriction = restricted.restriction
        parts = (
            restricted.instrument.symbol,
            restriction.kind,
            restriction.minimum,
            restriction.maximum,
        )
        texts.append(" ".join(str(part) for part in parts if part is not None))
    return texts


def _refuse_unfit(restrictions: Sequence[ClientRestriction]) -> None:
    seen: set[str] = set()
    for place, restricted in enumerate(restrictions):
        instrument = restricted.instrument
        if instrument.isin in seen:
            raise UnfitRestriction(place, f"{instrument.symbol} is in the list twice.")
        seen.add(instrument.isin)
        fault = _fault_of(restricted.restriction)
        if fault:
            raise UnfitRestriction(place, f"{instrument.symbol}: {fault}")


def _fault_of(restriction: Restriction) -> str:
    """What is wrong with a restriction; "" where nothing is."""
    minimum, maximum = restriction.minimum, restriction.maximum
    ends = [end for end in (minimum, maximum) if end is not None]
    if restriction.kind is not Kind.RANGE and ends:
        return "only a range has a minimum or a maximum."
    if restriction.kind is Kind.RANGE and not ends:
        return "a range has a minimum, a maximum or both."
    if any(not ZERO <= end <= HUNDRED or end != rounded(end) for end in ends):
        return "a percent is 0 to 100 in steps of 0.01."
    if minimum is not None and maximum is not None and minimum > maximum:
        return "the minimum is above the maximum."
    return ""
