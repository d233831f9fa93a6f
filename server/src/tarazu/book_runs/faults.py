"""Errors of one client of a run, which must not stop the others."""

import uuid
from typing import Final

import structlog

from tarazu.domain.rebalancing.plan import CannotPlan
from tarazu.kit.errors import ApiError

log = structlog.get_logger(__name__)

FAULT: Final = "Something went wrong; nothing was sent."
FAULTS: Final = (ApiError, ArithmeticError, LookupError, TypeError, ValueError)


def fault_text(error: Exception, client_id: uuid.UUID | None = None) -> str:
    """The text of a fault for the screen; an unexpected fault is logged and gets a general text."""
    if isinstance(error, ApiError):
        return error.message
    if isinstance(error, CannotPlan):
        return f"{error}."
    about = str(client_id) if client_id else None
    name = type(error).__name__
    log.error("book_fault", client_id=about, error=name, exc_info=error)
    return FAULT
