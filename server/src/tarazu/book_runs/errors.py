"""What can be wrong with a run over the book."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, NotThere


class RunNotFound(NotThere):
    message = "Run not found"


class ClientNotInRun(NotThere):
    message = "This client is not in the run."


class RunNotInReview(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This run is not in review."


class CannotBeIncluded(ApiError):
    """A client whom nothing can be sent to; the sentence says why."""

    status = HTTPStatus.CONFLICT


class NothingIncluded(ApiError):
    status = HTTPStatus.CONFLICT
    message = "No client is included."


class SelectionChanged(ApiError):
    """Not as many clients are included as the sender saw."""

    status = HTTPStatus.CONFLICT


class PricesTooOld(ApiError):
    """The prices of a run are older than the firm's limit: it has to be computed again."""

    status = HTTPStatus.CONFLICT


class RunEnded(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This run has ended."
