"""Columns of the record of calls as an export."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind
from tarazu.track_record.raw_record import RawRow

RECORD: Sequence[Column[RawRow]] = (
    Column("Seal", Kind.WHOLE, lambda row: row.chained.line.seal),
    Column("Row", Kind.WHOLE, lambda row: row.chained.line.place),
    Column("Sent (IST)", Kind.INSTANT, lambda row: row.chained.line.sent_at),
    Column("ISIN", Kind.TEXT, lambda row: row.chained.line.isin),
    Column("Exchange", Kind.TEXT, lambda row: row.chained.line.exchange),
    Column("Stock", Kind.TEXT, lambda row: row.chained.line.symbol),
    Column("Side", Kind.TEXT, lambda row: row.chained.line.side),
    Column("Weight", Kind.PERCENT, lambda row: row.chained.line.weight),
    Column("Advised Price", Kind.PRICE, lambda row: row.chained.line.price),
    Column("Valid Until", Kind.DAY, lambda row: row.chained.line.valid_until),
    Column("Model", Kind.TEXT, lambda row: row.chained.line.model),
    Column("Model Version", Kind.WHOLE, lambda row: row.chained.line.model_number),
    Column("Seal Hash", Kind.TEXT, lambda row: row.chained.line.seal_hash),
    Column("Previous Hash", Kind.TEXT, lambda row: row.chained.previous_hash),
    Column("Hash", Kind.TEXT, lambda row: row.chained.hash),
    Column("Shown With", Kind.TEXT, lambda row: row.words),
)
