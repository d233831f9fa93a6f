"""Packs that tests ask for, make, download and open."""

import uuid
from pathlib import Path
from typing import Any

from httpx2 import Response

from tarazu.inspection import jobs
from tarazu.inspection.service import path_of
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.advice.documents.exports import unpacked
from tests.people_of import Desk, data_of, new_key

PATH = "/admin/inspection-pack"


def asked(desk: Desk, **fields: Any) -> Response:
    today = str(clock.today())
    return desk.post(PATH, {"from": today, "to": today} | fields, **new_key())


def made(desk: Desk, database: Database, settings: Settings, **fields: Any) -> dict[str, Any]:
    """A pack whose file is there, as the list has it."""
    pack_id = data_of(asked(desk, **fields), 201)["_id"]
    jobs.make_due(database, settings, clock.now)
    return next(row for row in data_of(desk.get(PATH)) if row["_id"] == pack_id)


def content_of(settings: Settings, pack: dict[str, Any]) -> bytes:
    return path_of(settings, uuid.UUID(pack["_id"])).read_bytes()


def opened(settings: Settings, pack: dict[str, Any], folder: Path) -> Path:
    """The folder into which the zip of a pack was unpacked."""
    assert pack["state"] == "READY", pack["error"]
    return unpacked(content_of(settings, pack), folder)
