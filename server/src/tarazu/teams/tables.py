"""Teams of staff, the clients of each, and whether a USER sees these clients alone."""

import datetime as dt
import uuid

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class TeamSettings(Table):
    """One row, made when the setting is first changed; off until then."""

    __tablename__ = "team_settings"
    tracks_version = True

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    is_on: Mapped[bool]
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class Team(Table):
    """`name_key` is the name with its case folded, by which two teams differ."""

    __tablename__ = "teams"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    version: Mapped[int]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class TeamMember(Table):
    __tablename__ = "team_members"
    tracks_version = True

    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("teams.id"), primary_key=True, index=True)


class TeamClient(Table):
    """The one team of a client; a client without a row has none."""

    __tablename__ = "team_clients"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("teams.id"), index=True)
