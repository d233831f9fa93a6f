"""Why a client's holdings were not taken over from the broker."""

from http import HTTPStatus

from tarazu.kit.errors import NotThere, Refusal


class NotConnected(Refusal):
    status = HTTPStatus.CONFLICT
    message = "The client is not logged in at the broker. Send a connect link first."


class AnotherPerson(Refusal):
    """The session belongs to somebody else than the client; nothing of it is taken."""

    status = HTTPStatus.CONFLICT
    message = "The broker session belongs to another person. Nothing was changed."


class Doubted(Refusal):
    """The broker says that nothing is held where something was."""

    status = HTTPStatus.CONFLICT
    message = (
        "The broker says that nothing is held any more, and no order explains it. The holdings "
        "are kept until the broker says so on another day, or until you accept it."
    )


class ChangeNotFound(NotThere):
    message = "Change not found"


class NeverSynced(NotThere):
    message = "The client was never synced from a broker."
