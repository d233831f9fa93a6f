"""Shapes of clients' connections with their brokers on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from tarazu.brokers.tables import BrokerName, EndReason
from tarazu.kit.schemas import Flag, Schema

LONGEST_TOKEN = 8_192
LONGEST_MARK = 200

Offered = Literal["ZERODHA", "ANGEL_ONE"]


def _empty_if_none(given: object) -> object:
    return "" if given is None else given


Token = Annotated[
    str,
    Field(max_length=LONGEST_TOKEN),
    BeforeValidator(_empty_if_none, json_schema_input_type=str | None),
]
Mark = Annotated[
    str,
    Field(max_length=LONGEST_MARK),
    BeforeValidator(_empty_if_none, json_schema_input_type=str | None),
]


class LinkToken(Schema):
    token: Annotated[str, Field(min_length=1, max_length=LONGEST_MARK)]


class LinkLogin(LinkToken):
    broker: BrokerName | None = None
    return_to: Literal["browser", "app"] = "browser"


class ShownLink(Schema):
    firm_name: str
    client_name: str
    brokers: list[Offered]
    expires_at: dt.datetime


class BegunLogin(Schema):
    broker: Offered
    url: str


class HandedSession(Schema):
    """What a log-in brought back: the mark of its beginning, or the link's token, and tokens."""

    state: Mark = ""
    link_token: Mark = ""
    request_token: Token = ""
    auth_token: Token = ""
    refresh_token: Token = ""
    feed_token: Token = ""

    @model_validator(mode="after")
    def _whole(self) -> "HandedSession":
        if not self.request_token and not self.auth_token:
            raise ValueError("No valid broker token received.")
        return self


class TakenSession(Schema):
    broker: Offered
    broker_user_id: str
    is_confirmed: bool
    expires_at: dt.datetime


class WantedLink(Schema):
    send: Flag = True


class MadeLink(Schema):
    """`url` only where it was not mailed."""

    url: str | None
    expires_at: dt.datetime


class ChosenSession(Schema):
    session_id: uuid.UUID


class IdToConfirm(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    reported_id: str


class MailedLink(Schema):
    status: str
    at: dt.datetime
    error: str | None


class WaitingLink(Schema):
    made_at: dt.datetime
    expires_at: dt.datetime
    mailed: MailedLink | None


class ClientConnection(Schema):
    """A client's connection; what is of the session is None where there was never one."""

    state: Literal["CONNECTED", "AWAITING", "LOGGED_OUT"]
    broker: str
    user_broker_id: str
    can_connect: bool
    session_id: uuid.UUID | None
    session_broker: str | None
    reported_id: str | None
    connected_at: dt.datetime | None
    connected_until: dt.datetime | None
    confirmed_at: dt.datetime | None
    confirmed_by: str
    ended_at: dt.datetime | None
    end_reason: EndReason | None
    link: WaitingLink | None
