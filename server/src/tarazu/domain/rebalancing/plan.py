"""A plan of whole-share trades: what it is made from, its legs, and its totals.

The plan minimises the squared deviations from the targets, cash among them, plus the charges times
a small penalty; it never spends more than the budget, charges included, counted exactly. It states
how much better the best possible plan could be. Every percent is a share of the investment.
"""

from dataclasses import dataclass
from decimal import Decimal

from tarazu.domain.charges import Charges, Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.domain.rebalancing.causes import Cause, Mode, NoTrade
from tarazu.domain.rebalancing.reasons import LegFacts, Reason, ReasonSettings, restricted_reason
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.domain.tax.added import LotStep

MOST_ROWS = 300
HIGHEST_TAX_WEIGHT = 10**6
HIGHEST_ORDER_DRIFT = 1000
"""Percent: the drift that an order has to be worth, at most."""

RULES = 2
"""The version of the rules of a plan: raise it when the same input may give another plan."""


class CannotPlan(ValueError):
    """The request cannot be planned; the text says why, fit for the screen."""


class TargetsOver100(CannotPlan):
    """Targets and the cash target add up to more than 100 %."""


class CannotRaise(CannotPlan):
    """The sales cannot bring the amount that is to be raised."""


class BeyondLimits(CannotPlan):
    """A figure is negative, too fine or too large to be planned exactly."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One stock to plan.

    Without a `last_price` the row is not traded and its target goes to no other row. `target` is
    None for a holding that has no target; 0 sells all that the `restriction` allows. Of the shares
    held so many are `pledged`, so many `undelivered`: bought, but not in the demat account yet; and
    so many `uncredited`: brought by a corporate action and not there yet, so never sold.
    `target_before` is the target of the model's version before, which the reason names. `lots` are
    those that a sale goes through, of all shares held; None where they are not known.
    """

    symbol: str
    last_price: Rupees | None
    held: int
    target: Percent | None
    locked: bool = False
    exchange: str = "NSE"
    restriction: Restriction | None = None
    pledged: int = 0
    undelivered: int = 0
    uncredited: int = 0
    target_before: Percent | None = None
    lots: tuple[LotStep, ...] | None = None

    @property
    def is_locked(self) -> bool:
        """Whether the row may be neither bought nor sold."""
        return self.locked or (
            self.restriction is not None and self.restriction.kind is Kind.LOCKED
        )


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a plan.

    Drift below `band` is ignored, trades under `minimum_trade` are skipped (selling all is always
    allowed), charges count `trade_penalty` times in what is minimised. `price_buffer` of each
    purchase stays unspent, for prices that move. Without fresh funds the budget ends at the
    holdings and cash. `raised` is what the sales of RAISE_CASH must bring, after charges.

    `order_drift`: an order must be worth as much as removing a drift of so many percent; a plan
    with N orders is then the nearest of all with at most N. With `sells_pledged` unset pledged
    shares are kept. `usable_proceeds` is the percent of a sale of delivered, unpledged shares that
    pays for purchases of the same day; what is sold otherwise pays for none. None sets no limit.
    What sales add to the tax of the year, over the investment, counts `tax_weight` times; a plan is
    then the nearest of all that add no more tax.
    """

    band: Percent = ZERO
    minimum_trade: Rupees = ZERO
    trade_penalty: Decimal = Decimal("0.01")
    include_charges: bool = True
    allow_fresh_funds: bool = True
    price_buffer: Percent = ZERO
    mode: Mode = Mode.FULL
    raised: Rupees = ZERO
    order_drift: Percent = ZERO
    sells_pledged: bool = True
    usable_proceeds: Percent | None = None
    tax_weight: Decimal = ZERO


DEFAULT_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Leg:
    """The trade of one row. Figures that need a price are None without one.

    Percents are unrounded shares of `investment`; `drift` is before the trade, above zero when
    overweight. `target` is None when the row is not in the target, and so is `drift` then.
    `charges` are those of its order alone, unrounded.
    """

    symbol: str
    side: Side
    held: int
    new_quantity: int
    last_price: Rupees | None
    target: Percent | None
    investment: Rupees
    bar: NoTrade
    settings: ReasonSettings
    restricted: str = ""
    charges: Rupees = ZERO
    target_before: Percent | None = None

    @property
    def message(self) -> str:
        """The reason for the trade, in words for the screen."""
        return self.reason.text

    @property
    def cause(self) -> Cause:
        return self.reason.cause

    @property
    def reason(self) -> Reason:
        """Why the row is traded or not."""
        share = (self.last_price or ZERO) * HUNDRED / self.investment
        target = self.target or ZERO
        facts = LegFacts(
            self.bar,
            self.side,
            self.held,
            self.new_quantity,
            self.last_price or ZERO,
            self.investment * target / HUNDRED,
            share * self.held,
            target,
            share * self.new_quantity,
            share,
            self.target_before,
        )
        return restricted_reason(facts, self.settings, self.restricted)

    @property
    def quantity(self) -> int:
        return abs(self.new_quantity - self.held)

    @property
    def current_value(self) -> Rupees | None:
        return None if self.last_price is None else self.last_price * self.held

    @property
    def projected_value(self) -> Rupees | None:
        return None if self.last_price is None else self.last_price * self.new_quantity

    @property
    def additional_value(self) -> Rupees:
        """Value of the shares bought, before charges; 0 when none are."""
        return self._traded if self.side is Side.BUY else ZERO

    @property
    def freed_value(self) -> Rupees:
        """Value of the shares sold, before charges; 0 when none are."""
        return self._traded if self.side is Side.SELL else ZERO

    @property
    def _traded(self) -> Rupees:
        return ZERO if self.last_price is None else self.last_price * self.quantity

    @property
    def previous_percent(self) -> Percent | None:
        return self._share(self.current_value)

    @property
    def possible_percent(self) -> Percent | None:
        return self._share(self.projected_value)

    @property
    def drift(self) -> Percent | None:
        previous = self.previous_percent
        return None if previous is None or self.target is None else previous - self.target

    def _share(self, part: Rupees | None) -> Percent | None:
        return None if part is None else part * HUNDRED / self.investment


@dataclass(frozen=True, slots=True)
class Summary:
    """The totals of a plan.

    `tracking_error_bps` is the root of the sum of squared deviations, cash among them;
    `proved_gap_bps` how much lower the minimised sum can at most be, as such a root (0: proved
    best). `active_share`: half the sum of absolute deviations. `turnover_percent`: half of what is
    bought and sold. `cash_after` is what is left of the investment, after charges when they are
    included; without fresh funds of the holdings and cash if these are less. `funds_to_add` is what
    the investment needs beyond holdings and cash. `charges` are always estimated.
    """

    tracking_error_bps: Decimal
    proved_gap_bps: Decimal
    active_share: Percent
    cash_after: Rupees
    cash_after_percent: Percent
    charges: Charges
    turnover_percent: Percent
    funds_to_add: Rupees
    buy_value: Rupees
    sell_value: Rupees
    trades: int

    @property
    def estimated_charges(self) -> Rupees:
        return self.charges.total


@dataclass(frozen=True, slots=True)
class Plan:
    """One leg a row, in input order; the totals; and what could not be kept, in words."""

    legs: tuple[Leg, ...]
    summary: Summary
    notices: tuple[str, ...]
