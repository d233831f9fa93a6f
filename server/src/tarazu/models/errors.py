"""What can be wrong with a model portfolio, its subscribers, or a run over the book."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class ModelNotFound(NotThere):
    message = "Model portfolio not found"


class ModelVersionNotFound(NotThere):
    message = "This model portfolio has no such version."


class RunNotFound(NotThere):
    message = "Run not found"


class ClientNotInRun(NotThere):
    message = "This client is not in the run."


class ModelExists(ApiError):
    status = HTTPStatus.CONFLICT
    message = "A model portfolio of this name exists."


class UnfitModel(Invalid):
    """A constituent or text cannot be; the sentence says which."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class NothingDiffers(Invalid):
    """A new version says what the newest says."""


class FollowsAnother(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The client follows another model portfolio."


class ModelRetired(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This model portfolio is retired."


class NoSubscribers(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This model portfolio has no subscribers."


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
