"""The tiles of a run: every subscriber worked out, and where each of them stands."""

import datetime as dt
import json
import uuid
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, Decimal
from math import sqrt

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.brokers import service as brokers
from tarazu.brokers.tables import BrokerName
from tarazu.domain.charges import Tariff
from tarazu.domain.money import ZERO, Percent, from_units, rounded, to_units
from tarazu.domain.rebalance_problem import BASIS_POINTS, WHOLE
from tarazu.domain.restrictions import Kind, bounds_of, words_of
from tarazu.kit.formatting import rupees, time_of
from tarazu.models import queries, run_queries, service
from tarazu.models.faults import FAULTS, words_of_fault
from tarazu.models.reckoning import (
    Answer,
    Reckoning,
    charges_of,
    holders_of,
    reckon,
    snapshot_of,
    solve,
    terms_of,
    worked_of,
)
from tarazu.models.records import Rebuilder, Snapshot, options_from, worked_text
from tarazu.models.tables import BookRun, ClientState, Tile
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status

SENT_BY_CHOICE = frozenset({Tile.READY, Tile.RESTRICTED, Tile.NEEDS_CASH, Tile.NO_SESSION})
"""Tiles whose clients something can be sent to; READY alone without being asked."""

_FIGURES = (
    "investment", "cash_after", "funds_to_add", "trades", "buy_value", "sell_value", "charges",
    "turnover", "max_drift", "tracking_error", "proved_gap",
)  # fmt: skip

Reasons = list[tuple[Tile, str]]


