"""Errors of the records of people."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, NotThere


class ClientNotFound(NotThere):
    message = "Client not found"


class ForeignFamily(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "This family has clients of other teams. Ask an administrator to change it."


class UserNotFound(NotThere):
    message = "User not found"


class EmailTaken(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Email already registered"


class EmailTakenMeanwhile(EmailTaken):
    message = "This email address now belongs to another record. Delete that one first."


class LastAdministrator(ApiError):
    status = HTTPStatus.CONFLICT
    message = "At least one active administrator is required."


class OwnAccount(ApiError):
    status = HTTPStatus.CONFLICT
    message = "You cannot delete, deactivate or demote your own account."


class NoCodesLeft(ApiError):
    status = HTTPStatus.CONFLICT
    message = "All client codes up to C9999 are taken; no client can be added."


class SampleClientRefused(ApiError):
    """The sample client counts in no figure, so it has no fees, no model and no broker."""

    status = HTTPStatus.CONFLICT
    message = (
        "This is the sample client: it gets no advice, no fees, no model and no broker. "
        "Add a client of your own."
    )


class SampleStatus(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Only the sample client has the status SAMPLE, and it keeps it."


class NoMailServer(ApiError):
    status = HTTPStatus.CONFLICT
    message = "No mail server is set up: set TARAZU_SMTP_URL and start again."


class MailNotDelivered(ApiError):
    """The mail server refused the test mail; the text has its answer."""

    status = HTTPStatus.BAD_GATEWAY
