"""The route of the sources of prices."""

from tarazu.dashboard.price_sources import price_sources
from tarazu.dashboard.schemas import PriceSources
from tarazu.kit import clock
from tarazu.kit.auth_route import StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Reply, reply
from tarazu.teams.service import visible_clients

router = authorized_router("/admin/prices")


@router.get("/sources")
def list_price_sources(session: OpenSession, caller: StaffOfVisible) -> Reply[PriceSources]:
    visible = visible_clients(session, caller)
    return reply(PriceSources.model_validate(price_sources(session, clock.now(), visible)))
