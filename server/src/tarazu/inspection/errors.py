"""What can be wrong with a pack."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class UnfitPack(Invalid):
    """A field of a pack with which none can be made."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])


class PackNotFound(NotThere):
    message = "Pack not found"


class PackUnderWay(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This pack is being made already. Wait until it is ready."


class PackNotReady(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This pack is not ready yet."


class PackFileGone(NotThere):
    message = "The file of this pack is no longer on this server. Make the pack again."
