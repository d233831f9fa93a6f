"""Errors of clients' money and shares."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class UnfitHolding(Invalid):
    message = "A holding has a whole number of shares above zero and a price of zero or more."


class UnfitDate(Invalid):
    message = "Please select a valid date"


class UnfitAmount(Invalid):
    message = "Please enter a valid amount"


class CashFromBroker(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The broker is connected and reports the cash. Sync the client instead."


class TransactionNotFound(NotThere):
    message = "Transaction not found"


class CannotClose(Invalid):
    """A day cannot be closed; the text says why."""
