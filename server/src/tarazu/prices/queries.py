"""Every SQL statement of prices."""

from collections.abc import Sequence

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from tarazu.kit.db import insert_into
from tarazu.prices.tables import LastPrice


def last_prices(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    statement = select(LastPrice.instrument_token, LastPrice.price, LastPrice.at, LastPrice.source)
    return session.execute(statement).all()


def save_last_prices(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Write these prices over older ones of the same instruments."""
    insert = insert_into(session, LastPrice)
    kept = {name: insert.excluded[name] for name in ("price", "at", "source")}
    statement = insert.on_conflict_do_update(
        index_elements=[LastPrice.instrument_token],
        set_=kept,
        where=LastPrice.at <= insert.excluded.at,
    )
    session.execute(statement, rows)