def tiles_of(
    session: Session, run: BookRun, now: dt.datetime, tell: Callable[[int, int], None]
) -> tuple[Snapshot, list[dict[str, object]]]:
    """What a run is made with, and a row for each active subscriber, by code.

    Args:
        tell: is told of how many clients, of how many, the work is done.
    """
    options = options_from(run.options) if run.options else None
    version = service.version(session, run.version_id)
    terms, listed = terms_of(session, version, run.outside, now, options)
    cards = {
        card.id: card for card in people.client_cards(session, "") if card.status is Status.ACTIVE
    }
    wanted = {
        row.client_id: row.investment
        for row in queries.subscribers(session, run.model_id)
        if row.client_id in cards
    }
    reckoning = reckon(terms, holders_of(session, wanted), listed)
    snapshot = snapshot_of(reckoning, queries.names_of_models(session)[run.model_id])
    whole = len(reckoning.holders)
    # Half of the work is to solve them, half to say where each of them stands.
    answers = solve(reckoning, Rebuilder(snapshot), lambda solved: tell(solved // 2, whole))
    desk = _Desk(session, run, reckoning, answers, now)
    rows = []
    for row, holder in enumerate(reckoning.holders):
        rows.append(desk.sound_row_of(row, cards[holder.account.client_id]))
        tell((whole + row + 1) // 2, whole)
    return snapshot, sorted(rows, key=lambda one: str(one["code"]))


class _Desk:
    """Puts each client of a reckoning where it stands."""

    def __init__(
        self,
        session: Session,
        run: BookRun,
        reckoning: Reckoning,
        answers: dict[int, Answer],
        now: dt.datetime,
    ) -> None:
        self.run, self.reckoning, self.answers = run, reckoning, answers
        ids = [one.account.client_id for one in reckoning.holders]
        self._oldest = advice.oldest_holdings(session, now)
        self._logins = brokers.live_logins(session, now)
        self._advised = advice.advised_at(session, ids)
        self._left_out: Mapping[uuid.UUID, str] = {}
        if run.after_id is not None:
            self._left_out = run_queries.left_out_by_hand(session, run.after_id)
        self._tariffs = {broker: Tariff(rates) for broker, rates in reckoning.terms.rates.items()}

    def sound_row_of(self, row: int, card: ClientSummary) -> dict[str, object]:
        """One client's row as it is stored; one at fault has a tile of its own."""
        try:
            return self.row_of(row, card)
        except FAULTS as error:
            self.reckoning.faults[row] = words_of_fault(error, card.id)
            self.answers.pop(row, None)
            return self.row_of(row, card)

    def row_of(self, row: int, card: ClientSummary) -> dict[str, object]:
        """One client's row as it is stored."""
        account = self.reckoning.holders[row].account
        answer = self.answers.get(row)
        figures = self._figures(row, answer) if answer else dict.fromkeys(_FIGURES)
        symbol = self.reckoning.worst_drift(row)[1] if answer else ""
        reasons = self._reasons(row, answer, figures)
        tile = min((tile for tile, _ in reasons), key=list(Tile).index, default=Tile.READY)
        can_be = tile in SENT_BY_CHOICE and bool(figures["trades"])
        note = self._left_out.get(card.id, "")
        return {
            "run_id": self.run.id,
            "client_id": card.id,
            "code": card.code,
            "name": card.name,
            "search_text": f"{card.name} {card.code}".lower(),
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
            "worked_out": worked_text(worked_of(self.reckoning, row, answer)) if answer else "",
            "state": ClientState.REVIEW,
            "error": "",
            "advice_id": None,
            "sent_at": None,
        }

    def _figures(self, row: int, answer: Answer) -> dict[str, object]:
        reckoning = self.reckoning
        units = int(reckoning.investment[row])
        holder, sums = reckoning.holders[row], reckoning.sums[row]
        tariff = self._tariffs[holder.account.broker]
        bought, sold, charges, trades = charges_of(reckoning, row, answer.shares, tariff)
        prices = reckoning.prices.tolist()
        worth = sum(price * count for price, count in zip(prices, answer.shares, strict=True))
        spent = worth + sums.kept
        spent += charges if reckoning.terms.options.include_charges else 0
        had = int(reckoning.held[row] @ reckoning.prices) + sums.kept + sums.sold
        cash = to_units(holder.account.net)
        means = units
        if not reckoning.terms.options.allow_fresh_funds:
            means = min(units, had + cash)
        needed = max(units, spent) if reckoning.terms.options.allow_fresh_funds else 0
        off = [
            price * count * WHOLE - int(target) * units
            for price, count, target in zip(
                prices, answer.shares, reckoning.targets[row].tolist(), strict=True
            )
        ]
        error = sqrt(sum(one * one for one in off) + sum(off) ** 2) / units * BASIS_POINTS / WHOLE
        gap = 0.0
        if answer.alone is not None:
            # Short of money its targets are met in proportion, which the plan alone knows.
            error, gap = float(answer.alone.tracking_error_bps), float(answer.alone.proved_gap_bps)
        elif answer.bound < answer.phi:
            gap = (sqrt(answer.phi) - sqrt(max(0.0, answer.bound))) * BASIS_POINTS
        return {
            "investment": from_units(units),
            "cash_after": from_units(max(means, spent) - spent),
            "funds_to_add": from_units(max(0, needed - had - cash)),
            "trades": trades,
            "buy_value": from_units(bought),
            "sell_value": from_units(sold),
            "charges": from_units(charges),
            "turnover": rounded(Decimal(bought + sold) * 50 / units),
            "max_drift": _rounded(reckoning.worst_drift(row)[0]),
            "tracking_error": _rounded(error),
            "proved_gap": Decimal(repr(gap)).quantize(Decimal("0.0001"), rounding=ROUND_CEILING),
        }

    def _reasons(self, row: int, answer: Answer | None, figures: Mapping[str, object]) -> Reasons:
        """All that is to be said of a client."""
        holder, sums = self.reckoning.holders[row], self.reckoning.sums[row]
        reasons: Reasons = []
        if row in self.reckoning.faults:
            reasons.append((Tile.FAULT, self.reckoning.faults[row]))
        if sums.missing:
            named = ", ".join(sorted(set(sums.missing)))
            reasons.append((Tile.PRICE_MISSING, f"No price: {named}."))
        reasons += self._stale(row)
        if answer is not None:
            reasons += self._inside(row, figures)
        account = holder.account
        is_from_broker = account.holdings_source in set(BrokerName)
        if is_from_broker and account.client_id not in self._logins:
            reasons.append((Tile.NO_SESSION, "No live session at the broker."))
        reasons += self._short(row, figures)
        if answer is not None:
            reasons += self._restricted(row, answer)
        return reasons

    def _stale(self, row: int) -> Reasons:
        account = self.reckoning.holders[row].account
        if account.synced_at is None:
            return [(Tile.STALE_DATA, "Holdings never came in.")]
        if account.synced_at < self._oldest:
            since, least = time_of(account.synced_at), time_of(self._oldest)
            return [(Tile.STALE_DATA, f"Holdings are of {since}; the firm asks for {least}.")]
        advised_at = self._advised.get(account.client_id)
        if advised_at is not None and advised_at > account.synced_at:
            sent = time_of(advised_at)
            text = f"Advice was sent {sent}, and holdings have not come in since."
            return [(Tile.STALE_DATA, text)]
        return []

    def _inside(self, row: int, figures: Mapping[str, object]) -> Reasons:
        worst, symbol = self.reckoning.worst_drift(row)
        shown = abs(_rounded(worst))
        if shown < self.run.tolerance:
            text = f"Largest drift {shown} pp ({symbol}), tolerance {self.run.tolerance} pp."
            return [(Tile.INSIDE_TOLERANCE, text)]
        if not figures["trades"]:
            text = "No trade of whole shares brings the portfolio nearer the model."
            return [(Tile.INSIDE_TOLERANCE, text)]
        return []

    def _short(self, row: int, figures: Mapping[str, object]) -> Reasons:
        net = self.reckoning.holders[row].account.net
        reasons: Reasons = []
        if net < ZERO:
            reasons.append((Tile.NEEDS_CASH, f"Cash is {rupees(net)}."))
        funds = figures["funds_to_add"]
        if isinstance(funds, Decimal) and funds > ZERO:
            reasons.append((Tile.NEEDS_CASH, f"{rupees(funds)} has to be added."))
        if self.reckoning.investment[row] <= 0 and not self.reckoning.sums[row].missing:
            reasons.append((Tile.NEEDS_CASH, "There is nothing to invest."))
        return reasons

    def _restricted(self, row: int, answer: Answer) -> Reasons:
        """The restrictions that keep a client's plan from the model."""
        reckoning = self.reckoning
        units = int(reckoning.investment[row])
        columns = {stock.isin: place for place, stock in enumerate(reckoning.stocks)}
        unsold = {stock.isin for stock, _, is_sold in reckoning.sums[row].besides if not is_sold}
        reasons: Reasons = []
        for one in reckoning.holders[row].restricted:
            place = columns.get(one.instrument.isin)
            said = f"{one.instrument.symbol}: {words_of(one.restriction)}."
            if place is None:
                keeps = one.restriction.kind in {Kind.LOCKED, Kind.RANGE}
                if keeps and reckoning.terms.outside == "SELL" and one.instrument.isin in unsold:
                    reasons.append((Tile.RESTRICTED, said))
                continue
            price, target = int(reckoning.prices[place]), int(reckoning.targets[row, place])
            held = int(reckoning.held[row, place])
            bounds = bounds_of(one.restriction, held, price, units, target)
            if bounds.binds(answer.shares[place], price, target * units // WHOLE):
                reasons.append((Tile.RESTRICTED, said))
        return reasons


def _rounded(value: float) -> Percent:
    return rounded(Decimal(repr(value)))
