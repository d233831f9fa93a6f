"""Every SQL statement of the firm's own record."""

import datetime as dt

from sqlalchemy import select
from sqlalchemy.orm import Session

from tarazu.firm.tables import Firm, Holiday


def firm(session: Session) -> Firm:
    return session.execute(select(Firm)).scalar_one()


def holidays(session: Session) -> set[dt.date]:
    return set(session.execute(select(Holiday.date)).scalars())
