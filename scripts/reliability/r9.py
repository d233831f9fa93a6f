"""R9: a migration that is killed finishes or rolls back at the next start.

Killed before some statement of a start on an empty database. Before the next start nothing of the
killed one may be left; after it the installation is complete. A separate process forks a child for
each try, so that the modules are loaded once.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from sqlalchemy import event, inspect, text

from . import places
from .places import Place

POINTS = {False: 4, True: 20}


def main(long=False, kinds=None, points=None):
    """The figures of R9; `points` kills for each database."""
    rows = []
    for kind in kinds or places.kinds():
        words = [sys.executable, "-m", "reliability.r9", kind, str(points or POINTS[long])]
        around = dict(os.environ, PYTHONPATH=_path())
        done = subprocess.run(words, capture_output=True, text=True, env=around, check=False)
        try:
            count, faults = json.loads(done.stdout.splitlines()[-1])
        except (IndexError, ValueError):
            count, faults = 0, [done.stderr[-500:]]
        told = f"{count} kills, {len(faults)} wrong {'; '.join(faults[:2])}"
        rows.append((f"R9 {kind}: migration killed", told, "0 wrong", count > 0 and not faults))
    return rows


def _path():
    before = os.environ.get("PYTHONPATH")
    return os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), before)))


def run(kind, points):
    """Try every point; how many kills there were, and what was wrong after them."""
    faults, count = [], 0
    with Place(kind) as place:
        length = _fork(lambda: _start(place, None))
    for turn in range(points):
        # From the first statement to the last commit, which is counted like one.
        at = 1 + turn * (length - 1) // max(1, points - 1)
        with Place(kind) as place:
            died = _fork(lambda place=place, at=at: _start(place, at))
            count += died == -signal.SIGKILL
            half = _state(place)
            _fork(lambda place=place: _start(place, None))
            faults += [f"before statement {at}: {fault}" for fault in _faults(place, half)]
            if died != -signal.SIGKILL:
                faults.append(f"no kill at {at} of {length}, ended {died}")
    return count, faults


def _start(place, die_at):
    """Bring the database up to date as a start does; how many statements that took."""
    from tarazu.app import open_database
    from tarazu.kit.settings import Settings

    ran = 0

    def count(*_):
        nonlocal ran
        ran += 1
        if ran == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    from sqlalchemy import Engine

    event.listen(Engine, "before_cursor_execute", count)
    event.listen(Engine, "commit", count)
    settings = Settings(
        data_dir=place.folder, secrets_keys=places.KEYS, database_url=place.direct_url
    )
    open_database(settings).dispose()
    return ran


def _fork(act):
    """Do it in a child: the number it gives back, or how it ended where it gives none."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(mouth, str(act()).encode())
            os._exit(0)
        except BaseException as error:  # the child must never go on as the parent
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
    os.close(mouth)
    told = os.read(ear, 64)
    os.close(ear)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return int(told) if told and ended == 0 else ended


def _state(place):
    database = place.database()
    with database.engine.connect() as connection:
        found = None
        if inspect(connection).has_table("alembic_version"):
            found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    database.dispose()
    return found


def _faults(place, half):
    """What is wrong after the next start."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from tarazu import migrations
    from tarazu.kit.db import Table
    from tarazu.migrations import all_tables, triggers

    assert all_tables
    database, newest = place.database(), migrations.newest()
    found = [] if half in {None, newest} else [f"half way at {half}"]
    with database.engine.connect() as connection:
        present = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
        if present != [newest]:
            found.append(f"at {present} afterwards")
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        found += [str(one)[:80] for one in compare_metadata(context, Table.metadata)]
        found += triggers.missing_triggers(connection)
        if connection.execute(text("SELECT count(*) FROM firm")).scalar_one() != 1:
            found.append("not founded once")
        if place.kind == "sqlite":
            said = connection.execute(text("PRAGMA integrity_check")).scalar_one()
            orphan = connection.execute(text("PRAGMA foreign_key_check")).first()
            found += [f"{said} {orphan}"] if said != "ok" or orphan else []
    database.dispose()
    return found


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]))))
