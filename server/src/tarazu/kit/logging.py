"""Logs: JSON lines of events with ids; never bodies, headers, tokens, names or phones."""

import logging
import sys

import structlog
from structlog.typing import Processor


def set_up_logging(level: str) -> None:
    """Send every log line to standard error as JSON, our own and the libraries'."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            *shared,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        processor=structlog.processors.JSONRenderer(), foreign_pre_chain=shared
    )
    to_stderr = logging.StreamHandler(sys.stderr)
    to_stderr.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [to_stderr]
    root.setLevel(level.upper())
    # A request is one line of ours; the server's access log would repeat it with its URL.
    logging.getLogger("uvicorn.access").handlers[:] = []
    logging.getLogger("uvicorn.access").propagate = False
    # Some of these would write the whole address of every call, secrets in it included, and what
    # is sent on a socket: uvicorn logs addresses of sockets as information, frames when debugging.
    for chatty in (
        "uvicorn.error",
        "websockets",
        "engineio",
        "socketio",
        "alembic",
        "httpx",
        "httpx2",
        "httpcore",
    ):
        logging.getLogger(chatty).setLevel(logging.WARNING)
