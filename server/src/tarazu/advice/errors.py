"""Refusals of rebalances and of advice that is sent."""

from collections.abc import Mapping
from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class NoHoldingsFound(NotThere):
    """No such client, or one with neither holdings nor cash."""

    def __init__(self, code: str) -> None:
        super().__init__(f"No holdings found for {code}.")


class AdviceNotFound(NotThere):
    message = "Advice not found"


class AdviceNotSealed(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This advice is not sealed: it was not sent by this product."


class LetterLost(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The letter is lost: it was removed from the database. Restore it from a backup."


class NothingToResend(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The mail of this advice is queued or was sent."


class UnfitRequest(Invalid):
    """A figure or row of a request is invalid; the message says which and why."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class TaxNotKnown(Invalid):
    """A stop of "Less tax" was chosen, but the tax is not known; the message says why."""


class AllocationOver100(Invalid):
    message = "Total target allocation cannot exceed 100%"


class NothingToSend(Invalid):
    message = "There is nothing to send: every row is HOLD."


class UnfitStock(Invalid):
    """A row that was sent is invalid; the message names the stock."""

    def __init__(self, place: int, symbol: str, reason: str) -> None:
        message = f"{symbol}: {reason}"
        super().__init__(message, errors=[{"field": f"stocks.{place}", "message": message}])


class TotalsDiffer(Invalid):
    message = "The totals do not add up to the rows."


class RebalanceNotKnown(Invalid):
    message = "This rebalance is no longer available. Rebalance again."


class RebalanceOfAnother(Invalid):
    message = "This rebalance belongs to another client."


class NotAsRebalanced(Invalid):
    message = "The rows differ from the rebalance. Rebalance again."


class SendBlocked(Invalid):
    """Checks before the send block it; each with its id and text."""

    def __init__(self, blocked: Mapping[str, str]) -> None:
        errors = [{"field": name, "message": text} for name, text in blocked.items()]
        super().__init__(" ".join(blocked.values()), errors=errors)


class ClientInactive(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Advice cannot be sent: the client is inactive."


class AlreadySent(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This rebalance was already sent."
