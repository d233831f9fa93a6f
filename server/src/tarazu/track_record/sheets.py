"""Columns of the record of calls as an export."""

from collections.abc import Sequence

from tarazu.advice.service import ChainedLine
from tarazu.kit.export import Column, Kind

RECORD: Sequence[Column[ChainedLine]] = (
    Column("Seal", Kind.WHOLE, lambda row: row.line.seal),
    Column("Row", Kind.WHOLE, lambda row: row.line.place),
    Column("Sent (IST)", Kind.INSTANT, lambda row: row.line.sent_at),
    Column("ISIN", Kind.TEXT, lambda row: row.line.isin),
    Column("Exchange", Kind.TEXT, lambda row: row.line.exchange),
    Column("Stock", Kind.TEXT, lambda row: row.line.symbol),
    Column("Side", Kind.TEXT, lambda row: row.line.side),
    Column("Weight", Kind.PERCENT, lambda row: row.line.weight),
    Column("Advised Price", Kind.PRICE, lambda row: row.line.price),
    Column("Valid Until", Kind.DAY, lambda row: row.line.valid_until),
    Column("Model", Kind.TEXT, lambda row: row.line.model),
    Column("Model Version", Kind.WHOLE, lambda row: row.line.model_number),
    Column("Seal Hash", Kind.TEXT, lambda row: row.line.seal_hash),
    Column("Previous Hash", Kind.TEXT, lambda row: row.previous_hash),
    Column("Hash", Kind.TEXT, lambda row: row.hash),
)
