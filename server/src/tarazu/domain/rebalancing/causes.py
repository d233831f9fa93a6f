"""What a plan may do with the stocks, and the causes of its rows."""

from enum import Enum, StrEnum


class Mode(StrEnum):
    """FULL: buy and sell. NEW_MONEY: only buy. RAISE_CASH: only sell, for an amount.

    EXITS_ONLY: sell the stocks with a target of 0 %, and nothing else.
    """

    FULL = "FULL"
    NEW_MONEY = "NEW_MONEY"
    RAISE_CASH = "RAISE_CASH"
    EXITS_ONLY = "EXITS_ONLY"


class Cause(StrEnum):
    """Why a row is traded, or why it is not.

    CASH: money has to be raised, is short, or is brought nearer its target. NEAR_TARGET: what is
    left is less than a share, the band, the minimum trade or the charges allow. MODE: the mode
    does not trade the row.
    """

    EXIT = "EXIT"
    ABOVE_TARGET = "ABOVE_TARGET"
    BELOW_TARGET = "BELOW_TARGET"
    NEW = "NEW"
    MODEL_CHANGED = "MODEL_CHANGED"
    RESTRICTION = "RESTRICTION"
    CASH = "CASH"
    NEAR_TARGET = "NEAR_TARGET"
    NO_TARGET = "NO_TARGET"
    NO_PRICE = "NO_PRICE"
    MODE = "MODE"


class NoTrade(Enum):
    """What keeps a row from being traded at all."""

    NONE = "none"
    NO_PRICE = "no price"
    NOT_IN_TARGET = "not in the target"
    LOCKED = "locked"
    MODE = "mode"
    BAND = "band"
