"""R2: a power cut takes what was not synced, and nothing that was acknowledged is among it."""

import email
import email.policy
import random
import sys
import time

from sqlalchemy import text

from . import disk, places
from .places import NotReady, Place
from .comparison import compare
from .writers import Writers

CUTS = {False: 4, True: 40}
APART = 1.2
LONGEST_LIFE = 10


def main(long=False, cuts=None):
    """The figures of R2. PostgreSQL keeps its own files; this is about ours and SQLite's."""
    if disk.library() is None:
        return [("R2 sqlite: power cuts", "left out: no C compiler for Linux", "-", None)]
    return [honest(cuts or CUTS[long]), lying()]


def honest(cuts):
    """Cuts under writers, on a disk that syncs when it says so."""
    chance = random.Random(20261121)
    with Place("sqlite") as place:
        clients, gone, left = place.found(), 0, 0
        drive = disk.Disk(place)
        place.start()
        writers = Writers(place, place.sign_in(), clients)
        with writers:
            for _ in range(cuts):
                time.sleep(chance.uniform(0, APART))
                # Soon, and in the middle of what it then writes.
                drive.set(disk.LAST, chance.randint(1, 200))
                place.await_end(LONGEST_LIFE)
                gone += drive.cut(chance)
                place.start()
            left = writers.finish()
        place.kill()
        gone += drive.cut(chance)
        found = compare(place, writers.acknowledged)
        mails = unwritten_mails(place)
    told = f"{cuts + 1} cuts took {gone} writes; {found}; mails lost {mails}"
    is_fine = found.holds and not (left or mails or writers.faults) and found.acknowledged > cuts
    # Cuts that took nothing would have shown nothing.
    is_fine = is_fine and gone > 0
    return ("R2 sqlite: power cuts", told + _others(writers), "0 lost, all sound", is_fine)


def lying():
    """The same on a disk that syncs nothing: what the check must be able to see."""
    with Place("sqlite") as place:
        clients = place.found()
        drive = disk.Disk(place)
        drive.set(disk.LIES, 1)
        place.start()
        writers = Writers(place, place.sign_in(), clients, mix={"remark": 1, "transaction": 1})
        with writers:
            time.sleep(APART)
            writers.finish()
        place.kill()
        drive.cut(keeps_nothing=True)
        found = compare(place, writers.acknowledged)
    return ("R2 sqlite: the check sees a disk that does not sync", str(found), "losses found",
            found.lost > 0)  # fmt: skip


def unwritten_mails(place):
    """Mails that the outbox says were written as files, and that are not there, or not whole."""
    written = set()
    for path in (place.folder / "outbox").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        if message.is_multipart() and message["Message-ID"]:
            written.add(message["Message-ID"])
    database = place.database()
    with database.reading() as session:
        sent = session.execute(text("SELECT message_id FROM outbox WHERE status = 'WRITTEN'"))
        missing = set(sent.scalars()) - written
    database.dispose()
    return len(missing)


def _others(writers):
    return f"; other answers {writers.faults[:2]}" if writers.faults else ""


if __name__ == "__main__":
    try:
        print(*main("long" in sys.argv), sep="\n")
    except NotReady as error:
        sys.exit(str(error))
    print(f"load {places.load():.1f}")
