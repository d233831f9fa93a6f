"""What a company does to its shares, as it is entered or imported."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from tarazu.domain.money import Percent, Rupees


class ActionKind(StrEnum):
    """The kinds of corporate actions that are known.

    BONUS, SPLIT and CONSOLIDATION change the number of shares of every holder. The others are
    shown; what they do to holdings and lots is entered by hand where the exchange's list does not
    say it.
    """

    BONUS = "BONUS"
    SPLIT = "SPLIT"
    CONSOLIDATION = "CONSOLIDATION"
    DIVIDEND = "DIVIDEND"
    RIGHTS = "RIGHTS"
    DEMERGER = "DEMERGER"
    MERGER = "MERGER"
    BUYBACK = "BUYBACK"


UNIT_KINDS: Final = frozenset({ActionKind.BONUS, ActionKind.SPLIT, ActionKind.CONSOLIDATION})
"""From their ex-date on, one share is another number of shares of the same company."""


@dataclass(frozen=True, slots=True)
class CorporateAction:
    """One action.

    Attributes:
        isin: of the share before the action.
        new_isin: after a split or consolidation, of the resulting company of a demerger, or of the
            company that takes over in a merger; "" where the share keeps its own.
        ex_on: the first day on which the share trades without the right.
        factor: shares after the action for each one before. Of a demerger and of rights, shares
            of the resulting company, or rights, for each share held. 1 where none are given.
        record_on: who holds the share on that day takes part; None if not known.
        amount: rupees a share: a dividend, the price of a right or of a buyback; None if not known.
        cost_share: of a demerger, the percent of the cost that goes to the resulting company, as
            the company published it; None if not known.
        pay_on: the day on which a dividend is paid; None if not known.
    """

    kind: ActionKind
    isin: str
    new_isin: str
    ex_on: dt.date
    factor: Fraction = Fraction(1)
    record_on: dt.date | None = None
    amount: Rupees | None = None
    cost_share: Percent | None = None
    pay_on: dt.date | None = None

    @property
    def changes_units(self) -> bool:
        """Whether the share has other units from the ex-date on."""
        return self.kind in UNIT_KINDS
