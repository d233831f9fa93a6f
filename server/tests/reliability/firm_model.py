"""The firm as plain lists in memory: what every figure must be, computed again each time.

Written from the meaning of the figures and apart from the product: it imports nothing of it.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

PAISA = Decimal("0.01")
ZERO = Decimal(0)
Figures = dict[str, object]


def paise(value: Decimal) -> Decimal:
    """As it is shown: two decimals, half up."""
    return value.quantize(PAISA, rounding=ROUND_HALF_UP)


def paise_or_none(value: Decimal | None) -> Decimal | None:
    return None if value is None else paise(value)


def percent(part: Decimal, whole: Decimal) -> Decimal:
    return part * 100 / whole if whole > 0 else ZERO


@dataclass
class Flow:
    date: dt.date
    amount: Decimal
    is_added: bool
    version: int = 1
    is_deleted: bool = False

    @property
    def signed(self) -> Decimal:
        return self.amount if self.is_added else -self.amount


@dataclass
class Schedule:
    """Percent of a gain: `low` of any, `high` from ten percent of gain on."""

    low: Decimal
    high: Decimal

    def share_for(self, gain: Decimal) -> Decimal:
        return self.high if gain >= 10 else self.low


@dataclass
class Fee:
    starting_on: dt.date
    final_on: dt.date | None
    due_on: dt.date | None
    starting_value: Decimal
    final_value: Decimal
    schedule: Schedule
    net_flows: Decimal = ZERO
    counted_until: dt.date = dt.date.max
    is_paid: bool = False
    paid_on: dt.date | None = None
    version: int = 1
    is_deleted: bool = False

    @property
    def gain(self) -> Decimal:
        return self.gain_with(self.net_flows)

    def gain_with(self, net_flows: Decimal) -> Decimal:
        return self.final_value - self.starting_value - net_flows

    @property
    def gain_percent(self) -> Decimal:
        return percent(self.gain, self.starting_value)

    @property
    def amount(self) -> Decimal:
        return self.amount_with(self.net_flows)

    def amount_with(self, net_flows: Decimal) -> Decimal:
        gain = self.gain_with(net_flows)
        share = self.schedule.share_for(percent(gain, self.starting_value))
        return paise(max(gain, ZERO) * share / 100)

    def changed(self, net_flows: Decimal) -> Figures | None:
        """What the fee would be with these flows; None where they are those it was made with."""
        if net_flows == self.net_flows:
            return None
        return {
            "startingDate": self.starting_on.isoformat(),
            "fees": self.amount,
            "netFundsAddedNow": paise(net_flows),
            "netGainNow": paise(self.gain_with(net_flows)),
            "feesNow": self.amount_with(net_flows),
        }

    def shown(self) -> Figures:
        return {
            "startingDate": self.starting_on.isoformat(),
            "finalDate": self.final_on.isoformat() if self.final_on else None,
            "dueDate": self.due_on.isoformat() if self.due_on else None,
            "startingValue": paise(self.starting_value),
            "finalValue": paise(self.final_value),
            "netFundsAdded": paise(self.net_flows),
            "netGain": paise(self.gain),
            "netGainPercentage": paise(self.gain_percent),
            "fees": self.amount,
            "netGainAfterFees": paise(self.gain - self.amount),
            "status": "PAID" if self.is_paid else "DUE",
            "paidDate": self.paid_on.isoformat() if self.paid_on else None,
            "version": self.version,
        }


@dataclass
class Client:
    code: str
    capital: Decimal = ZERO
    started_on: dt.date | None = None
    told_cash: Decimal = ZERO
    hand_cash: tuple[Decimal, dt.date] | None = None
    is_read: bool = False
    is_active: bool = True
    is_deleted: bool = False
    flows: dict[str, Flow] = field(default_factory=dict)
    fees: dict[str, Fee] = field(default_factory=dict)
    shares: dict[str, tuple[int, Decimal]] = field(default_factory=dict)
    advice: list[Figures] = field(default_factory=list)

    def live_flows(self) -> dict[str, Flow]:
        return {key: one for key, one in self.flows.items() if not one.is_deleted}

    def live_fees(self) -> dict[str, Fee]:
        return {key: one for key, one in self.fees.items() if not one.is_deleted}

    @property
    def cash(self) -> Decimal:
        """As a file told it, or as it was entered by hand, with the flows of later days."""
        if self.hand_cash is None:
            return self.told_cash
        amount, as_of = self.hand_cash
        return amount + self.between(as_of, dt.date.max)

    def between(self, after: dt.date, until: dt.date) -> Decimal:
        """What came in less what went out after one day and up to another."""
        flows = self.live_flows().values()
        return sum((flow.signed for flow in flows if after < flow.date <= until), ZERO)

    @property
    def invested(self) -> Decimal | None:
        counted = [
            flow.signed
            for flow in self.live_flows().values()
            if self.started_on is None or flow.date >= self.started_on
        ]
        return self.capital + sum(counted, ZERO) if self.capital or counted else None

    @property
    def charged(self) -> Decimal:
        return sum((fee.amount for fee in self.live_fees().values()), ZERO)

    @property
    def paid(self) -> Decimal:
        return sum((fee.amount for fee in self.live_fees().values() if fee.is_paid), ZERO)

    def starting_value_on(self, day: dt.date) -> Decimal:
        """The highest of the capital and the earlier final values, with the funds added since."""
        began = (self.started_on or dt.date(1980, 1, 1)) - dt.timedelta(days=1)
        marks = [(began, self.capital)]
        marks += [(fee.counted_until, fee.final_value) for fee in self.live_fees().values()]
        return max(value + self.between(end, day) for end, value in marks if end <= day)

    def inside(self, fee: Fee) -> Decimal:
        """What came in less what went out after the period's first day, to its last."""
        return self.between(fee.starting_on, fee.counted_until)

    def overlaps(self, starting_on: dt.date, until: dt.date, besides: Fee | None = None) -> bool:
        """Whether another fee covers one of these days."""
        others = [fee for fee in self.live_fees().values() if fee is not besides]
        return any(starting_on <= fee.counted_until and fee.starting_on <= until for fee in others)


