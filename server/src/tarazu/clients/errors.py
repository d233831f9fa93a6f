"""What can be wrong with what staff say of a client."""

from tarazu.kit.errors import Invalid


class DateOutOfRange(Invalid):
    message = "Please select a valid date"
