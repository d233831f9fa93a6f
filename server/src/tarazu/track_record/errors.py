"""Errors of track records, calls and factsheets."""

from tarazu.kit.errors import Invalid


class NoFigures(Invalid):
    message = "No value of this model is known in this period yet, so there is nothing to show."


class NotOwnAccount(Invalid):
    message = (
        "These are figures of a model, not of the client's own account. Choose the person who "
        "asked for them."
    )
