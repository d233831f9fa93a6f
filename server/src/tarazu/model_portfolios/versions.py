"""Versions of a model portfolio: published once, never changed."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import HUNDRED, ZERO, Percent, rounded
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.model_portfolios import queries
from tarazu.model_portfolios.errors import ModelVersionNotFound, UnfitModel
from tarazu.model_portfolios.tables import ModelConstituent, ModelPortfolio, ModelVersion

CASH = "CASH"


@dataclass(frozen=True, slots=True)
class Words:
    """The five texts of a version, all of them required."""

    rationale: str
    benchmark: str
    universe: str
    selection_method: str
    risks: str


@dataclass(frozen=True, slots=True)
class Constituent:
    """A stock of a model, and its percent of the investment."""

    instrument: Listed
    allocation: Percent


@dataclass(frozen=True, slots=True)
class Version:
    """A version with its constituents in their order; cash is what they leave of 100 %."""

    row: ModelVersion
    constituents: tuple[Constituent, ...]

    @property
    def cash(self) -> Percent:
        """The cash target."""
        return HUNDRED - sum((part.allocation for part in self.constituents), ZERO)

    @property
    def words(self) -> Words:
        row = self.row
        return Words(row.rationale, row.benchmark, row.universe, row.selection_method, row.risks)


def version(session: Session, version_id: uuid.UUID) -> Version:
    """One version.

    Raises:
        ModelVersionNotFound: there is none.
    """
    row = queries.version_by_id(session, version_id)
    if row is None:
        raise ModelVersionNotFound
    return with_constituents(session, [row])[0]


def newest_version(session: Session, model_id: uuid.UUID) -> Version:
    """The version of a model that was published last."""
    return with_constituents(session, [queries.newest_version(session, model_id)])[0]


def with_constituents(session: Session, rows: Sequence[ModelVersion]) -> list[Version]:
    """These versions, each with its constituents."""
    constituents = queries.constituents_of(session, [row.id for row in rows])
    listed = instruments.by_ids(session, {part.instrument_id for part in constituents})
    by_version: dict[uuid.UUID, list[Constituent]] = {row.id: [] for row in rows}
    for part in constituents:
        stock = listed[part.instrument_id]
        by_version[part.version_id].append(Constituent(stock, part.allocation))
    return [Version(row, tuple(by_version[row.id])) for row in rows]


def checked(constituents: Sequence[Constituent]) -> tuple[Constituent, ...]:
    """The constituents, with two decimals each.

    Raises:
        UnfitModel: a stock is in the list twice, or a target is not valid.
    """
    seen: set[str] = set()
    for place, part in enumerate(constituents):
        field, stock, percent = f"constituents.{place}", part.instrument, part.allocation
        if stock.isin in seen:
            raise UnfitModel(field, f"{stock.symbol} is in the list twice.")
        seen.add(stock.isin)
        if not ZERO < percent <= HUNDRED or percent != rounded(percent):
            raise UnfitModel(field, f"{stock.symbol}: a target is 0.01 to 100 % in steps of 0.01.")
    if sum((part.allocation for part in constituents), ZERO) > HUNDRED:
        raise UnfitModel("constituents", "Total target allocation cannot exceed 100%")
    return tuple(Constituent(part.instrument, rounded(part.allocation)) for part in constituents)


def publish(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model: ModelPortfolio,
    content: tuple[int, Words, tuple[Constituent, ...]],
) -> dict[str, object]:
    """Save a version: its number, texts and constituents. Returns the details for the audit log."""
    number, words, constituents = content
    published = ModelVersion(
        id=new_id(),
        model_id=model.id,
        number=number,
        created_at=now,
        account_id=actor.account_id,
        author=actor.name,
        rationale=words.rationale,
        benchmark=words.benchmark,
        universe=words.universe,
        selection_method=words.selection_method,
        risks=words.risks,
    )
    session.add(published)
    session.flush()
    session.add_all(
        ModelConstituent(
            version_id=published.id,
            place=place,
            instrument_id=part.instrument.id,
            allocation=part.allocation,
        )
        for place, part in enumerate(constituents)
    )
    session.flush()
    return {
        "number": number,
        "benchmark": words.benchmark,
        "constituents": {part.instrument.symbol: str(part.allocation) for part in constituents},
    }
