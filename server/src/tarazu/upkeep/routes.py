"""Whether the installation can serve, and the page that Prometheus reads.

Everybody is told whether it is ready. Figures are for this computer and those that are named.
"""

import resource
import sys
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any

from fastapi import APIRouter, Request, Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from tarazu.auth import guards
from tarazu.kit import clock
from tarazu.kit.alarms import Alarm, Alarms
from tarazu.kit.db import Database
from tarazu.kit.metrics import CONTENT_TYPE, COUNTS, Labels, family, text_of
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.settings import Settings, networks_in
from tarazu.upkeep import feed_health, service
from tarazu.upkeep.feed_health import FeedHealth, FeedParts

router = APIRouter(include_in_schema=False)


@router.get("/health/ready")
def show_ready(request: Request, response: Response) -> dict[str, Any]:
    alarms: Alarms = request.app.state.alarms
    damage = alarms.text_of(Alarm.DAMAGED)
    if damage is not None:
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return {"ready": False, "message": damage}
    database: Database = request.app.state.database
    try:
        with database.reading() as session:
            session.execute(text("SELECT 1 FROM firm"))
            found = _feed_of(request, session)
    except SQLAlchemyError:
        # Answered, not raised: a load balancer asks until the database is back.
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return {"ready": False}
    # Without prices or the bus everything else goes on: neither ever makes it unready.
    told: dict[str, Any] = {"ready": True}
    if _may_read(request, request.app.state.settings):
        bus: MessageBus = request.app.state.bus
        told |= {} if found is None else {"feed": found.shown(clock.now())}
        told |= {"bus": "up" if bus.is_up else "down"} if bus.is_shared else {}
    return told


@router.get("/metrics")
def show_metrics(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    if not _may_read(request, settings):
        # As if it were not there: a stranger need not know that it is.
        return Response("Not Found\n", 404, media_type="text/plain")
    bus: MessageBus = request.app.state.bus
    lines = [*COUNTS.lines(), *_of_process(), *_of_sockets(request), *bus.lines()]
    database: Database = request.app.state.database
    try:
        with database.reading() as session:
            lines += service.database_lines(session)
            found = _feed_of(request, session)
            if found is not None:
                lines += found.lines(clock.now())
        up = 1
    except SQLAlchemyError:
        # Told, not raised: that the database is gone is what whoever reads this wants to know.
        up = 0
    alarms: Alarms = request.app.state.alarms
    raised: dict[Labels, float] = {
        (("alarm", one.value),): alarms.text_of(one) is not None for one in Alarm
    }
    lines += family("tarazu_alarm", "gauge", "Whether this is wrong with the installation.", raised)
    lines += family("tarazu_database_up", "gauge", "Whether the database answers.", up)
    return Response(text_of(lines), media_type=CONTENT_TYPE)


def _feed_of(request: Request, session: Session) -> FeedHealth | None:
    """How the price feed does; None where the process does not run one, as while it starts."""
    parts: FeedParts | None = request.app.state.feed_parts
    return None if parts is None else feed_health.health_of(parts, session, clock.now())


def _may_read(request: Request, settings: Settings) -> bool:
    """Whether the caller is this computer, or one of those named by TARAZU_METRICS_ALLOW.

    A call that a proxy passed on is not this computer's: it counts by the address the proxy names,
    and not at all where the proxy is none of ours.
    """
    is_passed_on = any(
        name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP")
    )
    if is_passed_on and not settings.trusted_proxies:
        return False
    try:
        address = ip_address(guards.ip_of(request))
    except ValueError:
        return False
    return address.is_loopback or any(
        address in network for network in networks_in(settings.metrics_allow)
    )


def _of_process() -> list[str]:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024
    return [
        *family(
            "process_cpu_seconds_total",
            "counter",
            "Processor time of this process.",
            usage.ru_utime + usage.ru_stime,
        ),
        *family(
            "process_max_resident_memory_bytes",
            "gauge",
            "The most memory that this process held.",
            usage.ru_maxrss * unit,
        ),
    ]


def _of_sockets(request: Request) -> list[str]:
    count = request.app.state.hub.browsers
    return family("tarazu_sockets", "gauge", "Open sockets of browsers.", count)
