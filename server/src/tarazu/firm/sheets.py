"""Columns of the exports of the firm's calendar and charges."""

from collections.abc import Sequence

from tarazu.domain.charges import Line
from tarazu.firm.service import DatedCharges
from tarazu.firm.tables import Holiday
from tarazu.kit.export import Column, Kind

HOLIDAYS: Sequence[Column[Holiday]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Holiday", Kind.TEXT, lambda row: row.name),
)

ChargeRate = tuple[DatedCharges, Line]
CHARGES: Sequence[Column[ChargeRate]] = (
    Column("Effective From", Kind.DAY, lambda row: row[0].effective_on),
    Column("In Force", Kind.TEXT, lambda row: "yes" if row[0].is_in_force else "no"),
    Column("Broker", Kind.TEXT, lambda row: row[1].broker),
    Column("Exchange", Kind.TEXT, lambda row: row[1].exchange),
    Column("Side", Kind.TEXT, lambda row: row[1].side),
    Column("Charge", Kind.TEXT, lambda row: row[1].charge),
    # As it was entered: rates of up to eight decimals, rupees and percents in one column.
    Column("Rate", Kind.TEXT, lambda row: f"{row[1].rate.normalize():f}"),
    Column("Unit", Kind.TEXT, lambda row: row[1].unit),
    Column("Source", Kind.TEXT, lambda row: row[1].source),
    Column("Entered (IST)", Kind.INSTANT, lambda row: row[0].created_at),
)
