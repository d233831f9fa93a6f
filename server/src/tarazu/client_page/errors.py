"""Why a client's page cannot be shown, or cannot do something."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere
from tarazu.kit.translation import N_


class PageNotFound(NotThere):
    """The same for a link that is unknown, over, ended, or of a former mail address."""

    message = N_("This link does not work. Ask your Research Analyst for a new one.")


class WrongCode(Invalid):
    message = N_("This code is not right, or it is too old. Check it, or ask for a new one.")
    commit_on_error = True


class PageSessionOver(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = N_("30 minutes are over. Ask for a new code to go on.")


class NothingToHandOver(ApiError):
    """No orders can be handed over now; the message says why."""

    status = HTTPStatus.CONFLICT
    message = N_("There are no orders to hand over.")
