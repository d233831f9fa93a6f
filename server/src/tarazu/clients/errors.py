"""Errors of clients."""

from tarazu.kit.errors import Invalid


class DateOutOfRange(Invalid):
    message = "Please select a valid date"


class UnfitAccreditation(Invalid):
    message = "The certificate of an accredited investor ends before it begins."
