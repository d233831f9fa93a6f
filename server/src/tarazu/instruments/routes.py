"""Calls on instruments. Those that use the price feed are in `prices.routes`."""

from typing import Annotated

from fastapi import Query

from tarazu.instruments import service
from tarazu.instruments.schemas import Found
from tarazu.kit.auth_route import StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Reply, reply

router = authorized_router("/instruments")


@router.get("/search")
def search_instruments(
    session: OpenSession, _: StaffWithoutClients, query: Annotated[str, Query(max_length=100)] = ""
) -> Reply[list[Found]]:
    return reply(Found.rows(service.search(session, query)))
