"""What can be wrong with an entry of a register, a rule or a document."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere, TooLarge


class EntryNotFound(NotThere):
    message = "Record not found"


class UnfitEntry(Invalid):
    """A field that cannot be saved as it is."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class AlreadyClosed(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This entry is closed already."


class NoApproval(Invalid):
    message = (
        "The rule in force asks for an approval before release: enter its number and its day first."
    )


class NotOwnEntry(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "You can declare and change your own holdings and trades only."


class DocumentTooLarge(TooLarge):
    message = "The file is larger than 2 MB."


class WrongDocument(Invalid):
    message = "The file is not a PDF, PNG or JPEG. Choose one of these."


class DocumentNotFound(NotThere):
    message = "No file was uploaded for this entry."


class RuleInForce(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Rules of past days stay as they are. Enter the new one from today or a later day."


class UnfitRule(Invalid):
    pass
