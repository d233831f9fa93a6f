"""What can be wrong with a client's money and shares."""

from tarazu.kit.errors import Invalid


class UnfitHolding(Invalid):
    message = "A holding has a whole number of shares above zero and a price of zero or more."
