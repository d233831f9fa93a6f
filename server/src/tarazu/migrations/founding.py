"""A firm is founded in a data directory once; one whose database is gone is never replaced.

The first account of a new firm is an ADMIN: where the database of a firm was lost, whoever signs up
next would be that.
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
    """Look whether the next start may found a firm, before anything is opened or made.

    Args:
        is_new: whether a new firm was asked for.

    Raises:
        UnfitDatabase: the directory had a firm and its database is gone; or a new firm was asked
            for where there is one.
    """
    # First: a start beside this one founds the database before it leaves a sign.
    signs = _signs(settings)
    if not signs and not is_new:
        return
    is_empty = _is_empty(settings)
    if is_new and not is_empty:
        raise UnfitDatabase(
            "This database has a firm already: start without --new-installation. "
            "For another firm give another --data-dir."
        )
    if is_empty and not is_new:
        found = make_url(settings.resolved_database_url).render_as_string(hide_password=True)
        raise UnfitDatabase(
            f"{settings.data_dir} belongs to an installation ({', '.join(signs)}), but its database "
            f"is gone: {found} is empty or missing. Look for it, or restore a backup with "
            f"`tarazu restore FILE --data-dir {settings.data_dir}`. Only to found another firm run "
            "`tarazu serve --new-installation`."
        )


def mark(settings: Settings, now: dt.datetime, *, is_new: bool) -> None:
    """Leave the sign that a firm was founded here; the notes of the firm before are put aside."""
    notes = settings.audit_heads_file
    if is_new and notes.exists():
        put_notes_aside(notes, now)
    marker = settings.data_dir / MARKER
    if not marker.exists():
        make_folder(settings.data_dir)
        marker.write_text(_TEXT, encoding="utf-8")
        keep_names(settings.data_dir)


def put_notes_aside(notes: Path, now: dt.datetime) -> Path:
    """Give the notes of the audit trail's ends another name: they are of another database."""
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
