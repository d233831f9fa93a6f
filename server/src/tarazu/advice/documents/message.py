"""The mail that brings the letter: the letter's parts in one column, as plain text and as HTML.

The HTML has no tables, no pictures and no backgrounds: it fits a narrow phone, and mail programs can
show it on a dark ground. Texts have the mail program's own colour; only bars and borders have ours.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

from tarazu.advice.documents.parts import Headings, OrderLine, Orders, Parts, Section, parts_of
from tarazu.advice.sealing import SealedAdvice
from tarazu.domain.charges import Side
from tarazu.kit.mail import Draft
from tarazu.kit.translation import N_, translation_of

_BODY: Final = (
    "margin:0 auto;padding:16px;max-width:600px;font-family:-apple-system,'Segoe UI',Roboto,"
    "'Noto Sans','Noto Sans Devanagari',sans-serif;font-size:16px;line-height:1.5;"
    "overflow-wrap:anywhere"
)
_HEAD: Final = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta name="supported-color-schemes" content="light dark">'
    "<style>:root{color-scheme:light dark}</style>"
)
_TITLE: Final = "margin:28px 0 8px;font-size:17px;line-height:1.3"
_LINE: Final = "margin:0;padding:10px 0;border-top:1px solid #8a94a0"
_SMALL: Final = "font-size:14px"
_FRAME: Final = "margin:24px 0 0;padding:12px;border:1px solid #8a94a0;border-radius:4px"
_INVITATION: Final = N_(
    "Read this advice on your own page, answer it, or take the orders to your broker. You need a "
    "code that we send to this address:"
)
# Bars beside the headings, seen on white and on the near-black of dark mail programs.
_HUES: Final = {Side.SELL: "#d65745", Side.BUY: "#23905a"}


def draft_of(advice: SealedAdvice, letter: bytes, link: str = "") -> Draft:
    """The mail to the client, with the letter attached; the subject is as sealed.

    `link` is the address of the client's page, which is never stored readable; "" for none.
    """
    parts = parts_of(advice)
    invitation = translation_of(advice.language).gettext(_INVITATION) if link else ""
    return Draft(
        advice.delivery.recipient,
        advice.delivery.subject,
        _text(parts, invitation, link),
        _html(parts, invitation, link),
        (advice.letter.file_name, letter),
        secret=link,
    )


# ---- plain text


def _text(parts: Parts, invitation: str, link: str) -> str:
    blocks = [
        *([f"{parts.practice}."] if parts.practice else []),
        parts.salutation,
        parts.summary,
        _lines(f"{name}: {figure}" for name, figure in parts.facts),
        *([f"{invitation}\n{link}"] if link else []),
        *(_orders_text(orders) for orders in parts.orders),
        parts.prices,
        _section_text(parts.charges),
        _lines(
            [
                parts.steps.title.upper(),
                *(f"{place}. {step}" for place, step in enumerate(parts.steps.paragraphs, 1)),
            ]
        ),
        _section_text(parts.rationale),
        *([_section_text(parts.risks)] if parts.risks.paragraphs else []),
        _lines(
            [
                parts.disclosures_title.upper(),
                *(f"{name}: {text}" if name else text for name, text in parts.disclosures),
            ]
        ),
        parts.warning,
        *parts.assurances,
        _lines(filter(None, (*parts.signature, *parts.registration))),
        _lines(parts.sender),
    ]
    return "\n\n".join(blocks) + "\n"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _section_text(section: Section) -> str:
    return _lines([section.title.upper(), *section.paragraphs])


def _orders_text(orders: Orders) -> str:
    lines = [_order_text(line) for line in orders.lines]
    return _lines([orders.title.upper(), *lines, f"{orders.total_name}: {orders.total}"])


def _order_text(line: OrderLine) -> str:
    trade = f"- {line.action} {line.symbol} ({line.exchange}), {line.price}: {line.value}"
    return _lines([trade, *(f"  {text}" for text in (line.reason, line.note) if text)])


# ---- HTML


def _html(parts: Parts, invitation: str, link: str) -> str:
    body = [
        *([_paragraph(f"{parts.practice}.", "font-weight:600")] if parts.practice else []),
        _paragraph(parts.salutation),
        _paragraph(parts.summary),
        *(_fact(name, figure) for name, figure in parts.facts),
        *([_linked(invitation, link)] if link else []),
        *(_orders_html(orders, parts.headings) for orders in parts.orders),
        _paragraph(parts.prices, _SMALL),
        _section_html(parts.charges),
        _title(parts.steps.title),
        f'<ol style="margin:0;padding-left:24px">{_items(parts.steps.paragraphs)}</ol>',
        _section_html(parts.rationale),
        *([_section_html(parts.risks)] if parts.risks.paragraphs else []),
        _title(parts.disclosures_title),
        *(_disclosure(name, text) for name, text in parts.disclosures),
        _frame(parts),
        _paragraph(_lines(filter(None, (*parts.signature, *parts.registration)))),
        _paragraph(_lines(parts.sender), _SMALL),
    ]
    return (
        f'<!doctype html><html lang="{parts.language}"><head>{_HEAD}'
        f"<title>{escape(parts.title)}</title></head>"
        f'<body style="{_BODY}">{"".join(body)}</body></html>'
    )


def _orders_html(orders: Orders, headings: Headings) -> str:
    bar = f"padding-left:10px;border-left:4px solid {_HUES[orders.side]}"
    title = _title(orders.title, bar)
    lines = "".join(_order_html(line, headings) for line in orders.lines)
    total = f"{escape(orders.total_name)}: <strong>{escape(orders.total)}</strong>"
    return f'{title}{lines}<p style="{_LINE}">{total}</p>'


def _order_html(line: OrderLine, headings: Headings) -> str:
    stock = (
        f"<strong>{escape(line.action)} {escape(line.symbol)}</strong> · {escape(line.exchange)}"
    )
    price = f"{escape(headings.price)} {escape(line.price)}"
    value = f"{escape(headings.value)} <strong>{escape(line.value)}</strong>"
    texts = "".join(f"<br>{_broken(text)}" for text in (line.reason, line.note) if text)
    return (
        f'<div style="{_LINE}">{stock}<br>{price} · {value}'
        f'<span style="{_SMALL}"><br>{escape(line.company)}{texts}</span></div>'
    )


def _frame(parts: Parts) -> str:
    warning = _paragraph(parts.warning, "margin-top:0;font-weight:600")
    return f'<div style="{_FRAME}">{warning}{"".join(map(_paragraph, parts.assurances))}</div>'


def _linked(text: str, link: str) -> str:
    address = escape(link)
    return (
        _paragraph(text, "margin-bottom:0")
        + f'<p style="margin:0"><a href="{address}">{address}</a></p>'
    )


def _fact(name: str, figure: str) -> str:
    return f'<p style="margin:0">{escape(name)}: <strong>{escape(figure)}</strong></p>'


def _section_html(section: Section) -> str:
    return _title(section.title) + "".join(map(_paragraph, section.paragraphs))


def _disclosure(name: str, text: str) -> str:
    label = f"<strong>{escape(name)}:</strong> " if name else ""
    return f'<p style="margin:0 0 8px">{label}{_broken(text)}</p>'


def _title(text: str, style: str = "") -> str:
    return f'<h2 style="{_TITLE};{style}">{escape(text)}</h2>'


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{_broken(text)}</li>" for text in texts)


def _paragraph(text: str, style: str = "") -> str:
    return f'<p style="margin:12px 0;{style}">{_broken(text)}</p>'


def _broken(text: str) -> str:
    return escape(text).replace("\n", "<br>")
