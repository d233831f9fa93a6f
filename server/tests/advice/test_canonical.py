"""The canonical text is that of a plain writer, letter for letter: what is hashed must not change."""

import datetime as dt
import json
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from sqlalchemy import select

from tarazu.advice import sealing
from tarazu.advice.canonical import WRITTEN_IF_SET, Writer
from tarazu.advice.sealing import SealedAdvice
from tarazu.advice.tables import AdviceSeal
from tarazu.domain.charges import Side
from tarazu.kit.db import Database
from tests.advice.conftest import AdviceDesk
from tests.rows_of import scalar


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    share: Decimal | None


@dataclass(frozen=True, slots=True)
class Branch:
    id: uuid.UUID
    side: Side
    at: dt.datetime
    on: dt.date
    is_new: bool
    count: int
    leaves: tuple[Leaf, ...]
    rates: dict[str, Decimal]
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class Noted:
    count: int
    note: str = field(default="", metadata={WRITTEN_IF_SET: True})


@dataclass(frozen=True, slots=True)
class Alone:
    leaf: Leaf


def _plainly(kind: Any, value: Any) -> str:
    told = TypeAdapter(kind).dump_python(value, mode="json")
    return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


decimals = st.decimals(allow_nan=False, allow_infinity=False)
zones = st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=5, minutes=30))])
leaves = st.builds(Leaf, st.text(), st.none() | decimals)
branches = st.builds(
    Branch,
    st.uuids(),
    st.sampled_from(Side),
    st.datetimes(timezones=zones),
    st.dates(),
    st.booleans(),
    st.integers(),
    st.lists(leaves, max_size=3).map(tuple),
    st.dictionaries(st.text(), decimals, max_size=3),
    leaves,
)


@given(st.lists(branches, max_size=3))
def test_it_is_what_a_plain_writer_writes(found: list[Branch]) -> None:
    shared, apart = Writer(Leaf, Branch), Writer()

    for one in [*found, *found]:
        right = _plainly(Branch, one)
        assert shared.text_of(one) == apart.text_of(one) == right
        assert apart.text_of(Alone(one.leaf)) == _plainly(Alone, Alone(one.leaf))


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="complex"):
        Writer().text_of({"a": 1j})


def test_a_sealed_advice_reads_and_writes_the_same(advice: AdviceDesk, database: Database) -> None:
    advice.set_firm(name="Ānanda “Research” & Söhne\\")
    advice.sent(rationale='Quality\n"at" a fair price: ₹.')
    kept = scalar(database, select(AdviceSeal.package))

    read = sealing.from_text(kept)

    plain = _plainly(SealedAdvice, read)
    for empty in ('"note":"",', '"uncredited":0,', ',"taxed":null'):
        plain = plain.replace(empty, "")
    assert list(sealing.texts_of([read])) == [kept] == [plain]


def test_a_field_that_is_written_if_set_is_left_out_while_it_is_empty() -> None:
    writer = Writer()

    texts = [writer.text_of(Noted(1, note)) for note in ("", "Fair.")]

    assert texts == ['{"count":1}', '{"count":1,"note":"Fair."}']


def test_a_sealed_text_with_an_empty_note_is_read(advice: AdviceDesk, database: Database) -> None:
    advice.sent()
    kept = scalar(database, select(AdviceSeal.package))
    before = kept.replace('"possible":', '"note":"","possible":')

    assert before != kept
    assert sealing.from_text(before) == sealing.from_text(kept)
