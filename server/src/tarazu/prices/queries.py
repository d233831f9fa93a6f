"""Every SQL statement of prices."""

from collections.abc import Sequence

from sqlalchemy import Row, select
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from tarazu.prices.tables import LastPrice


def last_prices(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    statement = select(LastPrice.instrument_token, LastPrice.price, LastPrice.at, LastPrice.source)
    return session.execute(statement).all()


def save_last_prices(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Write these prices over older ones of the same instruments."""
    is_postgres = session.get_bind().dialect.name == "postgresql"
    insert = (postgres_insert if is_postgres else sqlite_insert)(LastPrice)
    kept = {name: insert.excluded[name] for name in ("price", "at", "source")}
    statement = insert.on_conflict_do_update(
        index_elements=[LastPrice.instrument_token],
        set_=kept,
        where=LastPrice.at <= insert.excluded.at,
    )
    session.execute(statement, rows)
