"""What can be wrong with a broker's record, or with a log-in at a broker."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class BrokerNotFound(NotThere):
    message = "Broker not found"


class BrokerAlreadyAdded(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This broker was added already."


class SecretWanted(Invalid):
    message = "Enter the API secret again when changing the API URL."


class UnfitAddress(Invalid):
    message = "The API URL cannot be used."


class BrokerNotReady(ApiError):
    """The broker's record is missing, inactive or not complete; the sentence says which."""

    status = HTTPStatus.CONFLICT
    message = "Add the broker in Broker & Exchange first."


class LoginNotBegun(ApiError):
    message = "This broker log-in was not begun here, or it is too old. Connect the broker again."


class FirmNotLoggedIn(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The firm is not logged in at a broker."


class BrokerUnreachable(ApiError):
    status = HTTPStatus.BAD_GATEWAY
    message = "Failed to connect broker"


class ClientNotActive(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The client is inactive. Set the client active first."


class LinkInvalid(ApiError):
    message = "This link is invalid or has expired. Ask for a new one."


class LoginRefused(ApiError):
    message = "The broker did not accept this log-in. Log in once more."


class WrongBrokerId(ApiError):
    """The log-in is another person's than the link's client."""

    status = HTTPStatus.CONFLICT
    message = "This is not the broker ID that we know you by. Log in with your own, or ask us."


class BrokerIdGone(ApiError):
    status = HTTPStatus.CONFLICT
    message = "There is no broker ID to confirm any more. Reload and look again."


class BrokerIdTaken(ApiError):
    """Another client has the id; the sentence says who."""

    status = HTTPStatus.CONFLICT
    message = "This broker ID belongs to another client."
