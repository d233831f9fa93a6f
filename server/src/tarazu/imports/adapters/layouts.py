"""How a table is laid out, and one row of it seen by its headings."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Final, NamedTuple, TypeVar

from tarazu.imports.adapters.cells import refuse_formula
from tarazu.imports.adapters.grids import GridRow
from tarazu.imports.adapters.parsed import FileKind, Parsed, ParsedHolding, UnknownFile

T = TypeVar("T")


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


Places = Mapping[Column, int]
"""Where each column stands."""

_FORMULA_AFTER_COMMA: Final = re.compile(",[=+@]")


class TableRow(NamedTuple):
    """A row of the table."""

    row: GridRow
    places: Places

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


class TableColumns:
    """Many rows of the table, by column."""

    def __init__(self, rows: Sequence[GridRow], places: Places) -> None:
        self.lines = [row.line for row in rows]
        self._cells = list(zip_longest(*(row.cells for row in rows), fillvalue=""))
        self._places = places

    def texts(self, column: Column) -> Sequence[str]:
        """The cells under `column`, one a row; empty as by `TableRow.text`."""
        place = self._places.get(column, len(self._cells))
        return self._cells[place] if place < len(self._cells) else ("",) * len(self.lines)

    def read(self, column: Column, reader: Callable[[str], T]) -> list[T]:
        """What `reader` makes of each cell; of a text that stands in many rows, once."""
        texts = self.texts(column)
        known = {text: reader(text) for text in set(texts)}
        return [known[text] for text in texts]


ReadHoldings = Callable[[Sequence[GridRow], Places], tuple[list[ParsedHolding], Sequence[GridRow]]]
"""The holdings among many rows, and the rows that are to be read one by one.

Those are all of them where any is refused or needs a word.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """One kind of file.

    Attributes:
        headings: for each column its spellings, as `plain` writes them, the best first.
        required: the columns without which a table is not of this kind.
        read_row: a row into what it says, None for one that says nothing of ours; raises
            CellRefused.
        has_foot: totals or notes may stand under the table.
        read_holdings: where there may be fifty thousand rows, reads them at once.
    """

    kind: FileKind
    headings: Mapping[Column, tuple[str, ...]]
    required: frozenset[Column]
    read_row: Callable[[TableRow], Parsed | None]
    has_foot: bool
    read_holdings: ReadHoldings | None = None

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
