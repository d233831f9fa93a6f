"""The layout of a table, and its rows by heading."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Final, NamedTuple, TypeVar

from tarazu.imports.readers.cells import refuse_formula
from tarazu.imports.readers.grids import GridRow
from tarazu.imports.readers.parsed import FileKind, Parsed, ParsedHolding, UnknownFile

T = TypeVar("T")


class FileColumn(StrEnum):
    """The columns that are read, by their names in messages."""

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
    LANGUAGE = "Language"
    DATE = "Date"
    AMOUNT = "Amount"
    TYPE = "Type"
    DEBIT = "Debit"
    CREDIT = "Credit"
    PARTICULARS = "Particulars"
    ORDER = "Order id"
    TRADE = "Trade id"
    PRICE = "Price"
    BUY_PRICE = "Buy price"
    SELL_PRICE = "Sell price"
    SEGMENT = "Segment"
    SERIES = "Series"
    PRODUCT = "Order type"
    TIME = "Time"


ColumnPositions = Mapping[FileColumn, int]
"""The position of each column in a row."""

_FORMULA_AFTER_COMMA: Final = re.compile(",[=+@]")


class TableRow(NamedTuple):
    """A row of the table."""

    row: GridRow
    positions: ColumnPositions

    @property
    def line(self) -> int:
        return self.row.line

    def text(self, column: FileColumn) -> str:
        """The cell under `column`; empty where the file has no such column or cell."""
        try:
            return self.row.cells[self.positions[column]]
        except (KeyError, IndexError):
            return ""

    @property
    def is_cut_off(self) -> bool:
        """Whether the row ends before the last column that is read."""
        return len(self.row.cells) <= max(self.positions.values())

    def refuse_formulas(self) -> None:
        """Refuse the row when a cell that is read holds a formula.

        Raises:
            CellRefused: it does.
        """
        if _FORMULA_AFTER_COMMA.search(f",{','.join(self.row.cells)}") is None:
            return
        for column in self.positions:
            # A country code begins with a plus; its own check lets nothing else pass.
            if column is not FileColumn.COUNTRY_CODE:
                refuse_formula(self.text(column), column)


class TableColumns:
    """Many rows of the table, by column."""

    def __init__(self, rows: Sequence[GridRow], positions: ColumnPositions) -> None:
        self.lines = [row.line for row in rows]
        self._cells = list(zip_longest(*(row.cells for row in rows), fillvalue=""))
        self._places = positions

    def texts(self, column: FileColumn) -> Sequence[str]:
        """The cells under `column`, one a row; empty as by `TableRow.text`."""
        place = self._places.get(column, len(self._cells))
        return self._cells[place] if place < len(self._cells) else ("",) * len(self.lines)

    def read(self, column: FileColumn, reader: Callable[[str], T]) -> list[T]:
        """The result of `reader` for each cell; it is called once for each different text."""
        texts = self.texts(column)
        known = {text: reader(text) for text in set(texts)}
        return [known[text] for text in texts]


ReadHoldings = Callable[
    [Sequence[GridRow], ColumnPositions], tuple[list[ParsedHolding], Sequence[GridRow]]
]
"""Returns the holdings of many rows, and the rows to read one by one.

These are all rows if any is refused or needs a warning.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """One kind of file.

    Attributes:
        headings: for each column its spellings, as `plain` writes them, the best first.
        required: the columns without which a table is not of this kind.
        read_row: parses a row; None for a row of another subject; raises CellRefused.
        has_foot: totals or notes may follow the table.
        read_holdings: reads many rows at once, for files of up to fifty thousand rows.
    """

    kind: FileKind
    headings: Mapping[FileColumn, tuple[str, ...]]
    required: frozenset[FileColumn]
    read_row: Callable[[TableRow], Parsed | None]
    has_foot: bool
    read_holdings: ReadHoldings | None = None

    def positions_in(self, row: GridRow) -> dict[FileColumn, int] | None:
        """The positions of the columns if `row` is the heading of such a table, else None.

        Raises:
            UnknownFile: the heading has the title of a column twice.
        """
        titles = [plain(cell) for cell in row.cells]
        titles_by_column = {
            column: next((title for title in spellings if title in titles), None)
            for column, spellings in self.headings.items()
        }
        found_titles = {
            column: title for column, title in titles_by_column.items() if title is not None
        }
        if not self.required <= found_titles.keys():
            return None
        for title in found_titles.values():
            if titles.count(title) > 1:
                heading = row.cells[titles.index(title)]
                raise UnknownFile(f'The heading "{heading}" appears twice in line {row.line}.')
        return {column: titles.index(title) for column, title in found_titles.items()}


def plain(heading: str) -> str:
    """A heading in small letters, with single blanks for everything but letters and digits."""
    return re.sub(r"[^a-z0-9]+", " ", heading.casefold()).strip()
