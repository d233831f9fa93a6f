"""What the letter and the mail of an advice are made of, from the sealed advice alone."""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from tarazu.advice.package import Row
from tarazu.advice.sealing import SealedAdvice
from tarazu.domain.charges import Charges, Side
from tarazu.domain.money import ZERO, Rupees
from tarazu.kit import formatting
from tarazu.kit.clock import INDIA
from tarazu.kit.translation import N_, Language, Translation, translation_of
from tarazu.prices.service import PriceSource

NO_ORDERS: Final = N_(
    "This letter is a recommendation. Neither the Research Analyst nor the software it uses ever "
    "places an order: whether and when to trade is for you to decide, in your own broker's account."
)
MODEL_QUANTITIES: Final = N_(
    "The quantities are model quantities for your account: the model's target allocation, "
    "calculated in whole shares for the Investment Value above."
)
OWN_QUANTITIES: Final = N_(
    "This advice was made for your account alone; it does not follow a model portfolio. The "
    "quantities are calculated in whole shares for the Investment Value above."
)
_ROLES: Final = {"ADMIN": N_("Administrator"), "USER": N_("Staff")}


def rows_of(advice: SealedAdvice, side: Side) -> list[Row]:
    """The rows of one side, in their order."""
    return [row for row in advice.rows if row.side is side]


def trade_value(row: Row) -> Rupees:
    """Shares traded times price, before charges."""
    return row.additional_value + row.freed_value


def order_value(advice: SealedAdvice, side: Side) -> Rupees:
    """The sum of one side's trades at the advised prices, before charges."""
    return sum(map(trade_value, rows_of(advice, side)), ZERO)


def is_practice(advice: SealedAdvice) -> bool:
    """Whether the prices are simulated: of the demo firm, or of the simulated feed."""
    return advice.firm.is_demo or PriceSource.SIMULATED in advice.prices.sources


def subject_of(sent_at: dt.datetime, language: Language = Language.EN) -> str:
    """The subject of the mail; it never contains text that people typed."""
    translation = translation_of(language)
    return translation.gettext("Investment advice of {day}", day=translation.day(sent_at))


def file_name_of(client_code: str, sent_at: dt.datetime) -> str:
    """A letter's file name: `advice-C1042-2026-11-21.pdf`."""
    return f"advice-{client_code}-{sent_at.astimezone(INDIA).date().isoformat()}.pdf"


def role_of(role: str, translation: Translation) -> str:
    """A role as letters name it."""
    return translation.gettext(_ROLES.get(role, role))


def model_line(advice: SealedAdvice, translation: Translation) -> str:
    """The model portfolio and its version; "" for advice to one client alone."""
    model = advice.model
    if model is None:
        return ""
    return translation.gettext(
        "Model portfolio: {name}, version {number} of {day}",
        name=model.name,
        number=model.number,
        day=translation.day(model.published_at),
    )


def price_line(advice: SealedAdvice, translation: Translation) -> str:
    """The sources of the prices, each with the time or day of its prices."""
    used = ((price.source, price.at) for price in advice.prices.used)
    return translation.gettext(
        "Prices: {prices}.", prices=formatting.prices_of(used, advice.language)
    )


def seal_line(advice: SealedAdvice, translation: Translation) -> str:
    """Seal number and key fingerprint."""
    return translation.gettext(
        "Seal number {number}, key fingerprint {fingerprint}",
        number=advice.number,
        fingerprint=advice.fingerprint,
    )


def summary(advice: SealedAdvice, translation: Translation) -> str:
    """In words: what is sold and bought, for how much, the charges, and the cash that remains."""
    t, after = translation, advice.rebalance.summary
    sales, purchases = rows_of(advice, Side.SELL), rows_of(advice, Side.BUY)
    figures = {
        "sales": t.ngettext("{count} stock", "{count} stocks", len(sales)),
        "purchases": t.ngettext("{count} stock", "{count} stocks", len(purchases)),
        "freed": formatting.rupees(order_value(advice, Side.SELL)),
        "spent": formatting.rupees(order_value(advice, Side.BUY)),
    }
    if sales and purchases:
        trades = t.gettext(
            "We advise you to sell shares of {sales} for about {freed} and to buy shares of "
            "{purchases} for about {spent}.",
            **figures,
        )
    elif sales:
        trades = t.gettext("We advise you to sell shares of {sales} for about {freed}.", **figures)
    else:
        trades = t.gettext(
            "We advise you to buy shares of {purchases} for about {spent}.", **figures
        )
    charges = t.gettext(
        "Charges come to about {charges}; about {cash} remains in cash.",
        charges=formatting.rupees(advice.charges.total),
        cash=formatting.rupees(after.cash_after),
    )
    return f"{trades} {charges}"


