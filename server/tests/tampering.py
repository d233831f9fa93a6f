"""What somebody does who has the database's own password: the triggers are no wall to him."""

from sqlalchemy import text
from sqlalchemy.orm import Session

KEPT = ("audit", "advices", "advice_stocks", "advice_seals", "advice_letters")


def drop_triggers(session: Session) -> None:
    """Take the triggers away that keep rows as they were written."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    for table in KEPT:
        for act in ("update", "delete", "truncate"):
            place = "" if is_sqlite else f" ON {table}"
            session.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{act}{place}"))
