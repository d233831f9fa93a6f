"""A change of keys that is killed, as by a power cut, again and again: nothing sealed is lost."""

import base64
import os
import signal
import uuid

import pytest
from sqlalchemy import func, select

from tarazu.app import open_database
from tarazu.kit import clock, encryption, mail
from tarazu.kit.db import Database
from tarazu.kit.encryption import CannotDecrypt, Cipher
from tarazu.kit.mail import Draft, Mail
from tarazu.kit.settings import Settings
from tests.security.figures import LONG, tell
from tests.security.running import environment_of
from tests.started import Started

pytestmark = pytest.mark.long

KILLS = 20 if LONG else 1
SECRETS = 400 if LONG else 40
# It kills itself within the transaction of one text, before the commit.
KILLED_ROTATION = """
import os, signal, sys
from sqlalchemy import event
from sqlalchemy.orm import Session
from tarazu.cli import main
from tarazu.kit.encryption import Cipher

last, count, reseal = int(sys.argv[1]), 0, Cipher.reseal

def counted(cipher, sealed, column, row_id):
    global count
    count += str(column) == "outbox.secret"
    return reseal(cipher, sealed, column, row_id)

def commits(session):
    if count == last:
        os.kill(os.getpid(), signal.SIGKILL)

Cipher.reseal = counted
event.listen(Session, "before_commit", commits)
sys.argv = ["tarazu", "rotate-key"]
sys.exit(main())
"""


def test_a_rotation_is_killed_again_and_again_and_no_secret_is_lost(place: Settings) -> None:
    keys, known = place.secrets_keys, dict[uuid.UUID, str]()
    database = open_database(place)
    with database.transaction() as session:
        for number in range(SECRETS):
            text = f"secret {number} {os.urandom(9).hex()}"
            draft = Draft("kavya@home.example", "Subject", text, f"<p>{text}</p>", secret=text)
            known[mail.queue(session, draft, clock.now())] = text
    left_over = 0
    for number in range(KILLS):
        keys = f"k{number}:{base64.b64encode(os.urandom(32)).decode()},{keys}"
        # At another text each time, from the second to the last but one.
        last = 2 + number * (SECRETS - 2) // KILLS
        killed = _rotate(place, keys, ["-c", KILLED_ROTATION, str(last)])
        assert killed.wait(600) == -signal.SIGKILL
        assert _sealed_with(database, f"k{number}") == last - 1
        left_over += _lost(place, keys, known)
    done = _rotate(place, keys, ["-m", "tarazu", "rotate-key"])
    assert done.wait(600) == 0
    database.dispose()

    lost = _lost(place, keys.partition(",")[0], known)
    what = f"key rotation of {SECRETS} secrets, killed {KILLS} times half way"
    tell("S14", what, f"{lost + left_over} values lost", "0")
    assert lost + left_over == 0


def _rotate(place: Settings, keys: str, words: list[str]) -> Started:
    return Started(words, environment_of(place, secrets_keys=keys, log_level="error"))


def _sealed_with(database: Database, key: str) -> int:
    with database.reading() as session:
        statement = select(func.count()).where(Mail.secret.startswith(f"v1:{key}:"))
        return session.execute(statement).scalar_one()


def _lost(place: Settings, keys: str, known: dict[uuid.UUID, str]) -> int:
    """How many of these do not open with `keys`, or open to something else."""
    opened, lost = open_database(place.model_copy(update={"secrets_keys": keys})), 0
    vault = Cipher(encryption.read_keys(keys))
    with opened.reading() as session:
        found = {row.id: row.secret for row in session.execute(select(Mail)).scalars()}
    opened.dispose()
    for mail_id, text in known.items():
        try:
            lost += vault.unseal(found[mail_id] or "", Mail.secret, mail_id) != text
        except CannotDecrypt:
            lost += 1
    return lost
