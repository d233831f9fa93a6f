"""Readiness, and metrics for Prometheus.

Everybody may ask whether the installation is ready. Metrics are for this computer and the addresses
of TARAZU_METRICS_ALLOW.
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
            health = _feed_of(request, session)
    except SQLAlchemyError:
        # Not raised: a load balancer asks until the database is back.
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return {"ready": False}
    # Everything else works without prices or the bus: neither makes it unready.
    answer: dict[str, Any] = {"ready": True}
    if _may_read(request, request.app.state.settings):
        bus: MessageBus = request.app.state.bus
        answer |= {} if health is None else {"feed": health.shown(clock.now())}
        answer |= {"bus": "up" if bus.is_up else "down"} if bus.is_shared else {}
    return answer


@router.get("/metrics")
def show_metrics(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    if not _may_read(request, settings):
        # As if the page did not exist.
        return Response("Not Found\n", 404, media_type="text/plain")
    bus: MessageBus = request.app.state.bus
    lines = [*COUNTS.lines(), *_of_process(), *_of_sockets(request), *bus.lines()]
    database: Database = request.app.state.database
    try:
        with database.reading() as session:
            lines += service.database_lines(session)
            health = _feed_of(request, session)
            if health is not None:
                lines += health.lines(clock.now())
        up = 1
    except SQLAlchemyError:
        # Not raised: the metrics must show that the database is away.
        up = 0
    alarms: Alarms = request.app.state.alarms
    raised: dict[Labels, float] = {
        (("alarm", alarm.value),): alarms.text_of(alarm) is not None for alarm in Alarm
    }
    lines += family("tarazu_alarm", "gauge", "Whether this is wrong with the installation.", raised)
    lines += family("tarazu_database_up", "gauge", "Whether the database answers.", up)
    return Response(text_of(lines), media_type=CONTENT_TYPE)


def _feed_of(request: Request, session: Session) -> FeedHealth | None:
    """The health of the price feed; None if the process does not run one, as while it starts."""
    parts: FeedParts | None = request.app.state.feed_parts
    return None if parts is None else feed_health.health_of(parts, session, clock.now())


def _may_read(request: Request, settings: Settings) -> bool:
    """Whether the caller is this computer, or an address of TARAZU_METRICS_ALLOW.

    A request through a proxy counts by the address that the proxy names; it is refused if the proxy
    is not a trusted one.
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
