"""Every SQL statement of instruments."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    Row,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session

from tarazu.instruments.tables import (
    CorporateAction,
    FormerName,
    Instrument,
    MasterLine,
    MasterRead,
    Watch,
)
from tarazu.kit.db import RepeatedId, insert_into, read

FOUND_AT_MOST = 20
_AT_ONCE = 500


def instruments_by_ids(session: Session, ids: Collection[uuid.UUID]) -> list[Instrument]:
    instrument_ids = list(ids)
    instruments: list[Instrument] = []
    for start in range(0, len(instrument_ids), _AT_ONCE):
        statement = select(Instrument).where(
            Instrument.id.in_(instrument_ids[start : start + _AT_ONCE])
        )
        instruments += session.execute(statement).scalars().all()
    return instruments


_LISTED: Any = (
    type_coerce(Instrument.id, RepeatedId()),
    Instrument.exchange,
    Instrument.symbol,
    Instrument.name,
    Instrument.isin,
    Instrument.sector,
    Instrument.tick_size,
    Instrument.lot_size,
    Instrument.zerodha_token,
    Instrument.angel_token,
    Instrument.reference_close,
    Instrument.reference_on,
)


def listed_by_ids(session: Session, ids: Collection[uuid.UUID]) -> list[Row]:  # type: ignore[type-arg]
    """What a list shows of these instruments, the columns in the order of `service.Listed`."""
    instrument_ids = list(ids)
    rows: list[Row] = []  # type: ignore[type-arg]
    for start in range(0, len(instrument_ids), _AT_ONCE):
        rows += read(
            session, _listed_by_ids(), {"ids": instrument_ids[start : start + _AT_ONCE]}
        ).all()
    return rows


@cache
def _listed_by_ids() -> Select[Any]:
    return select(*_LISTED).where(Instrument.id.in_(bindparam("ids", expanding=True)))


def instruments_by_tokens(session: Session, tokens: Collection[int]) -> Sequence[Instrument]:
    statement = select(Instrument).where(Instrument.zerodha_token.in_(tokens))
    return session.execute(statement).scalars().all()


def all_instruments(session: Session) -> Sequence[Instrument]:
    statement = select(Instrument).where(Instrument.is_active).order_by(Instrument.symbol)
    return session.execute(statement).scalars().all()


def instrument_by_symbol(session: Session, exchange: str, symbol: str) -> Instrument | None:
    statement = select(Instrument).where(
        Instrument.exchange == exchange, Instrument.symbol == symbol, Instrument.is_active
    )
    return session.execute(statement).scalar_one_or_none()


def matching(session: Session, query: str) -> Sequence[Instrument]:
    """The exact symbol first, then symbols that begin so, then names; at most twenty."""
    symbol, name = func.upper(Instrument.symbol), func.lower(Instrument.name)
    literal = query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    begins = symbol.like(f"{literal.upper()}%", escape="\\")
    named_so = name.like(f"{literal.lower()}%", escape="\\")
    holds = or_(
        name.like(f"%{literal.lower()}%", escape="\\"),
        symbol.like(f"%{literal.upper()}%", escape="\\"),
        Instrument.isin == query.upper(),
    )
    rank = case((symbol == query.upper(), 0), (begins, 1), (named_so, 2), else_=3)
    statement = (
        select(Instrument)
        .where(or_(begins, holds), Instrument.is_active)
        .order_by(rank, Instrument.symbol)
        .limit(FOUND_AT_MOST)
    )
    return session.execute(statement).scalars().all()


def tokens(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    return session.execute(select(Instrument.id, Instrument.zerodha_token)).all()


def names(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    """Of every instrument its id, Zerodha's token, symbol and Angel One's token."""
    columns = (
        Instrument.id,
        Instrument.zerodha_token,
        Instrument.symbol,
        Instrument.angel_token,
    )
    return session.execute(select(*columns)).all()


def reference_closes(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    columns = (Instrument.zerodha_token, Instrument.reference_close, Instrument.reference_on)
    return session.execute(select(*columns)).all()


def add_instruments(session: Session, rows: Sequence[dict[str, object]]) -> None:
    session.execute(insert(Instrument), rows)


def watch(
    session: Session, instrument_id: uuid.UUID, account_id: uuid.UUID, now: dt.datetime
) -> bool:
    """Whether the account did not follow it before."""
    row = {"instrument_id": instrument_id, "account_id": account_id, "at": now}
    statement = insert_into(session, Watch).values(**row).on_conflict_do_nothing()
    return session.execute(statement.returning(Watch.at)).first() is not None


def unwatch(session: Session, instrument_id: uuid.UUID, account_id: uuid.UUID) -> bool:
    """Whether the account followed it before."""
    statement = delete(Watch).where(
        Watch.instrument_id == instrument_id, Watch.account_id == account_id
    )
    return session.execute(statement.returning(Watch.at)).first() is not None


def watched(session: Session) -> set[uuid.UUID]:
    return set(session.execute(select(Watch.instrument_id).distinct()).scalars())


def instruments_by_isins(session: Session, isins: Collection[str]) -> Sequence[Instrument]:
    statement = select(Instrument).where(Instrument.isin.in_(isins), Instrument.is_active)
    return session.execute(statement).scalars().all()


def instruments_by_symbols(session: Session, symbols: Collection[str]) -> Sequence[Instrument]:
    """Those that bear one of these symbols, on any exchange."""
    statement = select(Instrument).where(Instrument.symbol.in_(symbols), Instrument.is_active)
    return session.execute(statement).scalars().all()


def bearers_of_former_isins(session: Session, isins: Collection[str]) -> dict[str, uuid.UUID]:
    """The instruments that once had one of these ISINs; the latest, where two had it."""
    statement = (
        select(FormerName.isin, FormerName.instrument_id)
        .where(FormerName.isin.in_(isins))
        .order_by(FormerName.until)
    )
    return {row.isin: row.instrument_id for row in session.execute(statement)}


def former_names_by_symbols(session: Session, symbols: Collection[str]) -> Sequence[FormerName]:
    """What was called by one of these symbols, on any exchange; the latest last."""
    statement = select(FormerName).where(FormerName.symbol.in_(symbols)).order_by(FormerName.until)
    return session.execute(statement).scalars().all()


def former_names(session: Session, instrument_id: uuid.UUID) -> Sequence[FormerName]:
    """Newest first."""
    statement = (
        select(FormerName)
        .where(FormerName.instrument_id == instrument_id)
        .order_by(FormerName.until.desc())
    )
    return session.execute(statement).scalars().all()


def add_former_name(session: Session, row: Mapping[str, object]) -> None:
    """Store a former name; one already stored for that day stays."""
    session.execute(insert_into(session, FormerName).values(**row).on_conflict_do_nothing())


def isin_changes(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    """Of active instruments: id, a former ISIN, until when it had it, and the ISIN of now."""
    statement = (
        select(FormerName.instrument_id, FormerName.isin, FormerName.until, Instrument.isin)
        .join(Instrument, Instrument.id == FormerName.instrument_id)
        .where(FormerName.isin != "", FormerName.isin != Instrument.isin, Instrument.is_active)
    )
    return session.execute(statement).all()


def master_lines_named(
    session: Session, names: Collection[tuple[str, str]]
) -> dict[tuple[str, str], MasterLine]:
    """Lines by (exchange, symbol)."""
    statement = select(MasterLine).where(MasterLine.symbol.in_({symbol for _, symbol in names}))
    lines = session.execute(statement).scalars()
    return {
        (line.exchange, line.symbol): line
        for line in lines
        if (line.exchange, line.symbol) in names
    }


def save_master_lines(
    session: Session, rows: Sequence[Mapping[str, object]], columns: Collection[str]
) -> None:
    """Add these rows, or update these `columns` of those that exist."""
    insert = insert_into(session, MasterLine)
    values: dict[str, Any] = {name: insert.excluded[name] for name in columns}
    if "zerodha_token" not in values:
        # By the rule of the exchange's numbers, as long as Zerodha's list says nothing newer.
        is_older = or_(
            MasterLine.zerodha_on.is_(None), MasterLine.zerodha_on < insert.excluded.angel_on
        )
        values["zerodha_token"] = case(
            (is_older, insert.excluded.zerodha_token), else_=MasterLine.zerodha_token
        )
    statement = insert.on_conflict_do_update(
        index_elements=[MasterLine.exchange, MasterLine.symbol], set_=values
    )
    session.execute(statement, list(rows))


def lines_of_instruments(session: Session, *, by_token: bool) -> Sequence[Row]:  # type: ignore[type-arg]
    """Every active instrument with the line that has its symbol, or its token; each may be None.

    Instrument, then symbol, token, Angel One's token, tick and days of the line.
    """
    on = (
        MasterLine.zerodha_token == Instrument.zerodha_token
        if by_token
        else (MasterLine.exchange == Instrument.exchange) & (MasterLine.symbol == Instrument.symbol)
    )
    statement = select(Instrument, MasterLine).join(MasterLine, on).where(Instrument.is_active)
    return session.execute(statement).all()


def master_read(session: Session, broker: str, day: dt.date) -> MasterRead | None:
    return session.get(MasterRead, (broker, day), with_for_update=True)


def last_finished_reads(session: Session) -> dict[str, dt.datetime]:
    """When each broker's list was last read whole."""
    statement = (
        select(MasterRead.broker, func.max(MasterRead.finished_at))
        .where(MasterRead.finished_at.is_not(None))
        .group_by(MasterRead.broker)
    )
    return {broker: at for broker, at in session.execute(statement) if at is not None}


def renames(session: Session) -> int:
    """How many former names there are."""
    return session.execute(select(func.count()).select_from(FormerName)).scalar_one()


def corporate_actions(session: Session, isins: Collection[str]) -> list[CorporateAction]:
    """The corporate actions on these shares, or by which they came from others; not removed ones."""
    names, actions = list(isins), list[CorporateAction]()
    for start in range(0, len(names), _AT_ONCE):
        batch = names[start : start + _AT_ONCE]
        statement = select(CorporateAction).where(
            or_(CorporateAction.isin.in_(batch), CorporateAction.new_isin.in_(batch)),
            CorporateAction.removed_at.is_(None),
        )
        actions += session.execute(statement).scalars().all()
    return actions


def corporate_action(session: Session, action_id: uuid.UUID) -> CorporateAction | None:
    """A corporate action, removed or not."""
    return session.get(CorporateAction, action_id)