def steps(advice: SealedAdvice, translation: Translation) -> list[str]:
    """What the client does now, in order."""
    t, funds = translation, advice.rebalance.summary.funds_to_add
    sides = {row.side for row in advice.rows}
    broker = formatting.broker_of(advice.charges_broker)
    add = t.gettext(
        "Add {amount} to your account: the purchases need it.", amount=formatting.rupees(funds)
    )
    place = t.gettext(
        "Place these orders yourself, in your own account at {broker}.", broker=broker
    )
    order = t.gettext("Sell first, then buy: the sales pay for the purchases.")
    until = (
        t.gettext(
            "Trade by {day}. After that day, or if prices have moved much, ask us first.",
            day=t.day(advice.valid_until),
        )
        if advice.valid_until
        else ""
    )
    contact = t.gettext("Questions: {contact}", contact=advice.firm.contact)
    return [
        *([add] if funds else []),
        place,
        *([order] if {Side.SELL, Side.BUY} <= sides else []),
        *([until] if until else []),
        *([contact] if advice.firm.contact else []),
    ]


def charges_line(advice: SealedAdvice, translation: Translation) -> str:
    """The estimated charges and what they consist of."""
    t = translation
    parts = [
        f"{t.gettext(name)} {formatting.rupees(amount)}"
        for name, amount in _named(advice.charges).items()
        if amount
    ]
    whole = t.gettext(
        "About {total} if all of it is traded on one day through {broker}",
        total=formatting.rupees(advice.charges.total),
        broker=formatting.broker_of(advice.charges_broker),
    )
    sentence = f"{whole}: {', '.join(parts)}" if parts else whole
    note = t.gettext("Your broker's contract note is final.")
    return f"{sentence}{t.gettext('. ')}{note}"


def _named(charges: Charges) -> dict[str, Rupees]:
    return {
        N_("brokerage"): charges.brokerage,
        N_("securities transaction tax"): charges.stt,
        N_("exchange charges"): charges.exchange,
        N_("SEBI fee"): charges.sebi,
        N_("stamp duty"): charges.stamp,
        N_("depository"): charges.depository,
        N_("GST"): charges.gst,
    }


def disclosures(advice: SealedAdvice, translation: Translation) -> list[tuple[str, str]]:
    """Names and texts: those of this advice, then those of the firm, without a name, then of AI."""
    given = advice.disclosures
    named = {
        N_("Holdings of the analyst and relatives"): given.holdings,
        N_("Conflicts of interest"): given.conflicts,
        N_("Compensation"): given.compensation,
        "": advice.firm.disclosures,
        N_("Use of AI"): advice.firm.ai_use,
    }
    return [(translation.gettext(name), text) for name, text in named.items() if text]


def standard_rationale(
    firm_text: str,
    investment: Rupees,
    rows: Sequence[Row],
    language: Language,
    *,
    has_model: bool,
) -> str:
    """The rationale where the sender gave none, marked as standard.

    Args:
        firm_text: the firm's own standard rationale; "" for a generated one.
        investment: the Investment Value.
        rows: those sent.
        language: of the generated text.
        has_model: whether the targets are those of a model portfolio.
    """
    t = translation_of(language)
    return t.gettext(
        "Standard rationale: {text}",
        text=firm_text or _generated_rationale(investment, rows, t, has_model=has_model),
    )


def _generated_rationale(
    investment: Rupees, rows: Sequence[Row], t: Translation, *, has_model: bool
) -> str:
    sales = sum(row.side is Side.SELL for row in rows)
    purchases = len(rows) - sales
    counts = [
        *([t.ngettext("{count} sale", "{count} sales", sales)] if sales else []),
        *([t.ngettext("{count} purchase", "{count} purchases", purchases)] if purchases else []),
    ]
    trades, value = t.gettext(" and ").join(counts), formatting.rupees(investment)
    if has_model:
        return t.gettext(
            "The advice brings your portfolio to the target allocation of the model portfolio: "
            "{trades} in whole shares, for an Investment Value of {value}.",
            trades=trades,
            value=value,
        )
    return t.gettext(
        "The advice brings your portfolio to the target allocation set for you: "
        "{trades} in whole shares, for an Investment Value of {value}.",
        trades=trades,
        value=value,
    )
