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


class FeeOverLimit(Invalid):
    """The fee takes its family over the yearly limit; the text has the arithmetic."""


class TooFarAhead(Invalid):
    """The fee covers more in advance than the rules allow; the text names the last day."""


class FeeIsInvoiced(ApiError):
    """A fee with an invoice stays as it is; the text names the invoice."""

    status = HTTPStatus.CONFLICT


class FeeNotPaid(Invalid):
    message = "Only a paid fee can be refunded."


class PeriodOpen(Invalid):
    message = "The period has no final date yet, so its unserved days are not known."


class EndedOutsidePeriod(Invalid):
    """The service did not end inside the period of the fee; the text names the period."""


class RefundAhead(Invalid):
    message = "A refund cannot be paid on a future day."


class RefundBeforePayment(Invalid):
    message = "A refund cannot be paid before the fee was paid."


class RefundTooSmall(Invalid):
    """Less than the unserved share goes back; the text has the amount."""


class NotInvoiced(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This fee has no invoice that a credit note could correct. Make its invoice first."


class ScheduleInUse(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Fees were computed with the version of that day. Choose another day."
