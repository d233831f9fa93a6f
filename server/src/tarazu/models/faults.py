"""What one client of a run may be at fault with, so that the others need not wait."""

import uuid
from typing import Final

import structlog

from tarazu.domain.rebalance import CannotPlan
from tarazu.kit.errors import ApiError

log = structlog.get_logger(__name__)

FAULT: Final = "Something went wrong; nothing was sent."
FAULTS: Final = (ApiError, ArithmeticError, LookupError, TypeError, ValueError)


def words_of_fault(error: Exception, client_id: uuid.UUID | None = None) -> str:
    """What the screen says of a fault; one that is ours is logged and says no more."""
    if isinstance(error, ApiError):
        return error.message
    if isinstance(error, CannotPlan):
        return f"{error}."
    about = str(client_id) if client_id else None
    name = type(error).__name__
    log.error("book_fault", client_id=about, error=name, exc_info=error)
    return FAULT
