"""The tiles of a run: every subscriber is solved and put into one tile."""

import datetime as dt
import json
import uuid
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, Decimal
from math import sqrt

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.book_runs import queries
from tarazu.book_runs.batch import Solution, charges_of, record_of, sales_of, snapshot_of, solve
from tarazu.book_runs.faults import FAULTS, fault_text
from tarazu.book_runs.records import Rebuilder, Snapshot, from_json, to_json
from tarazu.book_runs.tables import BookRun, ClientState, Tile
from tarazu.brokers import service as brokers
from tarazu.brokers.tables import BrokerName
from tarazu.domain.charges import Tariff
from tarazu.domain.money import ZERO, Percent, Rupees, from_units, grouped, rounded, to_units
from tarazu.domain.rebalancing.plan import Options
from tarazu.domain.rebalancing.problem import BASIS_POINTS, WHOLE
from tarazu.domain.restrictions import Kind, bounds_of, words_of
from tarazu.kit.formatting import rupees, time_of
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.service import ModelPositions
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.tax import service as tax

SENT_BY_CHOICE = frozenset(
    {
        Tile.READY,
        Tile.RESTRICTED,
        Tile.NEEDS_CASH,
        Tile.NO_SESSION,
        Tile.ACTION_PENDING,
        Tile.ACTION_SUSPECTED,
    }
)
"""Tiles whose clients can be sent advice; only READY is included from the start."""

_FIGURES = (
    "investment", "cash_after", "funds_to_add", "trades", "buy_value", "sell_value", "charges",
    "tax", "turnover", "max_drift", "tracking_error", "proved_gap",
)  # fmt: skip

Reasons = list[tuple[Tile, str]]


