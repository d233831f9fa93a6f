"""What staff enter: shares without a known trade, the class of income, prices of 31 January 2018."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

from sqlalchemy.orm import Session

from tarazu.domain.isin import is_isin
from tarazu.domain.money import Rupees
from tarazu.domain.tax.rates import SurchargeClass
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.kit.errors import StaleVersion
from tarazu.people import service as people
from tarazu.tax import queries
from tarazu.tax.errors import EntryNotFound, UnfitLotEntry
from tarazu.tax.tables import EntryKind, LotEntry, TaxClass


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Shares that came or went without a trade; see `LotEntry`."""

    kind: EntryKind
    isin: str
    quantity: int
    moved_on: dt.date
    bought_on: dt.date | None = None
    amount: Rupees | None = None
    demat: str = ""


def add_entry(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewEntry
) -> LotEntry:
    """Add an entry to a client's lots.

    Raises:
        ClientNotFound: there is no such client.
        UnfitLotEntry: an ISIN, a day or an amount that cannot be.
    """
    people.client(session, client_id)
    _check(new, day_in_india(now))
    row = _add(session, actor, now, client_id, new)
    changes = {"entry": str(row.id), **asdict(new)}
    audit_log.record(session, actor, now, "lot_entered", ("client", client_id), changes)
    return row


def change_entry(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    entry_id: uuid.UUID,
    new: NewEntry,
) -> LotEntry:
    """Put an entry in the place of another one, which stays in the database as removed.

    Raises:
        EntryNotFound: the client has no such entry, or somebody changed it meanwhile.
        UnfitLotEntry: see `add_entry`.
    """
    old = queries.entry_of(session, client_id, entry_id)
    if old is None:
        raise EntryNotFound
    _check(new, day_in_india(now))
    old.removed_at, old.removed_by = now, actor.account_id
    row = _add(session, actor, now, client_id, new)
    fields = {
        name: [getattr(old, name), value]
        for name, value in asdict(new).items()
        if getattr(old, name) != value
    }
    changes = {"entry": [str(old.id), str(row.id)], **fields, "quantity": new.quantity}
    audit_log.record(session, actor, now, "lot_changed", ("client", client_id), changes)
    return row


def _add(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewEntry
) -> LotEntry:
    row = LotEntry(
        id=new_id(),
        client_id=client_id,
        created_at=now,
        created_by=actor.account_id,
        **asdict(new),
    )
    session.add(row)
    session.flush()
    return row


def _check(new: NewEntry, today: dt.date) -> None:
    if not is_isin(new.isin):
        raise UnfitLotEntry("isin", "Enter a valid ISIN, such as INE002A01018.")
    if new.moved_on > today:
        raise UnfitLotEntry("movedOn", "The day cannot be in the future.")
    if new.kind is EntryKind.BOUGHT and new.bought_on is None:
        raise UnfitLotEntry("boughtOn", "Enter the day of purchase.")
    if new.kind is not EntryKind.BOUGHT and new.bought_on is not None:
        raise UnfitLotEntry("boughtOn", "Only shares that came in have a day of purchase.")
    if new.bought_on is not None and new.bought_on > new.moved_on:
        raise UnfitLotEntry("boughtOn", "Shares cannot come in before their purchase.")
    if new.kind is EntryKind.OUT and new.amount is not None:
        raise UnfitLotEntry("amount", "A transfer has no amount. Enter a buyback or leave it out.")


def remove_entry(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, entry_id: uuid.UUID
) -> None:
    """Remove an entry; the row stays in the database.

    Raises:
        EntryNotFound: the client has no such entry.
    """
    row = queries.entry_of(session, client_id, entry_id)
    if row is None:
        raise EntryNotFound
    row.removed_at, row.removed_by = now, actor.account_id
    changes = {"entry": str(row.id), "isin": row.isin, "quantity": row.quantity}
    audit_log.record(session, actor, now, "lot_removed", ("client", client_id), changes)


def entries_of(session: Session, client_id: uuid.UUID) -> list[LotEntry]:
    """A client's entries, by day."""
    return list(queries.entries_of(session, client_id))


@dataclass(frozen=True, slots=True)
class StatedClass:
    """A client's class of income; `version` is 0 before the first was set."""

    income: SurchargeClass | None
    version: int


def tax_class_of(session: Session, client_id: uuid.UUID) -> StatedClass:
    """By which class of income a client's surcharge goes; None if it was not stated."""
    row = queries.tax_class_of(session, client_id)
    return StatedClass(None, 0) if row is None else StatedClass(row.income, row.version)


def set_tax_class(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    stated: StatedClass,
) -> StatedClass:
    """Set the class of income; `stated.version` is the one that was seen.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: it was changed since.
    """
    people.client(session, client_id)
    before = tax_class_of(session, client_id)
    if stated.version != before.version:
        raise StaleVersion
    row = queries.tax_class_of(session, client_id)
    if row is None:
        row = TaxClass(client_id=client_id, version=0)
        session.add(row)
    row.income, row.version = stated.income, before.version + 1
    session.flush()
    changes = {"income": [before.income, stated.income]}
    audit_log.record(session, actor, now, "tax_class_set", ("client", client_id), changes)
    return StatedClass(row.income, row.version)


def set_high_of_2018(
    session: Session, actor: Actor, now: dt.datetime, isin: str, high: Rupees
) -> None:
    """Set the highest price of a share on 31 January 2018, in rupees of that day's units.

    Raises:
        UnfitLotEntry: it is no ISIN.
    """
    if not is_isin(isin):
        raise UnfitLotEntry("isin", "Enter a valid ISIN, such as INE002A01018.")
    known = {row.isin: row.high for row in queries.highs_of_2018(session, [isin])}
    queries.set_high(session, isin, high, now, actor.account_id)
    changes = {"high": [known.get(isin), high]}
    audit_log.record(session, actor, now, "high_of_2018_set", ("isin", isin), changes)


def highs_of_2018(session: Session, isins: Collection[str]) -> dict[str, Rupees]:
    """The highest prices of 31 January 2018 by ISIN; those not known are left out."""
    return {row.isin: row.high for row in queries.highs_of_2018(session, isins)}


def add_highs_of_2018(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    highs: Mapping[str, Rupees],
    changes: Mapping[str, object],
) -> None:
    """Add prices of a file, by ISIN, of shares that have none; without effect for no shares.

    Args:
        changes: what the audit trail says of the file.
    """
    if not highs:
        return
    queries.add_highs(session, highs, now, actor.account_id)
    about = ("file", str(changes["file"]))
    audit_log.record(session, actor, now, "highs_of_2018_imported", about, changes)
