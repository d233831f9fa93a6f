"""The route of trades of staff that break the rules of own trading."""

import datetime as dt
from collections.abc import Sequence

from tarazu.advice.own_trading import DeclaredBreach, own_trading_breaches
from tarazu.domain.charges import Side
from tarazu.domain.own_trading import BreachKind
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.export import Column, Kind
from tarazu.kit.schemas import Reply, Schema, attribute, reply

router = authorized_router("/admin/disclosures/breaches")

BREACHES: Sequence[Column[DeclaredBreach]] = (
    Column("Staff", Kind.TEXT, lambda row: row.declaration.staff_name),
    Column("Relative", Kind.TEXT, lambda row: row.declaration.entry.relative),
    Column("Stock", Kind.TEXT, lambda row: row.declaration.stock.symbol),
    Column("Side", Kind.TEXT, lambda row: row.declaration.entry.side),
    Column("Quantity", Kind.WHOLE, lambda row: row.declaration.entry.quantity),
    Column("Traded On", Kind.DAY, lambda row: row.declaration.entry.dated_on),
    Column("Advised On", Kind.DAY, lambda row: row.breach.advised_on),
    Column("Days Apart", Kind.WHOLE, lambda row: row.breach.days),
    Column("Breach", Kind.TEXT, lambda row: row.breach.kind),
)


class BreachRow(Schema):
    """`days` is how far the trade and the advice are apart."""

    staff_name: str = attribute("declaration.staff_name", "staffName")
    relative: str = attribute("declaration.entry.relative", "relative")
    trading_symbol: str = attribute("declaration.stock.symbol", "tradingSymbol")
    side: Side = attribute("breach.trade.side", "side")
    quantity: int = attribute("declaration.entry.quantity", "quantity")
    traded_on: dt.date = attribute("breach.trade.traded_on", "tradedOn")
    advised_on: dt.date = attribute("breach.advised_on", "advisedOn")
    days: int = attribute("breach.days", "days")
    kind: BreachKind = attribute("breach.kind", "kind")


@router.get("")
def list_own_trading_breaches(session: OpenSession, _: Admin) -> Reply[list[BreachRow]]:
    return reply(BreachRow.rows(own_trading_breaches(session)))


@list_export(router, "/export", "Own Trading Breaches", BREACHES)
def export_own_trading_breaches(session: OpenSession, _: Admin) -> Exported[DeclaredBreach]:
    return Exported(own_trading_breaches(session))
