"""What can be wrong with a named instrument."""

from tarazu.kit.errors import NotThere


class InstrumentNotFound(NotThere):
    message = "Stock not found"
