"""The call that says where prices came from."""

from tarazu.dashboard.price_sources import StalePrice, price_sources
from tarazu.dashboard.schemas import PriceSourceRow, PriceSources, StalePriceRow
from tarazu.kit import clock
from tarazu.kit.auth_route import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Reply, reply

router = guarded_router("/admin/prices")


@router.get("/sources")
def list_price_sources(session: OpenSession, _: Staff) -> Reply[PriceSources]:
    found = price_sources(session, clock.now())
    return reply(
        PriceSources(
            stocks=found.stocks,
            stale_count=found.stale_count,
            sources=PriceSourceRow.rows(found.sources),
            stale=[_stale(one) for one in found.stale],
        )
    )


def _stale(one: StalePrice) -> StalePriceRow:
    return StalePriceRow(
        symbol=one.listed.symbol,
        exchange=one.listed.exchange,
        name=one.listed.name,
        isin=one.listed.isin,
        price=one.quote.price if one.quote else None,
        priced_at=one.quote.at if one.quote else None,
        source=one.quote.source if one.quote else None,
        is_held=one.is_held,
    )
