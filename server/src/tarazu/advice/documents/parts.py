"""The parts of an advice as texts in the client's language, the same for letter and mail."""

from dataclasses import dataclass
from typing import Final

from tarazu.advice.documents import contents
from tarazu.advice.documents.reasons import reason_in
from tarazu.advice.package import Row
from tarazu.advice.sealing import SealedAdvice
from tarazu.domain.charges import Side
from tarazu.kit import formatting
from tarazu.kit.translation import N_, Translation, translation_of

_TITLES: Final = {Side.SELL: N_("Sell"), Side.BUY: N_("Buy")}


@dataclass(frozen=True, slots=True)
class Headings:
    """The columns of the letter's table, after that of the stock, in their order."""

    trade: str
    held: str
    price: str
    value: str
    target: str


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One stock. `action` is the trade in words, `held` the shares before and after it."""

    symbol: str
    company: str
    exchange: str
    action: str
    held: str
    price: str
    value: str
    target: str
    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class Orders:
    """All stocks of one side with their sum, before charges."""

    side: Side
    title: str
    lines: list[OrderLine]
    total_name: str
    total: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs."""

    title: str
    paragraphs: list[str]


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts in their order; empty where the advice has none. `risks` are the model's own.

    `facts` and `disclosures` are names with figures or texts. `signature` is the analyst and
    the designation, `registration` the number and its validity, line by line; `sender` who sent it and when, and the seal.
    """

    language: str
    title: str
    practice: str
    sent_at: str
    client: str
    client_code: str
    salutation: str
    summary: str
    facts: list[tuple[str, str]]
    headings: Headings
    orders: list[Orders]
    prices: str
    steps: Section
    charges: Section
    rationale: Section
    risks: Section
    disclosures_title: str
    disclosures: list[tuple[str, str]]
    warning: str
    assurances: list[str]
    signature: list[str]
    registration: list[str]
    sender: list[str]


def parts_of(advice: SealedAdvice) -> Parts:
    """The texts of an advice, in the language it was sealed in."""
    t = translation_of(advice.language)
    practice = t.gettext(formatting.PRACTICE) if contents.is_practice(advice) else ""
    model = contents.model_line(advice, t)
    quantities = contents.MODEL_QUANTITIES if advice.model else contents.OWN_QUANTITIES
    return Parts(
        language=advice.language.lower(),
        title=t.gettext("Investment advice"),
        practice=practice,
        sent_at=t.time(advice.sent_at),
        client=advice.client.name,
        client_code=t.gettext("Client code {code}", code=advice.client.code),
        salutation=t.gettext("Dear {name},", name=advice.client.name),
        summary=contents.summary(advice, t),
        facts=_facts(advice, t),
        headings=_headings(t),
        orders=[
            _orders(advice, side, t)
            for side in (Side.SELL, Side.BUY)
            if contents.rows_of(advice, side)
        ],
        prices=contents.price_line(advice, t),
        steps=Section(t.gettext("What to do now"), contents.steps(advice, t)),
        charges=Section(t.gettext("Estimated charges"), [contents.charges_line(advice, t)]),
        rationale=Section(
            t.gettext("Rationale"),
            [
                *([model] if model else []),
                *_paragraphs(advice.rationale),
                t.gettext(quantities),
            ],
        ),
        risks=Section(t.gettext("Risks"), _paragraphs(advice.model.risks if advice.model else "")),
        disclosures_title=t.gettext("Disclosures"),
        disclosures=contents.disclosures(advice, t),
        warning=advice.firm.standard_warning,
        assurances=[advice.firm.no_assurance, t.gettext(contents.NO_ORDERS)],
        signature=_signature(advice, t),
        registration=_registration(advice, t),
        sender=_sender(advice, t),
    )


def _paragraphs(text: str) -> list[str]:
    """The lines of a text of the firm's own, without empty ones."""
    return [line for line in text.split("\n") if line]


def _facts(advice: SealedAdvice, t: Translation) -> list[tuple[str, str]]:
    sums = [
        (name, formatting.rupees(contents.order_value(advice, side)))
        for side, name in ((Side.SELL, t.gettext("To sell")), (Side.BUY, t.gettext("To buy")))
        if contents.rows_of(advice, side)
    ]
    after = advice.rebalance.summary
    return [
        (t.gettext("Investment Value"), formatting.rupees(advice.investment)),
        *sums,
        (t.gettext("Charges, about"), formatting.rupees(advice.charges.total)),
        (t.gettext("Cash after"), formatting.rupees(after.cash_after)),
        *([(t.gettext("Valid until"), t.day(advice.valid_until))] if advice.valid_until else []),
    ]


def _headings(t: Translation) -> Headings:
    return Headings(
        trade=t.gettext("Trade"),
        held=t.gettext("Held → after"),
        price=t.gettext("Price"),
        value=t.gettext("Order value"),
        target=t.gettext("Target"),
    )


def _orders(advice: SealedAdvice, side: Side, t: Translation) -> Orders:
    rows = contents.rows_of(advice, side)
    count = len(rows)
    total = (
        t.ngettext("Total to sell, {count} stock", "Total to sell, {count} stocks", count)
        if side is Side.SELL
        else t.ngettext("Total to buy, {count} stock", "Total to buy, {count} stocks", count)
    )
    return Orders(
        side,
        t.gettext(_TITLES[side]),
        [_line(row, t) for row in rows],
        total,
        formatting.rupees(contents.order_value(advice, side)),
    )


def _line(row: Row, t: Translation) -> OrderLine:
    quantity = formatting.shares(row.quantity)
    return OrderLine(
        symbol=row.stock.symbol,
        company=row.stock.name,
        exchange=row.stock.exchange,
        action=t.gettext("Sell {quantity}", quantity=quantity)
        if row.side is Side.SELL
        else t.gettext("Buy {quantity}", quantity=quantity),
        held=f"{formatting.shares(row.held)} → {formatting.shares(row.new_quantity)}",
        price=formatting.rupees(row.last_price),
        value=formatting.rupees(contents.trade_value(row)),
        target=formatting.percent(row.allocation),
        reason=reason_in(row.message, t),
        note=row.note,
    )


def _signature(advice: SealedAdvice, t: Translation) -> list[str]:
    firm = advice.firm
    post = t.gettext(firm.designation or "Research Analyst")
    return [
        *([firm.analyst_name] if firm.analyst_name else []),
        f"{post}, {firm.name}",
    ]


def _registration(advice: SealedAdvice, t: Translation) -> list[str]:
    firm = advice.firm
    return [
        t.gettext("SEBI registration number {number}", number=firm.registration_number),
        firm.validity_line(advice.language),
    ]


def _sender(advice: SealedAdvice, t: Translation) -> list[str]:
    return [
        t.gettext(
            "Signed electronically by {name}, {role}, for {firm}, on {time}.",
            name=advice.sender.name,
            role=contents.role_of(advice.sender.role, t),
            firm=advice.firm.name,
            time=t.time(advice.sent_at),
        ),
        t.gettext("Reference {reference}", reference=advice.advice_id),
        contents.seal_line(advice, t),
    ]
