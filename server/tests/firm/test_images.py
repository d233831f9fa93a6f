"""The logo and the signature of letters: what is refused, and what is made of the rest."""

import base64
import io
import json
import random
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import func, select

from tarazu.firm.tables import FirmImage
from tarazu.kit.db import Database
from tests.people_of import Desk
from tests.rows_of import audit_rows

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def put(desk: Desk, kind: str, name: str, content: bytes) -> Any:
    path = f"/api/v1/settings/firm/{kind}"
    return desk.web.put(path, files={"file": (name, content)}, headers=desk.headers)


def picture(size: tuple[int, int] = (800, 200), form: str = "PNG", **more: Any) -> bytes:
    drawn = Image.new("RGB", size, "white")
    drawn.paste("teal", (0, 0, size[0] // 2, size[1] // 2))
    return _file_of(drawn, form, **more)


def _file_of(drawn: Image.Image, form: str, **more: Any) -> bytes:
    file = io.BytesIO()
    drawn.save(file, form, **more)
    return file.getvalue()


def shown(desk: Desk, kind: str = "logo") -> Image.Image:
    """The picture as Settings show it."""
    url = desk.get("/settings/firm").json()["data"][kind]
    head, _, encoded = url.partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(encoded)))


def _bomb() -> bytes:
    """A PNG of 10,000 × 10,000 pixels, some 100 kB long."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 0, 0, 0, 0)
    lines = zlib.compress(bytes(10_001) * 10_000)
    magic = b"\x89PNG\r\n\x1a\n"
    return magic + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


NO_PICTURE = "The file is not a PNG, JPEG or WebP picture."


@pytest.mark.parametrize(
    ("make", "status", "message"),
    [
        pytest.param(lambda: SVG, 422, NO_PICTURE, id="an SVG with a script"),
        pytest.param(lambda: b"Dear analyst", 422, NO_PICTURE, id="a text"),
        pytest.param(lambda: b"", 422, NO_PICTURE, id="nothing"),
        pytest.param(lambda: picture(form="GIF"), 422, NO_PICTURE, id="a GIF"),
        pytest.param(
            lambda: picture()[:200],
            422,
            "The picture cannot be read: the file is damaged.",
            id="half a picture",
        ),
        pytest.param(
            _bomb,
            422,
            "The picture is 10,000 × 10,000 pixels; each side may have at most 4,000.",
            id="10,000 × 10,000 pixels",
        ),
        pytest.param(
            lambda: picture((4_001, 10)),
            422,
            "The picture is 4,001 × 10 pixels; each side may have at most 4,000.",
            id="4,001 pixels wide",
        ),
        pytest.param(
            lambda: picture() + bytes(2 << 20), 413, "The file is larger than 2 MB.", id="2 MB"
        ),
        pytest.param(lambda: bytes(50 << 20), 413, "The file is larger than 2 MB.", id="50 MB"),
    ],
)
def test_what_is_no_picture_is_refused_and_changes_nothing(
    admin: Desk, database: Database, make: Callable[[], bytes], status: int, message: str
) -> None:
    put(admin, "logo", "logo.png", picture())
    before = admin.get("/settings/firm").json()

    answer = put(admin, "logo", "logo.png", make())

    assert (answer.status_code, answer.json()["message"]) == (status, message)
    assert admin.get("/settings/firm").json() == before
    with database.reading() as session:
        assert session.execute(select(func.count()).select_from(FirmImage)).scalar_one() == 1


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_known_by_its_content_and_made_small(admin: Desk, form: str) -> None:
    answer = put(admin, "logo", "logo.txt", picture((3_000, 600), form))

    assert answer.json()["message"] == "Logo saved"
    assert (shown(admin).format, shown(admin).size) == ("PNG", (600, 120))


def test_metadata_is_dropped(admin: Desk) -> None:
    exif = Image.Exif()
    exif[0x010E] = "At home in Pune"

    put(admin, "signature", "s.jpg", picture(form="JPEG", exif=exif, comment=b"Pune"))

    content = _file_of(shown(admin, "signature"), "PNG")
    assert not shown(admin, "signature").info
    assert b"Pune" not in content


def test_a_noisy_picture_is_not_large(admin: Desk) -> None:
    noise = random.Random(7).randbytes(600 * 200 * 4)
    put(admin, "logo", "logo.png", _file_of(Image.frombytes("RGBA", (600, 200), noise), "PNG"))

    assert len(admin.get("/settings/firm").json()["data"]["logo"]) < 180_000


def test_a_picture_is_removed_and_both_changes_are_on_the_trail(
    admin: Desk, database: Database
) -> None:
    put(admin, "signature", "s.png", picture())

    answer = admin.web.delete("/api/v1/settings/firm/signature", headers=admin.headers)

    assert answer.json()["message"] == "Signature removed"
    assert answer.json()["data"]["signature"] is None
    changes = [json.loads(row.changes) for row in audit_rows(database, "firm_edited")]
    sha256 = changes[0]["signature"][1]
    assert changes == [{"signature": [None, sha256]}, {"signature": [sha256, None]}]


def test_pictures_are_an_admins(user: Desk) -> None:
    assert put(user, "logo", "logo.png", picture()).status_code == 403
