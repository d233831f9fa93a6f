"""What can be wrong with entries for tax lots."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class UnfitLotEntry(Invalid):
    """An entry that cannot be; the text names the field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class EntryNotFound(NotThere):
    message = "This entry is not there. Reload the list."


class UnknownTaxYear(ApiError):
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    message = "Give a tax year from 2018-19 to the present one, such as 2026-27."