def tiles_of(
    session: Session, run: BookRun, now: dt.datetime, report: Callable[[int, int], None]
) -> tuple[Snapshot, list[dict[str, object]]]:
    """The common data of a run, and a row for each active subscriber, by code.

    Args:
        report: called with the number of clients done, and of all clients.
    """
    version = models.version(session, run.version_id)
    clients = {
        client.id: client
        for client in people.client_summaries(session, "")
        if client.status is Status.ACTIVE
    }
    if run.client_ids:
        chosen = {uuid.UUID(client_id) for client_id in json.loads(run.client_ids)}
        clients = {key: client for key, client in clients.items() if key in chosen}
    investments = {
        client_id: investment
        for client_id, investment in models.investments_of(session, run.model_id).items()
        if client_id in clients
    }
    options = from_json(Options, run.options)
    positions = models.positions_of(session, version, run.outside, investments, now, options)
    snapshot = snapshot_of(positions, models.names_of_models(session)[run.model_id])
    total = len(positions.followers)
    # Solving is half of the work, classifying the other half.
    solutions = solve(positions, Rebuilder(snapshot), lambda solved: report(solved // 2, total))
    classifier = _Classifier(session, run, positions, solutions, now)
    rows = []
    for row, follower in enumerate(positions.followers):
        rows.append(classifier.safe_row_of(row, clients[follower.account.client_id]))
        report((total + row + 1) // 2, total)
    return snapshot, sorted(rows, key=lambda stored: str(stored["code"]))


class _Classifier:
    """Makes the stored row of each client of a run."""

    def __init__(
        self,
        session: Session,
        run: BookRun,
        positions: ModelPositions,
        solutions: dict[int, Solution],
        now: dt.datetime,
    ) -> None:
        self.run, self.positions, self.solutions = run, positions, solutions
        ids = [follower.account.client_id for follower in positions.followers]
        self._oldest = advice.oldest_holdings(session, now)
        self._logins = brokers.live_logins(session, now)
        self._advised = advice.advised_at(session, ids)
        self._pending = portfolio.pending_shares(session, ids)
        self._suspected = portfolio.suspected_holdings(session)
        self._left_out: Mapping[uuid.UUID, str] = {}
        if run.after_id is not None:
            self._left_out = queries.left_out_by_hand(session, run.after_id)
        self._session, self._now = session, now
        self._with_lots = tax.clients_with_lots(session)
        self._tariffs = {broker: Tariff(rates) for broker, rates in positions.terms.rates.items()}

    def safe_row_of(self, row: int, client: ClientSummary) -> dict[str, object]:
        """One client's row; the tile FAULT where an error stops it."""
        try:
            return self.row_of(row, client)
        except FAULTS as error:
            self.positions.faults[row] = fault_text(error, client.id)
            self.solutions.pop(row, None)
            return self.row_of(row, client)

    def row_of(self, row: int, client: ClientSummary) -> dict[str, object]:
        """One client's row as it is stored."""
        account = self.positions.followers[row].account
        solution = self.solutions.get(row)
        figures = self._figures(row, solution) if solution else dict.fromkeys(_FIGURES)
        symbol = self.positions.worst_drift(row)[1] if solution else ""
        reasons = self._reasons(row, solution, figures)
        tile = min((tile for tile, _ in reasons), key=list(Tile).index, default=Tile.READY)
        # Whoever may wait for shares of an unknown number cannot be sent advice on them.
        is_unknown = None in self._pending.get(client.id, {}).values()
        can_be = tile in SENT_BY_CHOICE and bool(figures["trades"]) and not is_unknown
        note = self._left_out.get(client.id, "")
        return {
            "run_id": self.run.id,
            "client_id": client.id,
            "code": client.code,
            "name": client.name,
            "search_text": f"{client.name} {client.code}".lower(),
            "tile": tile,
            "reasons": json.dumps(reasons, ensure_ascii=False),
            "is_included": can_be and tile is Tile.READY and not note,
            "can_be_included": can_be,
            "note": note,
            "cash": account.net,
            **figures,
            "max_drift_symbol": symbol,
            "broker": account.broker,
            "holdings_source": account.holdings_source,
            "synced_at": account.synced_at,
            "worked_out": to_json(record_of(self.positions, row, solution)) if solution else "",
            "state": ClientState.REVIEW,
            "error": "",
            "advice_id": None,
            "sent_at": None,
        }

    def _figures(self, row: int, solution: Solution) -> dict[str, object]:
        positions = self.positions
        units = int(positions.investment[row])
        follower, others = positions.followers[row], positions.others[row]
        tariff = self._tariffs[follower.account.broker]
        bought, sold, charges, trades = charges_of(positions, row, solution.shares, tariff)
        prices = positions.prices.tolist()
        worth = sum(price * count for price, count in zip(prices, solution.shares, strict=True))
        spent = worth + others.kept
        spent += charges if positions.terms.options.include_charges else 0
        had = int(positions.held[row] @ positions.prices) + others.kept + others.sold
        cash = to_units(follower.account.net)
        means = units
        if not positions.terms.options.allow_fresh_funds:
            means = min(units, had + cash)
        needed = max(units, spent) if positions.terms.options.allow_fresh_funds else 0
        off = [
            price * count * WHOLE - int(target) * units
            for price, count, target in zip(
                prices, solution.shares, positions.targets[row].tolist(), strict=True
            )
        ]
        error = (
            sqrt(sum(deviation * deviation for deviation in off) + sum(off) ** 2)
            / units
            * BASIS_POINTS
            / WHOLE
        )
        gap = 0.0
        if solution.alone is not None:
            # Short of money, targets are met in proportion, which only the plan knows.
            error, gap = (
                float(solution.alone.tracking_error_bps),
                float(solution.alone.proved_gap_bps),
            )
        elif solution.bound < solution.phi:
            gap = (sqrt(solution.phi) - sqrt(max(0.0, solution.bound))) * BASIS_POINTS
        return {
            "investment": from_units(units),
            "cash_after": from_units(max(means, spent) - spent),
            "funds_to_add": from_units(max(0, needed - had - cash)),
            "trades": trades,
            "buy_value": from_units(bought),
            "sell_value": from_units(sold),
            "charges": from_units(charges),
            "tax": self._tax(row, solution),
            "turnover": rounded(Decimal(bought + sold) * 50 / units),
            "max_drift": _rounded(positions.worst_drift(row)[0]),
            "tracking_error": _rounded(error),
            "proved_gap": Decimal(repr(gap)).quantize(Decimal("0.0001"), rounding=ROUND_CEILING),
        }

    def _tax(self, row: int, solution: Solution) -> Rupees | None:
        """What a client's sales add to the tax of the year; None where it is not known."""
        sales = sales_of(self.positions, row, solution.shares)
        client_id = self.positions.followers[row].account.client_id
        if not sales:
            return ZERO
        if client_id not in self._with_lots:
            return None
        of_day = tax.SalesOfDay(self._session, client_id, self._now)
        return tax.in_paise(of_day.tax_of(sales).added)

    def _reasons(
        self, row: int, solution: Solution | None, figures: Mapping[str, object]
    ) -> Reasons:
        """All reasons of a client, with their tiles."""
        follower, others = self.positions.followers[row], self.positions.others[row]
        reasons: Reasons = []
        if row in self.positions.faults:
            reasons.append((Tile.FAULT, self.positions.faults[row]))
        if others.missing:
            symbols = ", ".join(sorted(set(others.missing)))
            reasons.append((Tile.PRICE_MISSING, f"No price: {symbols}."))
        reasons += self._stale(row)
        reasons += self._actions(row)
        if solution is not None:
            reasons += self._inside(row, figures)
        account = follower.account
        is_from_broker = account.holdings_source in set(BrokerName)
        if is_from_broker and account.client_id not in self._logins:
            reasons.append((Tile.NO_SESSION, "The client is not connected to the broker."))
        reasons += self._short(row, figures)
        if solution is not None:
            reasons += self._restricted(row, solution)
        return reasons

    def _stale(self, row: int) -> Reasons:
        account = self.positions.followers[row].account
        if account.synced_at is None:
            return [(Tile.STALE_DATA, "No holdings received yet.")]
        if account.synced_at < self._oldest:
            since, least = time_of(account.synced_at), time_of(self._oldest)
            return [
                (Tile.STALE_DATA, f"Holdings are from {since}; the firm requires {least} or later.")
            ]
        advised_at = self._advised.get(account.client_id)
        if advised_at is not None and advised_at > account.synced_at:
            sent = time_of(advised_at)
            text = f"Advice was sent on {sent}; holdings have not been updated since."
            return [(Tile.STALE_DATA, text)]
        return []

    def _actions(self, row: int) -> Reasons:
        """Corporate actions in a client's holdings, by symbol."""
        client_id = self.positions.followers[row].account.client_id
        pending = self._pending.get(client_id, {})
        listed = self.positions.listed
        reasons = [
            (Tile.ACTION_PENDING, _pending_text(listed[key].symbol, shares))
            for key, shares in pending.items()
        ]
        reasons += [
            (
                Tile.ACTION_SUSPECTED,
                f"{listed[key].symbol}: shares or price moved as in a split or bonus.",
            )
            for key in self._suspected.get(client_id, set()) - pending.keys()
        ]
        return sorted(reasons)

    def _inside(self, row: int, figures: Mapping[str, object]) -> Reasons:
        worst, symbol = self.positions.worst_drift(row)
        shown = abs(_rounded(worst))
        if shown < self.run.tolerance:
            text = f"Largest drift {shown} pp ({symbol}), tolerance {self.run.tolerance} pp."
            return [(Tile.INSIDE_TOLERANCE, text)]
        if not figures["trades"]:
            text = "No trade in whole shares brings the portfolio closer to the model."
            return [(Tile.INSIDE_TOLERANCE, text)]
        return []

    def _short(self, row: int, figures: Mapping[str, object]) -> Reasons:
        net = self.positions.followers[row].account.net
        reasons: Reasons = []
        if net < ZERO:
            reasons.append((Tile.NEEDS_CASH, f"Cash is {rupees(net)}."))
        funds = figures["funds_to_add"]
        if isinstance(funds, Decimal) and funds > ZERO:
            reasons.append((Tile.NEEDS_CASH, f"{rupees(funds)} must be added."))
        if self.positions.investment[row] <= 0 and not self.positions.others[row].missing:
            reasons.append((Tile.NEEDS_CASH, "There is nothing to invest."))
        return reasons

    def _restricted(self, row: int, solution: Solution) -> Reasons:
        """The restrictions that keep a client's plan from the model."""
        positions = self.positions
        units = int(positions.investment[row])
        columns = {stock.isin: place for place, stock in enumerate(positions.stocks)}
        unsold = {stock.isin for stock, _, is_sold in positions.others[row].stocks if not is_sold}
        reasons: Reasons = []
        for restricted in positions.followers[row].restricted:
            instrument, restriction = restricted.instrument, restricted.restriction
            place = columns.get(instrument.isin)
            message = f"{instrument.symbol}: {words_of(restriction)}."
            if place is None:
                keeps = restriction.kind in {Kind.LOCKED, Kind.RANGE}
                if keeps and positions.terms.outside == "SELL" and instrument.isin in unsold:
                    reasons.append((Tile.RESTRICTED, message))
                continue
            price, target = int(positions.prices[place]), int(positions.targets[row, place])
            held = int(positions.held[row, place])
            bounds = bounds_of(restriction, held, price, units, target)
            if bounds.binds(solution.shares[place], price, target * units // WHOLE):
                reasons.append((Tile.RESTRICTED, message))
        return reasons


def _pending_text(symbol: str, shares: int | None) -> str:
    """What is pending of a stock: shares to come, shares to go, or not known."""
    if shares is None:
        return f"{symbol}: it is not known whether the shares of a corporate action are credited."
    if shares < 0:
        return f"{symbol}: the broker does not show the shares after a consolidation yet."
    count = f"{grouped(shares)} {'share is' if shares == 1 else 'shares are'}"
    return f"{symbol}: {count} not credited yet; only credited shares are sold."


def _rounded(value: float) -> Percent:
    return rounded(Decimal(repr(value)))
