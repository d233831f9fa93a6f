"""Why papers of a client cannot be recorded or shown."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere
from tarazu.kit.translation import N_


class ConsentNotFound(NotThere):
    message = "Consent not found"


class UnfitPaper(Invalid):
    """A field that cannot be saved as it is."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class ConsentChanged(ApiError):
    """The text is no longer the one in force."""

    status = HTTPStatus.CONFLICT
    message = N_("This text has changed since you opened the page. Read the new one first.")


class NotWithdrawable(ApiError):
    status = HTTPStatus.CONFLICT
    message = N_("Only the consents to personal data and to reading holdings can be withdrawn.")


class AlreadyWithdrawn(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This consent was withdrawn already."
