"""Columns of the exports of lots and gains."""

from collections.abc import Sequence
from fractions import Fraction

from tarazu.domain.money import Rupees
from tarazu.domain.tax.rates import Line
from tarazu.domain.tax.values import Lot
from tarazu.kit.export import Column, Kind
from tarazu.tax.service import NamedGain, StockLots
from tarazu.tax.wording import ITEMS, REASONS, SOURCES, rupees

LotOfStock = tuple[StockLots, Lot]


def _cost(row: LotOfStock) -> Rupees | None:
    stock, lot = row
    return rupees(lot.cost) if stock.why is None or lot.demat else None


LOTS: Sequence[Column[LotOfStock]] = (
    Column("Stock", Kind.TEXT, lambda row: row[0].symbol),
    Column("ISIN", Kind.TEXT, lambda row: row[0].isin),
    Column("Shares", Kind.WHOLE, lambda row: row[1].quantity),
    Column("Bought", Kind.DAY, lambda row: row[1].bought_on),
    Column("Cost", Kind.RUPEES, _cost),
    Column("Source", Kind.TEXT, lambda row: SOURCES[row[1].source]),
    Column("Demat account", Kind.TEXT, lambda row: row[1].demat),
    Column("Note", Kind.TEXT, lambda row: REASONS[row[0].why] if row[0].why else ""),
)


def _known(row: NamedGain, amount: Fraction | None) -> Rupees | None:
    return rupees(amount) if row.gain.why is None else None


GAINS: Sequence[Column[NamedGain]] = (
    Column("Stock", Kind.TEXT, lambda row: row.symbol),
    Column("ISIN", Kind.TEXT, lambda row: row.gain.disposal.isin),
    Column("Shares", Kind.WHOLE, lambda row: row.gain.disposal.quantity),
    Column("Kind", Kind.TEXT, lambda row: row.gain.disposal.kind),
    Column("Bought", Kind.DAY, lambda row: row.gain.disposal.bought_on),
    Column("Sold", Kind.DAY, lambda row: row.gain.disposal.sold_on),
    Column("Term", Kind.TEXT, lambda row: row.gain.term or ""),
    Column("Proceeds", Kind.RUPEES, lambda row: _known(row, row.gain.proceeds)),
    Column("Cost", Kind.RUPEES, lambda row: _known(row, row.gain.cost)),
    Column("Gain", Kind.RUPEES, lambda row: rupees(row.gain.amount)),
    Column("Note", Kind.TEXT, lambda row: REASONS[row.gain.why] if row.gain.why else ""),
)


RATES: Sequence[Column[Line]] = (
    Column("From", Kind.DAY, lambda line: line.effective_on),
    Column("Rate", Kind.TEXT, lambda line: ITEMS.get(line.item, line.item)),
    Column("Value", Kind.TEXT, lambda line: line.value),
    Column("Unit", Kind.TEXT, lambda line: line.unit),
    Column("Source", Kind.TEXT, lambda line: line.source),
)
