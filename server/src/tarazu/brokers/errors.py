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
    """The broker's record is missing, inactive or incomplete; the message says which."""

    status = HTTPStatus.CONFLICT
    message = "Add the broker in Broker & Exchange first."


class LoginNotBegun(ApiError):
    message = "This broker log-in was not started here or has expired. Connect the broker again."


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
    message = "The broker did not accept this log-in. Log in again."


class WrongBrokerId(ApiError):
    """The log-in belongs to another person than the link's client."""

    status = HTTPStatus.CONFLICT
    message = "This is not the broker ID we have for you. Log in with your own ID, or contact us."


class BrokerIdGone(ApiError):
    status = HTTPStatus.CONFLICT
    message = "There is no broker ID left to confirm. Reload the page."


class BrokerIdTaken(ApiError):
    """Another client has the id; the message says who."""

    status = HTTPStatus.CONFLICT
    message = "This broker ID belongs to another client."
