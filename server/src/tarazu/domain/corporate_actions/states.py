"""How far a corporate action has come."""

import datetime as dt
from enum import StrEnum


class ActionState(StrEnum):
    """ANNOUNCED before the ex-date.

    PENDING while clients wait for their shares, LATE when they have waited for too long, and DONE
    when nobody waits any more.
    """

    ANNOUNCED = "ANNOUNCED"
    PENDING = "PENDING"
    LATE = "LATE"
    DONE = "DONE"


def state_on(ex_on: dt.date, today: dt.date) -> ActionState:
    """The state on a day, of an action for which nobody waits."""
    return ActionState.ANNOUNCED if today < ex_on else ActionState.DONE
