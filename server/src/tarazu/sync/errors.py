"""Why a client's holdings were not taken over from the broker."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, NotThere


class NotConnected(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The client is not logged in at the broker. Send a connect link first."


class AnotherPerson(ApiError):
    """The session belongs to somebody else than the client; nothing of it is taken."""

    status = HTTPStatus.CONFLICT
    message = "The broker session belongs to another person. Nothing was changed."


class Doubted(ApiError):
    """The broker's list of holdings is empty where something was held: it is not believed."""

    status = HTTPStatus.CONFLICT
    message = (
        "The broker's list of holdings is empty, though this client held stocks. The holdings are "
        "kept. We will check again; the empty list is applied after three such answers over "
        "an hour, or when you confirm it."
    )


class ChangeNotFound(NotThere):
    message = "Change not found"


class NeverSynced(NotThere):
    message = "The client was never synced from a broker."
