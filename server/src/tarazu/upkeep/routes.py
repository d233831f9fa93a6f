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
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from tarazu.auth import guards
from tarazu.kit import clock
from tarazu.kit.alarms import Alarm, Alarms
from tarazu.kit.db import Database
from tarazu.kit.metrics import PROCESS, gauges, text_of
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
    database: Database = request.app.state.database
    alarms: Alarms = request.app.state.alarms
    raised = {alarm.value: alarms.text_of(alarm) is not None for alarm in Alarm}
    state: list[Metric] = [
        *_of_process(),
        GaugeMetricFamily(
            "tarazu_sockets", "Open sockets of browsers.", request.app.state.hub.browsers
        ),
        *request.app.state.bus.metrics(),
        gauges("tarazu_alarm", "Whether this is wrong with the installation.", "alarm", raised),
    ]
    try:
        with database.reading() as session:
            state += service.database_metrics(session, clock.today())
            health = _feed_of(request, session)
            if health is not None:
                state += health.metrics(clock.now())
        is_up = True
    except SQLAlchemyError:
        # Not raised: the metrics must show that the database is away.
        is_up = False
    state.append(GaugeMetricFamily("tarazu_database_up", "Whether the database answers.", is_up))
    return Response(text_of([*PROCESS.collect(), *state]), media_type=CONTENT_TYPE_PLAIN_0_0_4)


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


def _of_process() -> list[Metric]:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024
    return [
        CounterMetricFamily(
            "process_cpu_seconds",
            "Processor time of this process.",
            usage.ru_utime + usage.ru_stime,
        ),
        GaugeMetricFamily(
            "process_max_resident_memory_bytes",
            "The most memory that this process held.",
            usage.ru_maxrss * unit,
        ),
    ]
