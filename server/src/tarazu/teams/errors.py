"""Errors of teams."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, NotThere


class TeamNotFound(NotThere):
    message = "Team not found"


class TeamNameTaken(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Another team has this name."


class TeamHasClients(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This team has clients. Move them to another team first."


class NoOneTeam(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = (
        "A new client joins the team of the person who adds it, and you do not belong to exactly "
        "one. Ask an administrator to add the client."
    )


class OnlyForAllClients(ApiError):
    """What covers clients of other teams is not shown to a USER in part, nor in full."""

    status = HTTPStatus.FORBIDDEN
    message = (
        "This covers all clients of the firm. While users see the clients of their teams alone, "
        "only an administrator can open it."
    )
    code = "ONLY_FOR_ALL_CLIENTS"
