"""R5: mails that go out while the server is killed: each at least once, known by its Message-ID."""

import random
import sys
import time

from sqlalchemy import text

from . import places
from .mailbox import Mailbox
from .places import Place

KILLS = {False: 3, True: 20}
MAILS = {False: 60, True: 200}
SLOWNESS = 0.03
LONGEST = 60


def main(long=False, kinds=None, kills=None):
    """The figures of R5; `kills` for each database."""
    return [one(kind, kills or KILLS[long], MAILS[long]) for kind in kinds or places.kinds()]


def one(kind, kills, mails):
    """The same on one database."""
    chance = random.Random(5)
    with Mailbox(SLOWNESS) as box:
        with Place(kind, smtp_url=f"smtp://127.0.0.1:{box.port}") as place:
            place.found(clients=0)
            sent = _queue(place, mails)
            for turn in range(kills):
                place.start()
                until(lambda: len(box.kept) >= (turn + 1) * mails // (kills + 1))
                time.sleep(chance.uniform(0, 3 * SLOWNESS))
                place.kill()
            let_time_pass(place)
            place.start()
            is_over = until(lambda: not waiting(place))
            place.stop()
    ids = {}
    for recipient, message_id in box.kept:
        ids.setdefault(recipient, set()).add(message_id)
    lost = sum(recipient not in ids for recipient in sent)
    others = sum(ids.get(recipient, {mark}) != {mark} for recipient, mark in sent.items())
    repeats = len(box.kept) - len(ids)
    told = f"{kills} kills, {mails} mails: {lost} lost, {repeats} repeated, {others} under another id"
    is_fine = is_over and not (lost or others) and repeats <= kills
    return (f"R5 {kind}: outbox", told, f"0 lost, 0 under another id, at most {kills} repeated", is_fine)


def _queue(place, mails):
    """Mails in the outbox; the Message-ID by recipient."""
    from tarazu.kit import clock, mail
    from tarazu.kit.mail import Draft

    database, sent = place.opened(), {}
    with database.transaction() as session:
        for number in range(mails):
            to = f"reader{number}@home.example"
            letter = ("letter.pdf", b"%PDF-1.7 " + bytes(5000))
            mail.queue(session, Draft(to, "Advice", "Buy 5 INFY", "<p>Buy</p>", letter), clock.now())
    with database.reading() as session:
        for row in session.execute(text("SELECT recipient, message_id FROM outbox")):
            sent[row.recipient] = row.message_id
    database.dispose()
    return sent


def let_time_pass(place):
    """Every mail that waits is due now; what a living server works on stays its own."""
    from tarazu.kit import clock
    from tarazu.kit.jobs import JobRow
    from tarazu.kit.mail import KIND

    database = place.database()
    with database.transaction() as session:
        waiting = session.query(JobRow).where(JobRow.kind == KIND, JobRow.due_at.is_not(None))
        waiting.update({"due_at": clock.now()})
    database.dispose()


def waiting(place):
    """How many mails are still to be sent."""
    database = place.database()
    with database.reading() as session:
        count = session.execute(text("SELECT count(*) FROM outbox WHERE status = 'QUEUED'"))
        waiting = count.scalar_one()
    database.dispose()
    return waiting


def until(told, patience=LONGEST):
    """Wait for it; False when it did not come."""
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        if told():
            return True
        time.sleep(0.02)
    return False


if __name__ == "__main__":
    print(*main("long" in sys.argv), sep="\n")
    print(f"load {places.load():.1f}")
