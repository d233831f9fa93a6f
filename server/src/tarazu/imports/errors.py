"""Errors of a file, or of the client chosen for it."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from tarazu.kit.errors import ApiError, Invalid, NotThere, TooLarge


class FileTooLarge(TooLarge):
    message = "The file is larger than 5 MB."


class UnreadableFile(Invalid):
    message = "This file cannot be imported."


class NotATradebook(Invalid):
    message = (
        "This file is not a tradebook. Choose the tradebook of Zerodha Console or the trades "
        "history of Angel One."
    )


class ClientNotChosen(Invalid):
    message = "Choose the client this file belongs to."


class ClientIsInactive(Invalid):
    message = "This client is inactive; activate the client first."


class FirmFileForOneClient(Invalid):
    message = "This is a firm-wide file; import it without choosing a client."


class FileOfAnotherClient(Invalid):
    message = "The file belongs to another client."


class NothingToImport(Invalid):
    message = "The file holds nothing to import; nothing was changed."


class ClientsChanged(ApiError):
    status = HTTPStatus.CONFLICT
    message = "A client of this file was changed meanwhile; import the file again."


class ImportNotFound(NotThere):
    message = "Import not found"


class ImportGivenUp(ApiError):
    status = HTTPStatus.CONFLICT
    message = (
        "The import took too long and was stopped. Nothing was changed; import the file again."
    )


class ImportStopped(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The server stopped during this import. Nothing was changed; import the file again."


class RowsRefused(Invalid):
    """Rows are refused, and the options do not leave them out.

    Args:
        message: one sentence for a person.
        errors: line and reason of the refused rows.
        outcome: the whole report, stored with the import.
    """

    def __init__(
        self, message: str, errors: Sequence[Mapping[str, str]], outcome: Mapping[str, Any]
    ) -> None:
        super().__init__(message, errors=errors)
        self.outcome = outcome


class PricesRefused(Invalid):
    """All rows of a file of prices are refused.

    Args:
        rows: line and reason of the first ones.
    """

    def __init__(self, message: str, rows: Sequence[tuple[int, str]]) -> None:
        errors = [{"field": f"line {line}", "message": reason} for line, reason in rows]
        super().__init__(message, errors=errors)


class IndexNotChosen(Invalid):
    """A file has several indices, or names none, and the request names none.

    Args:
        names: the indices of the file.
    """

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message, errors=[{"field": "name", "message": name} for name in names])


class IndexNotInFile(Invalid):
    message = "This index is not in the file."


class IndexValuesRefused(PricesRefused):
    """Rows of a file of index values are refused, and with them the file."""
