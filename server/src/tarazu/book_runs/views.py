"""A run as people see it: its tiles, totals, prices and options."""

import datetime as dt
import json
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.book_runs import queries
from tarazu.book_runs.records import Snapshot, from_json
from tarazu.book_runs.tables import BookRun, BookRunClient, ClientState, Tile
from tarazu.domain.money import ZERO, Rupees
from tarazu.model_portfolios import service as models


@dataclass(frozen=True, slots=True)
class TileSum:
    """One tile: sums in rupees of all its clients."""

    tile: Tile
    clients: int
    included: int
    can_be_sent: int
    investment_value: Rupees
    buy_value: Rupees
    sell_value: Rupees


@dataclass(frozen=True, slots=True)
class Totals:
    """Of the included; `clients` are all. The tax leaves out those of whom it is not known."""

    clients: int
    included: int
    buy_value: Rupees
    sell_value: Rupees
    estimated_charges: Rupees
    trades: int
    estimated_tax: Rupees | None
    unknown_tax: int


@dataclass(frozen=True, slots=True)
class BookRunView:
    """A run with its tiles; the oldest of the prices it was made with, and where they came from."""

    run: BookRun
    model_name: str
    version_number: int
    rationale: str
    tiles: tuple[TileSum, ...]
    totals: Totals
    states: dict[ClientState, int]
    price_sources: tuple[str, ...]
    oldest_price_at: dt.datetime | None
    oldest_price_symbol: str | None
    prices_good_until: dt.datetime | None
    options: advice.Options


@dataclass(frozen=True, slots=True)
class Reason:
    tile: Tile
    message: str


def reasons_of(row: BookRunClient) -> list[Reason]:
    """All reasons for the tile of a client."""
    return [Reason(Tile(tile), message) for tile, message in json.loads(row.reasons)]


def view_of(session: Session, run: BookRun) -> BookRunView:
    """A run with its tiles and totals."""
    version = models.version(session, run.version_id)
    tiles = _tiles(session, run)
    sources, oldest = _prices(run)
    price_age = dt.timedelta(minutes=models.limits(session).price_minutes)
    return BookRunView(
        run,
        models.names_of_models(session)[run.model_id],
        version.row.number,
        run.rationale or version.row.rationale,
        tiles,
        _totals(session, run, sum(tile.clients for tile in tiles)),
        queries.state_counts(session, run.id),
        sources,
        oldest.at if oldest else None,
        oldest.stock.symbol if oldest else None,
        run.priced_at + price_age if run.priced_at else None,
        from_json(advice.Options, run.options),
    )


def _tiles(session: Session, run: BookRun) -> tuple[TileSum, ...]:
    sums = {row.tile: row for row in queries.tile_sums(session, run.id)}
    tiles = []
    for tile in Tile:
        if (row := sums.get(tile)) is None:
            tiles.append(TileSum(tile, 0, 0, 0, ZERO, ZERO, ZERO))
            continue
        counts = row.clients, int(row.included), int(row.can_be_sent)
        tiles.append(TileSum(tile, *counts, row.investment, row.buys, row.sells))
    return tuple(tiles)


def _totals(session: Session, run: BookRun, clients: int) -> Totals:
    row = queries.included_sums(session, run.id)
    sums = row.buys, row.sells, row.charges, int(row.trades)
    return Totals(clients, row.included, *sums, row.tax, int(row.unknown_tax or 0))


def _prices(run: BookRun) -> tuple[tuple[str, ...], advice.PriceUsed | None]:
    """The sources of a run's prices, and the oldest of its prices."""
    if not run.snapshot:
        return (), None
    priced = from_json(Snapshot, run.snapshot).priced
    sources = sorted({price.source for price in priced})
    return tuple(sources), min(priced, key=lambda price: price.at, default=None)
