"""Shapes of corporate actions on the wire."""

import datetime as dt
import uuid
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.corporate_actions.service import ShownAction
from tarazu.domain.corporate_actions.states import ActionState
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.kit.fields import Day, none_if_blank
from tarazu.kit.schemas import Number, Price, Schema, Whole, attribute

_MOST_OF_A_RATIO = 1_000_000

Part = Annotated[Whole, Field(ge=1, le=_MOST_OF_A_RATIO)]
Code = Annotated[str, Field(max_length=40), AfterValidator(lambda text: text.strip().upper())]
OptionalDay = Annotated[Day | None, BeforeValidator(none_if_blank)]
OptionalPrice = Annotated[
    Annotated[Price, Field(decimal_places=4)] | None, BeforeValidator(none_if_blank)
]
OptionalPercent = Annotated[
    Annotated[Number, Field(decimal_places=2)] | None, BeforeValidator(none_if_blank)
]


class Ratio(Schema):
    """`old` shares before the action are `new` shares after it."""

    new: Part
    old: Part


class ActionToEnter(Schema):
    """An action entered by hand; the stock by its ISIN, its symbol or both.

    A bonus of 3 new shares for 4 held has the factor 7 to 4. `replaces` is an action that is
    removed at the same time, to correct or complete it.
    """

    isin: Code = ""
    trading_symbol: Code = ""
    exchange: Code = "NSE"
    kind: ActionKind
    ex_on: Day
    record_on: OptionalDay = None
    factor: Ratio | None = None
    amount: OptionalPrice = None
    new_isin: Code = ""
    cost_share: OptionalPercent = None
    pay_on: OptionalDay = None
    replaces: uuid.UUID | None = None

    def action_on(self, isin: str) -> CorporateAction:
        """The action of the share with this ISIN."""
        return CorporateAction(
            self.kind,
            isin,
            self.new_isin,
            self.ex_on,
            Fraction(self.factor.new, self.factor.old) if self.factor else Fraction(1),
            self.record_on,
            self.amount,
            self.cost_share,
            self.pay_on,
        )


class ActionShown(Schema):
    id: uuid.UUID = Field(alias="_id")
    trading_symbol: str | None = attribute("symbol", "tradingSymbol")
    name: str | None
    isin: str
    new_isin: str | None
    kind: ActionKind
    ex_on: dt.date
    record_on: dt.date | None
    factor: Ratio
    amount: Price | None
    cost_share: Number | None
    pay_on: dt.date | None
    purpose: str
    effect: str
    source: str
    state: ActionState
    clients: int
    waiting: int
    entered_at: dt.datetime


class ExpectedDividendRow(Schema):
    """In rupees before tax; null where not known. `shares`: held before the ex-date."""

    trading_symbol: str = attribute("symbol", "tradingSymbol")
    name: str
    isin: str
    ex_on: dt.date
    pay_on: dt.date | None
    shares: int | None
    per_share: Price | None
    amount: Price | None


def action_shown(action: ShownAction) -> ActionShown:
    """An action as it is on the wire."""
    ratio = Ratio(new=action.factor.numerator, old=action.factor.denominator)
    return ActionShown.of(action, factor=ratio, trading_symbol=action.symbol)
