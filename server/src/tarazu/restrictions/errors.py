"""What can be wrong with a client's restrictions."""

from tarazu.kit.errors import Invalid


class UnfitRestriction(Invalid):
    """A restriction that cannot be saved; the text names the stock."""

    def __init__(self, place: int, message: str) -> None:
        super().__init__(message, errors=[{"field": f"restrictions.{place}", "message": message}])
