"""Errors of corporate actions."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class UnfitAction(Invalid):
    """Something about the action cannot be right; the text says what."""


class ActionRepeated(ApiError):
    """The share has an action of this kind on this day; the text names it."""

    status = HTTPStatus.CONFLICT


class ActionNotFound(NotThere):
    message = "This corporate action does not exist, or it was removed."
