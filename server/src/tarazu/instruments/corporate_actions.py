"""Bonuses, splits and consolidations: from a day on, one share is another number of shares."""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.instruments import queries


@dataclass(frozen=True, slots=True)
class KnownAction:
    """From the start of `ex_on` one share is `factor` shares, under `new_isin`; "" if it stays."""

    isin: str
    new_isin: str
    ex_on: dt.date
    factor: Fraction


def corporate_actions_of(session: Session, isins: Collection[str]) -> list[KnownAction]:
    """The actions on these shares, and on those that they became or came from, by day."""
    rows = {row.id: row for row in queries.corporate_actions(session, isins)}
    known = set(isins)
    while (
        new := {name for row in rows.values() for name in (row.isin, row.new_isin)} - known - {""}
    ):
        known |= new
        rows |= {row.id: row for row in queries.corporate_actions(session, new)}
    ordered = sorted(rows.values(), key=lambda row: (row.ex_on, row.isin, row.id))
    return [
        KnownAction(row.isin, row.new_isin, row.ex_on, Fraction(row.new, row.old))
        for row in ordered
    ]
