"""Calls that answer with a price."""

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.prices import service
from tarazu.prices.schemas import BrokerToken, NamedStock, WatchedStock

router = authorized_router("/instruments")


@router.post("/add")
def watch_stock(body: NamedStock, session: OpenSession, caller: Admin) -> Reply[WatchedStock]:
    listed = instruments.watch(session, caller, clock.now(), body.exchange, body.symbol_name)
    quote = service.last_prices(session, [listed.instrument_token]).get(listed.instrument_token)
    stock = WatchedStock(
        zerodha=BrokerToken(instrument_token=listed.instrument_token),
        angel_one=BrokerToken(instrument_token=listed.angel_token),
        symbol=listed.symbol,
        exchange=listed.exchange,
        isin=listed.isin,
        ltp=quote.price if quote else None,
    )
    return reply(stock, "Stock added successfully")


@router.delete("/remove")
def unwatch_stock(body: NamedStock, session: OpenSession, caller: Admin) -> Done:
    instruments.unwatch(session, caller, clock.now(), body.exchange, body.symbol_name)
    return done("Stock removed successfully")
