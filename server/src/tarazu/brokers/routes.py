"""Calls on the firm's session with its broker."""

from tarazu.brokers import service
from tarazu.brokers.schemas import Connection
from tarazu.kit import clock
from tarazu.kit.access import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.wire import Reply, reply

router = guarded_router("/admin/broker")


@router.get("")
def show_broker_connection(session: OpenSession, _: Staff) -> Reply[Connection]:
    return reply(Connection(is_connected=service.is_connected(session, clock.now())))
