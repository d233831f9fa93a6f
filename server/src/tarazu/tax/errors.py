"""What can be wrong with entries for tax lots."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class UnfitField(Invalid):
    """A value that cannot be; the answer names the field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class UnfitLotEntry(UnfitField):
    """An entry that cannot be."""


class UnfitRates(UnfitField):
    """Rates that cannot be."""


class RatesEntered(ApiError):
    status = HTTPStatus.CONFLICT


class RatesKept(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Rates of a tax year that is over are kept: statements were made with them."


class RateVersionNotFound(NotThere):
    message = "These rates are not there. Reload the list."


class EntryNotFound(NotThere):
    message = "This entry is not there. Reload the list."


class UnknownTaxYear(ApiError):
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    message = "Give a tax year from 2018-19 to the present one, such as 2026-27."
