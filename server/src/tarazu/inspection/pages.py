"""The pages of a pack: lists of records with links to their proofs, readable without the product."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tarazu.kit.export import Column, Kind, shown, write_csv
from tarazu.kit.signed_archive import SignedArchive
from tarazu.kit.templates import templates_in

Row = TypeVar("Row")

ROWS_ON_A_PAGE: Final = 500
_PIECE: Final = 1 << 20
_CLASSES: Final = {
    **dict.fromkeys(Kind, ""),
    **dict.fromkeys((Kind.RUPEES, Kind.PRICE, Kind.PERCENT, Kind.NUMBER, Kind.WHOLE), "figure"),
    **dict.fromkeys((Kind.DAY, Kind.INSTANT), "day"),
}
"""The class of a cell, by what it holds."""
TEMPLATES: Final = Path(__file__).parent / "templates"


class Proof(NamedTuple):
    """A file of a row; `content` is None where it is in the archive, `path` "" where there is none."""

    label: str
    path: str
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class Section(Generic[Row]):
    """A list of the pack: a page for people, a CSV for a spreadsheet, and the files of its rows.

    `name` is that of its files, `about` says in a sentence what is in it.
    """

    name: str
    title: str
    about: str
    columns: Sequence[Column[Row]]
    rows: Iterable[Row]
    proofs_of: Callable[[Row], Iterable[Proof]] | None = None


class WrittenSection(NamedTuple):
    """A section that is in the archive, with the number of its rows."""

    name: str
    title: str
    about: str
    rows: int

    @property
    def page(self) -> str:
        """The file name of its first page."""
        return f"{self.name}.html"

    @property
    def sheet(self) -> str:
        """The file name of its CSV."""
        return f"{self.name}.csv"


def write_section(archive: SignedArchive, pack: str, section: Section[Any]) -> WrittenSection:
    """Write a section, one row at a time.

    Args:
        pack: what the pack is of, for the head of each page.
    """
    pages = _Pages(archive, pack, section)
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as file:
        write_csv(file, section.columns, pages.passing())
        file.seek(0)
        with archive.opened(f"{section.name}.csv") as write:
            write("\ufeff")
            while piece := file.read(_PIECE):
                write(piece)
    return WrittenSection(section.name, section.title, section.about, pages.count)


class _Pages(Generic[Row]):
    """Writes the rows that pass through it to pages, and their files to the archive."""

    def __init__(self, archive: SignedArchive, pack: str, section: Section[Row]) -> None:
        self._archive, self._pack, self._section = archive, pack, section
        self._lines: list[tuple[list[str], list[Proof]]] = []
        self._number = 1
        self.count = 0

    def passing(self) -> Iterator[Row]:
        for row in self._section.rows:
            if len(self._lines) == ROWS_ON_A_PAGE:
                self._flush(is_last=False)
            self._lines.append(self._line(row))
            self.count += 1
            yield row
        self._flush(is_last=True)

    def _line(self, row: Row) -> tuple[list[str], list[Proof]]:
        cells = [shown(column.kind, column.of(row)) for column in self._section.columns]
        proofs_of = self._section.proofs_of
        return cells, [self._kept(proof) for proof in proofs_of(row)] if proofs_of else []

    def _kept(self, proof: Proof) -> Proof:
        """The proof without its content, which is in the archive now."""
        if proof.content is not None and proof.path not in self._archive.sums:
            self._archive.put(proof.path, proof.content)
        return proof._replace(content=None)

    def _flush(self, *, is_last: bool) -> None:
        section, number = self._section, self._number
        ways = [("Contents of the pack", "index.html"), ("As a CSV", f"{section.name}.csv")]
        if number > 1:
            ways.append(("Page before", self._name(number - 1)))
        if not is_last:
            ways.append(("Next page", self._name(number + 1)))
        content = rendered(
            "section.html",
            title=section.title if number == 1 else f"{section.title}, page {number}",
            pack=self._pack,
            section=section,
            ways=ways,
            lines=self._lines,
            classes=_CLASSES,
        )
        self._archive.put(self._name(number), content)
        self._lines, self._number = [], number + 1

    def _name(self, number: int) -> str:
        return f"{self._section.name}{'' if number == 1 else f'-{number}'}.html"


def rendered(template: str, **fields: Any) -> bytes:
    """A whole page, by one of our templates."""
    return templates_in(TEMPLATES).get_template(template).render(fields).encode()
