"""Sets up an installation once for each data directory; never replaces one whose database is lost.

The first account of a new installation is an ADMIN: after the loss of a database, anybody who signs
up next would be that.
"""

import datetime as dt
from pathlib import Path

from sqlalchemy.engine import make_url

from tarazu.kit import encryption
from tarazu.kit.db import Database, UnfitDatabase
from tarazu.kit.disk import keep_names, make_folder
from tarazu.kit.settings import Settings
from tarazu.migrations import states_of

MARKER = "installation"
_TEXT = "A Tarazu installation was founded with this data directory. Do not remove this file.\n"


def refuse_another(settings: Settings, *, is_new: bool) -> None:
    """Check that the next start may set up an installation, before anything is opened or created.

    Args:
        is_new: whether a new installation was requested.

    Raises:
        UnfitDatabase: the directory had an installation and its database is missing; or a new one
            was requested where one exists.
    """
    # First: a start at the same time sets up the database before it leaves a sign.
    signs = _signs(settings)
    if not signs and not is_new:
        return
    is_empty = _is_empty(settings)
    if is_new and not is_empty:
        raise UnfitDatabase(
            "This database has a firm already: start without --new-installation. "
            "For another firm use another --data-dir."
        )
    if is_empty and not is_new:
        address = make_url(settings.resolved_database_url).render_as_string(hide_password=True)
        raise UnfitDatabase(
            f"{settings.data_dir} belongs to an installation ({', '.join(signs)}), but its database "
            f"is lost: {address} is empty or missing. Find it, or restore a backup with "
            f"`tarazu restore FILE --data-dir {settings.data_dir}`. Only to set up a new firm run "
            "`tarazu serve --new-installation`."
        )


def mark(settings: Settings, now: dt.datetime, *, is_new: bool) -> None:
    """Leave a sign that an installation was set up here; rename the notes of the previous one."""
    notes = settings.audit_heads_file
    if is_new and notes.exists():
        put_notes_aside(notes, now)
    marker = settings.data_dir / MARKER
    if not marker.exists():
        make_folder(settings.data_dir)
        marker.write_text(_TEXT, encoding="utf-8")
        keep_names(settings.data_dir)


def put_notes_aside(notes: Path, now: dt.datetime) -> Path:
    """Rename the notes of the audit trail's ends: they are of another database."""
    aside = notes.with_name(f"{notes.stem}-until-{now:%Y%m%d-%H%M%S}{notes.suffix}")
    return notes.rename(aside)


def _signs(settings: Settings) -> list[str]:
    places = (
        encryption.key_file(settings.data_dir),
        settings.audit_heads_file,
        settings.data_dir / MARKER,
    )
    return [place.name for place in places if place.exists()]


def _is_empty(settings: Settings) -> bool:
    place = make_url(settings.resolved_database_url)
    path = Path(place.database or "")
    if place.get_backend_name() == "sqlite" and (not path.is_file() or path.stat().st_size == 0):
        return True
    database = Database(settings.resolved_database_url)
    try:
        return states_of(database)[0] is None
    finally:
        database.dispose()
