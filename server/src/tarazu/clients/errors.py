"""Errors of clients."""

from tarazu.kit.errors import Invalid


class DateOutOfRange(Invalid):
    message = "Please select a valid date"
