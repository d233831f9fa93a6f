"""The logo and the signature of letters: checked, made as small as a letter needs, stored by hash."""

import datetime as dt
import hashlib
import io
from typing import TYPE_CHECKING, Final

from sqlalchemy.orm import Session

from tarazu.firm import queries
from tarazu.firm.errors import DamagedPicture, NoPicture, PictureTooLarge, PictureTooWide
from tarazu.firm.tables import Firm, FirmImage, ImageKind
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock
from tarazu.kit.locks import AdvisoryLock

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST_BYTES: Final = 2 << 20
LONGEST_SIDE: Final = 4_000
_FORMATS: Final = ("PNG", "JPEG", "WEBP")
# Pixels of width and height: 300 an inch where letters draw them.
_BOXES: Final = {ImageKind.LOGO: (600, 200), ImageKind.SIGNATURE: (480, 160)}
_MANY_BYTES: Final = 60_000
"""Above it a picture is reduced to 256 colours: every letter and mail carries it."""


def set_image(
    session: Session, actor: Actor, now: dt.datetime, kind: ImageKind, uploaded: bytes
) -> Firm:
    """Use this picture in letters from now on.

    Raises:
        PictureTooLarge, NoPicture, PictureTooWide, DamagedPicture: it cannot be used.
    """
    content = letter_picture(uploaded, kind)
    sha256 = hashlib.sha256(content).hexdigest()
    acquire_lock(session, AdvisoryLock.SETTINGS)
    if queries.image(session, sha256) is None:
        session.add(FirmImage(sha256=sha256, content=content, created_at=now))
        session.flush()
    return _change(session, actor, now, kind, sha256)


def remove_image(session: Session, actor: Actor, now: dt.datetime, kind: ImageKind) -> Firm:
    """Send letters without this picture from now on; those of the past keep it."""
    return _change(session, actor, now, kind, None)


def image_of(session: Session, sha256: str) -> bytes:
    """The PNG of this hash; empty for "".

    Raises:
        LookupError: it is missing, or was changed in the database.
    """
    if not sha256:
        return b""
    image = queries.image(session, sha256)
    if image is None or hashlib.sha256(image.content).hexdigest() != sha256:
        raise LookupError(f"The picture {sha256} is missing or was changed")
    return image.content


def letter_picture(uploaded: bytes, kind: ImageKind) -> bytes:
    """The picture as a PNG of at most the size that letters draw, without metadata.

    The format is that of the content, whatever the file is called.
    """
    # Only an upload pays for the library.
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    if len(uploaded) > LARGEST_BYTES:
        raise PictureTooLarge
    # Checked below by both sides, before anything is decoded.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(io.BytesIO(uploaded), formats=_FORMATS) as picture:
            width, height = picture.size
            if max(width, height) > LONGEST_SIDE:
                raise PictureTooWide(
                    f"The picture is {width:,} × {height:,} pixels; each side may have at most "
                    f"{LONGEST_SIDE:,}."
                )
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except UnidentifiedImageError as error:
        raise NoPicture from error
    except (OSError, SyntaxError, ValueError, EOFError, IndexError) as error:
        raise DamagedPicture from error
    upright.thumbnail(_BOXES[kind], Image.Resampling.LANCZOS)
    return _png(upright)


def _png(picture: "Image") -> bytes:
    picture.info = {}  # colour profile, resolution, comments
    if picture.getchannel("A").getextrema()[0] == 255:  # noqa: PLR2004 - nothing is transparent
        picture = picture.convert("RGB")
    content = _saved(picture)
    return content if len(content) <= _MANY_BYTES else _saved(picture.quantize(256, method=2))


def _saved(picture: "Image") -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def _change(
    session: Session, actor: Actor, now: dt.datetime, kind: ImageKind, sha256: str | None
) -> Firm:
    firm = queries.firm(session, for_update=True)
    before = getattr(firm, kind)
    if before != sha256:
        setattr(firm, kind, sha256)
        firm.version += 1
        firm.updated_at = now
        session.flush()
        changes = {kind.value: [before, sha256]}
        audit_log.record(session, actor, now, "firm_edited", ("firm", firm.id), changes)
    return firm
