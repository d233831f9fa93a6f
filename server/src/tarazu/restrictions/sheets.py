"""Columns of the export of a client's restrictions."""

from collections.abc import Sequence

from tarazu.domain.restrictions import words_of
from tarazu.kit.export import Column, Kind
from tarazu.restrictions.service import ClientRestriction

RESTRICTIONS: Sequence[Column[ClientRestriction]] = (
    Column("Stock", Kind.TEXT, lambda row: row.instrument.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row.instrument.exchange),
    Column("ISIN", Kind.TEXT, lambda row: row.instrument.isin),
    Column("Restriction", Kind.TEXT, lambda row: words_of(row.restriction)),
    Column("Minimum %", Kind.PERCENT, lambda row: row.restriction.minimum),
    Column("Maximum %", Kind.PERCENT, lambda row: row.restriction.maximum),
    Column("Reason", Kind.TEXT, lambda row: row.reason),
)
