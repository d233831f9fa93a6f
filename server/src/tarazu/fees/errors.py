"""Errors of fees and of the fee schedule."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid


class FinalBeforeStart(Invalid):
    message = "The final date cannot be before the starting date."


class NothingToStartFrom(Invalid):
    message = "The starting value must be above zero."


class PeriodOverlaps(Invalid):
    """Another fee of the client covers some of these days; the text names its period."""


class FinalValueKept(Invalid):
    message = "A closed period keeps its final value. Delete the row and add it again."


class NothingToPay(Invalid):
    message = "An open period has no fee to pay yet."


class PaidAhead(Invalid):
    message = "A fee cannot be paid on a future day."


class PaidBeforeStart(Invalid):
    message = "A fee cannot be paid before its period starts."


class FeeIsPaid(ApiError):
    status = HTTPStatus.CONFLICT
    message = "A paid fee keeps its period. Set it to DUE first."


class ScheduleInUse(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Fees were computed with the version of that day. Choose another day."
