"""The pages of a pack: lists of records with links to their proofs, readable without the product."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tarazu.kit.export import Column, Kind, shown, write_csv
from tarazu.kit.signed_archive import SignedArchive

Row = TypeVar("Row")

ROWS_ON_A_PAGE: Final = 500
_PIECE: Final = 1 << 20
_CLASSES: Final = {
    **dict.fromkeys(
        (Kind.RUPEES, Kind.PRICE, Kind.PERCENT, Kind.NUMBER, Kind.WHOLE), ' class="figure"'
    ),
    **dict.fromkeys((Kind.DAY, Kind.INSTANT), ' class="day"'),
}
_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 2rem auto;
  max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
a { color: #0b4fa8; } code { font-size: 0.9em; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1.5rem; }
dt { color: #4d4d4d; } dd { margin: 0; }
.list { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: #4d4d4d; padding-bottom: 0.5rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.7rem 0.3rem 0;
  border-bottom: 1px solid #d0d0d0; overflow-wrap: break-word; }
th.figure, td.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.day { white-space: nowrap; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } .list { overflow: visible; }
  thead { display: table-header-group; } tr { break-inside: avoid; } nav { display: none; } }
"""


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
        self._lines: list[str] = []
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

    def _line(self, row: Row) -> str:
        cells = [
            f"<td{_CLASSES.get(column.kind, '')}>{escape(shown(column.kind, column.of(row)))}</td>"
            for column in self._section.columns
        ]
        if self._section.proofs_of is not None:
            links = map(self._link, self._section.proofs_of(row))
            cells.append(f'<td class="day">{"<br>".join(links)}</td>')
        return f"<tr>{''.join(cells)}</tr>"

    def _link(self, proof: Proof) -> str:
        if proof.content is not None and proof.path not in self._archive.sums:
            self._archive.put(proof.path, proof.content)
        return link(proof.label, proof.path) if proof.path else escape(proof.label)

    def _flush(self, *, is_last: bool) -> None:
        section, number = self._section, self._number
        head = "".join(
            f'<th scope="col"{_CLASSES.get(column.kind, "")}>{escape(column.title)}</th>'
            for column in section.columns
        )
        if section.proofs_of is not None:
            head += '<th scope="col">Files</th>'
        ways = [link("Contents of the pack", "index.html"), link("As a CSV", f"{section.name}.csv")]
        if number > 1:
            ways.append(link("Page before", self._name(number - 1)))
        if not is_last:
            ways.append(link("Next page", self._name(number + 1)))
        table = (
            f'<div class="list" tabindex="0" role="region" aria-label="{escape(section.title)}">'
            f"<table><caption>{escape(section.about)}</caption><thead><tr>{head}"
            f"</tr></thead><tbody>{''.join(self._lines)}</tbody></table></div>"
        )
        body = table if self._lines else f"<p>{escape(section.about)}</p><p>No entries.</p>"
        nav = f'<nav aria-label="Pages">{" · ".join(ways)}</nav>'
        title = section.title if number == 1 else f"{section.title}, page {number}"
        self._archive.put(self._name(number), page(title, self._pack, nav + body))
        self._lines, self._number = [], number + 1

    def _name(self, number: int) -> str:
        return f"{self._section.name}{'' if number == 1 else f'-{number}'}.html"


def link(text: str, path: str) -> str:
    """A link to a file of the pack."""
    return f'<a href="{escape(path)}">{escape(text)}</a>'


def page(title: str, pack: str, body: str) -> bytes:
    """A whole page; `body` is HTML."""
    return (
        '<!doctype html>\n<html lang="en-IN"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · {escape(pack)}</title><style>{_STYLE}</style></head>"
        f"<body><header><p>{escape(pack)}</p></header><main><h1>{escape(title)}</h1>{body}"
        "</main></body></html>\n"
    ).encode()


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are HTML."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="list" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{lines}</tbody></table></div>"
    )


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and their texts."""
    parts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
    return f"<dl>{parts}</dl>"
