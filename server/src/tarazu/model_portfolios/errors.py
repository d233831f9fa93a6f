"""What can be wrong with a model portfolio or its subscribers."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class ModelNotFound(NotThere):
    message = "Model portfolio not found"


class ModelVersionNotFound(NotThere):
    message = "This model portfolio has no such version."


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
