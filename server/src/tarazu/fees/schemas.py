"""Shapes of fees and of the fee schedule on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from tarazu.domain.fees import FeeSchedule, FixedSchedule, Slab, SlabSchedule
from tarazu.fees.tables import FeeStatus
from tarazu.firm.tables import ScheduleKind
from tarazu.kit.fields import Day, is_plain
from tarazu.kit.schemas import Flag, ListParams, Number, Schema, Version

LONGEST_SOURCE = 500
MOST_SLABS = 20
MOST_RUPEES = 10**13


def _none_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _given(value: Any) -> Any:
    if _none_if_blank(value) is None:
        raise ValueError("Please fill all required fields.")
    return value


def _source(text: str) -> str:
    source = text.strip()
    if len(source) > LONGEST_SOURCE or not is_plain(source):
        raise ValueError("A source has at most 500 characters, without control characters.")
    return source


Sum = Annotated[Number, Field(ge=0, le=MOST_RUPEES, decimal_places=2)]
Share = Annotated[Number, Field(ge=0, le=10_000, decimal_places=2)]
OptionalDay = Annotated[Day | None, BeforeValidator(_none_if_blank)]
OptionalSum = Annotated[Sum | None, BeforeValidator(_none_if_blank)]


class AskedFees(Schema):
    """Periods that started in these days, both included, and a status; all there is unless asked."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    status: FeeStatus | None = None


class AskedOverview(ListParams):
    """Which clients, of those who paid a fee in these days, if days are named."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")


class NewFee(Schema):
    starting_date: Annotated[Day, BeforeValidator(_given)]
    due_date: OptionalDay = None
    final_date: OptionalDay = None
    starting_value: Annotated[Sum, BeforeValidator(_given)]
    final_value: Annotated[Sum, BeforeValidator(_given)]

    @model_validator(mode="before")
    @classmethod
    def _ask_for_what_lacks(cls, body: Any) -> Any:
        # An absent field is refused with the screen's own sentence, as an empty one is.
        needed = dict.fromkeys(("startingDate", "startingValue", "finalValue"))
        return needed | body if isinstance(body, dict) else body


class ChangedFee(Schema):
    """What is left out stays as it is; `version` is the one that was seen."""

    fee_id: uuid.UUID
    due_date: OptionalDay = None
    final_date: OptionalDay = None
    final_value: OptionalSum = None
    status: FeeStatus | None = None
    paid_date: OptionalDay = None
    version: Version | None = None


class FeeToDelete(Schema):
    fee_id: uuid.UUID
    version: Version | None = None


class LimitPassed(Schema):
    """A family's fees in the financial year that begins on `year_from`, against the limit."""

    year_from: dt.date
    family_fees: Number
    yearly_limit: Number
    excess: Number


class FlowsChanged(Schema):
    """The fee of the period from `starting_on`, and what it would be with the cash flows of now."""

    starting_on: dt.date = Field(alias="startingDate")
    fees: Number
    net_funds_added_now: Number
    net_gain_now: Number
    fees_now: Number


class FeeRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    starting_date: dt.date
    due_date: dt.date | None
    final_date: dt.date | None
    starting_value: Number
    final_value: Number | None
    net_funds_added: Number | None
    net_gain: Number | None
    net_gain_percentage: Number | None
    applicable_percentage: Number | None
    fees: Number | None
    net_gain_after_fees: Number | None
    status: FeeStatus
    paid_date: dt.date | None
    over_limit: bool
    limit: LimitPassed | None
    schedule_from: dt.date | None
    flows_changed: FlowsChanged | None
    version: int


class ClientFeesRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    user_name: str
    total_fees: Number
    total_due: Number
    due_date: dt.date | None
    total_paid: Number
    paid_date: dt.date | None
    status: FeeStatus
    over_limit: bool
    limit: LimitPassed | None
    flows_changed: list[FlowsChanged]


class FeeStats(Schema):
    total_fees: Number
    total_paid: Number
    total_due: Number


class FeeSlab(Schema):
    gain_from: Share = Field(alias="from")
    percentage: Share


class FeeScheduleVersion(Schema):
    id: uuid.UUID = Field(alias="_id")
    effective_on: dt.date
    kind: ScheduleKind
    slabs: list[FeeSlab]
    fixed_amount: Number | None
    is_above_high_water_mark: bool
    yearly_limit: Number | None
    source: str
    is_in_force: bool
    is_in_use: bool
    created_at: dt.datetime


class FeeSchedules(Schema):
    in_force: FeeScheduleVersion
    versions: list[FeeScheduleVersion]


class NewFeeSchedule(Schema):
    """A version from a day on: slabs of gain, or a fixed amount a period."""

    effective_on: Day
    kind: ScheduleKind
    slabs: list[FeeSlab] = Field(default=[], max_length=MOST_SLABS)
    fixed_amount: OptionalSum = None
    is_above_high_water_mark: Flag = True
    yearly_limit: OptionalSum = None
    source: Annotated[str, AfterValidator(_source)] = ""
    seen_at: dt.datetime | None = None
    """`createdAt` of the version of that day as it was seen; null when none was. Left out: not asked about."""

    @property
    def schedule(self) -> FeeSchedule:
        """The schedule that the fields describe.

        Raises:
            BadFeeSchedule: nobody can charge by it; the text says why.
            ValueError: the amount of a fixed fee lacks.
        """
        if self.kind == ScheduleKind.SLABS:
            return SlabSchedule(tuple(Slab(one.gain_from, one.percentage) for one in self.slabs))
        if self.fixed_amount is None:
            raise ValueError("Please fill all required fields.")
        return FixedSchedule(self.fixed_amount)

    @model_validator(mode="after")
    def _can_be_charged_by(self) -> Self:
        _ = self.schedule
        return self