@dataclass
class Firm:
    first_schedule: tuple[dt.date, Schedule]
    prices: dict[str, Decimal] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    schedules: dict[dt.date, Schedule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        day, schedule = self.first_schedule
        self.schedules[day] = schedule

    def schedule_on(self, day: dt.date) -> Schedule:
        begun = [start for start in self.schedules if start <= day]
        return self.schedules[max(begun) if begun else min(self.schedules)]

    def is_used(self, day: dt.date) -> bool:
        kept = self.schedules.get(day)
        return any(
            fee.schedule is kept for client in self.clients.values() for fee in client.fees.values()
        )

    def listed(self) -> dict[str, Client]:
        return {key: one for key, one in self.clients.items() if not one.is_deleted}

    def active(self) -> list[Client]:
        return [one for one in self.listed().values() if one.is_active]

    def price_of(self, symbol: str, average: Decimal) -> Decimal:
        return self.prices.get(symbol, average)

    def worth(self, clients: Iterable[Client]) -> Decimal:
        return sum(
            (
                count * self.price_of(symbol, average)
                for client in clients
                for symbol, (count, average) in client.shares.items()
            ),
            ZERO,
        )

    # ---------------------------------------------------------------------- what the screens show

    def stats(self) -> Figures:
        active = self.active()
        cash = sum((one.cash for one in active), ZERO)
        return {
            "totalClients": len(active),
            "totalCurrentAUM": paise(self.worth(active) + cash),
            "totalCashHoldings": paise(cash),
            "fees": sum((client.paid for client in self.clients.values()), ZERO),
        }

    def fee_stats(self) -> Figures:
        listed = self.listed().values()
        charged = sum((one.charged for one in listed), ZERO)
        paid = sum((one.paid for one in listed), ZERO)
        return {"totalFees": charged, "totalPaid": paid, "totalDue": charged - paid}

    def fee_overview(self) -> dict[str, Figures]:
        found: dict[str, Figures] = {}
        for key, one in self.listed().items():
            fees = one.live_fees().values()
            if not fees:
                continue
            # Of a fee of nothing, nothing is due.
            owed = [fee for fee in fees if fee.amount and not fee.is_paid]
            due = [fee.due_on for fee in owed if fee.due_on]
            paid = [fee.paid_on for fee in fees if fee.paid_on]
            found[key] = {
                "clientId": one.code,
                "totalFees": one.charged,
                "totalPaid": one.paid,
                "totalDue": one.charged - one.paid,
                "dueDate": min(due).isoformat() if due else None,
                "paidDate": max(paid).isoformat() if paid else None,
                "status": "DUE" if one.charged > one.paid else "PAID",
                "flowsChanged": [
                    changed
                    for fee in sorted(fees, key=lambda fee: fee.starting_on)
                    if (changed := fee.changed(one.inside(fee)))
                ],
            }
        return found

    def client_list(self) -> dict[str, Figures]:
        return {
            key: {
                "clientId": one.code,
                "totalPortfolio": paise(self.worth([one]) + one.cash) if one.is_read else None,
                "totalInvestment": paise_or_none(one.invested),
                "netPnL": paise_or_none(self.gain(one)[0]),
                "isSincePurchase": one.is_read and one.invested is None,
                "NetCashAmount": paise(one.cash) if one.is_read else None,
                "status": "ACTIVE" if one.is_active else "INACTIVE",
            }
            for key, one in self.listed().items()
        }

    def gain(self, one: Client) -> tuple[Decimal | None, Decimal | None]:
        """What was gained, and on what: the net investment, or else what the shares cost."""
        if not one.is_read:
            return None, None
        if one.invested is None:
            cost = sum((count * average for count, average in one.shares.values()), ZERO)
            return self.worth([one]) - cost, cost
        return self.worth([one]) + one.cash - one.invested, one.invested

    def portfolio(self, one: Client) -> Figures:
        value = self.worth([one]) + one.cash
        gain, base = self.gain(one)
        is_known = gain is not None and one.invested is not None
        return {
            "portfolioValue": paise(value) if one.is_read else None,
            "startingCapital": paise(one.capital),
            "startedFrom": one.started_on.isoformat() if one.started_on else None,
            "totalPnL": paise_or_none(gain),
            "pnlPercentage": paise(percent(gain, base or ZERO)) if gain is not None else None,
            "netInvestment": paise_or_none(one.invested),
            "netProfit": paise(gain - one.charged) if gain is not None and is_known else None,
            "totalCurrentValue": paise(self.worth([one])),
            "net": paise(one.cash) if one.is_read else None,
        }

    def holdings(self, one: Client) -> dict[str, Figures]:
        whole, found = self.worth([one]), {}
        for symbol, (count, average) in one.shares.items():
            price = self.price_of(symbol, average)
            found[symbol] = {
                "quantity": count,
                "averagePrice": average,
                "currentValue": paise(count * price),
                "invested": paise(count * average),
                "pnl": paise(count * (price - average)),
                "allocation": paise(percent(count * price, whole)),
            }
        return found

    def distribution(self) -> dict[str, Figures]:
        active, found = self.active(), dict[str, Figures]()
        cash = sum((one.cash for one in active), ZERO)
        aum = self.worth(active) + cash
        for symbol in {symbol for one in active for symbol in one.shares}:
            held = [one.shares[symbol] for one in active if symbol in one.shares]
            value = sum((n * self.price_of(symbol, average) for n, average in held), ZERO)
            found[symbol] = {
                "totalQuantity": sum(count for count, _ in held),
                "totalCurrentValue": paise(value),
                "totalInvestedValue": paise(sum((n * average for n, average in held), ZERO)),
                "aumPercentage": paise(percent(value, aum)),
            }
        return found
