"""How a table is laid out, and one row of it seen by its headings."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from tarazu.imports.adapters.cells import refuse_formula
from tarazu.imports.adapters.grids import GridRow
from tarazu.imports.adapters.parsed import FileKind, Parsed, UnknownFile


class Column(StrEnum):
    """The columns that are read, by what people call them."""

    # Looked up several times a row: an enum's own hash is a call, a text's is kept.
    __hash__ = str.__hash__

    CLIENT = "Client code"
    EXCHANGE = "Exchange"
    SYMBOL = "Symbol"
    ISIN = "ISIN"
    QUANTITY = "Quantity"
    PLEDGED = "Quantity pledged"
    PLEDGED_FOR_LOAN = "Quantity pledged for a loan"
    DISCREPANT = "Quantity discrepant"
    LONG_TERM = "Quantity long term"
    AVERAGE_PRICE = "Average price"
    LAST_PRICE = "Last price"
    CASH = "Cash"
    NAME = "Name"
    EMAIL = "Email"
    COUNTRY_CODE = "Country code"
    CONTACT = "Contact"
    ROLE = "Role"
    DATE = "Date"
    AMOUNT = "Amount"
    TYPE = "Type"
    DEBIT = "Debit"
    CREDIT = "Credit"
    PARTICULARS = "Particulars"
    ORDER = "Order id"
    TRADE = "Trade id"
    PRICE = "Price"
    TIME = "Time"


_FORMULA_AFTER_COMMA: Final = re.compile(",[=+@]")


class TableRow(NamedTuple):
    """A row of the table; `places` says where each column stands."""

    row: GridRow
    places: Mapping[Column, int]

    @property
    def line(self) -> int:
        return self.row.line

    def text(self, column: Column) -> str:
        """The cell under `column`; empty where the file has no such column or cell."""
        try:
            return self.row.cells[self.places[column]]
        except (KeyError, IndexError):
            return ""

    def refuse_formulas(self) -> None:
        """Refuse the row when a cell that is read holds a formula.

        Raises:
            CellRefused: it does.
        """
        if _FORMULA_AFTER_COMMA.search(f",{','.join(self.row.cells)}") is None:
            return
        for column in self.places:
            # A country code begins with a plus; its own check lets nothing else pass.
            if column is not Column.COUNTRY_CODE:
                refuse_formula(self.text(column), column)


@dataclass(frozen=True, slots=True)
class Layout:
    """One kind of file.

    Attributes:
        headings: for each column its spellings, as `plain` writes them, the best first.
        required: the columns without which a table is not of this kind.
        read_row: a row into what it says, None for one that says nothing of ours; raises
            CellRefused.
        has_foot: totals or notes may stand under the table.
    """

    kind: FileKind
    headings: Mapping[Column, tuple[str, ...]]
    required: frozenset[Column]
    read_row: Callable[[TableRow], Parsed | None]
    has_foot: bool

    def places_in(self, row: GridRow) -> dict[Column, int] | None:
        """Where the columns stand if `row` is the heading of such a table, else None.

        Raises:
            UnknownFile: it is one, and a heading that is read stands in it twice.
        """
        titles = [plain(cell) for cell in row.cells]
        found = {
            column: next((title for title in spellings if title in titles), None)
            for column, spellings in self.headings.items()
        }
        titled = {column: title for column, title in found.items() if title is not None}
        if not self.required <= titled.keys():
            return None
        for title in titled.values():
            if titles.count(title) > 1:
                heading = row.cells[titles.index(title)]
                raise UnknownFile(f'The heading "{heading}" stands twice in line {row.line}.')
        return {column: titles.index(title) for column, title in titled.items()}


def plain(heading: str) -> str:
    """A heading in small letters, with single blanks for everything but letters and digits."""
    return re.sub(r"[^a-z0-9]+", " ", heading.casefold()).strip()
