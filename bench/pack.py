"""An inspection pack of 10,000 sealed advices with their letters: seconds, and the most memory.

A book run of 20 clients sends real advices of 30 stocks, whose letters are set; they are sealed again
under new ids until there are enough, each with a letter of the same size. The pack is made by a
process of its own that does nothing else, as the job does it, and is then verified by its own script
as a third party does it. `python bench/pack.py 500` takes 500 advices.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "server"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from sqlalchemy import delete, insert, select

from tarazu.advice import sealing
from tarazu.advice import service as advice
from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal, LetterDue
from tarazu.app import create_app, open_database
from tarazu.inspection import jobs
from tarazu.inspection.tables import InspectionPack
from tarazu.kit import clock, signing
from tarazu.kit.db import Database
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings

ADVICES, CLIENTS, STOCKS, AT_ONCE = 10_000, 20, 30, 500
SECONDS_GOAL, MEMORY_GOAL = 30.0, 200.0
MEGABYTE = 1 << 20


def table(advices: int = ADVICES, database_url: str = "") -> str:
    """One run as rows: figure, measured, goal, met."""
    with tempfile.TemporaryDirectory() as folder:
        settings = _settings(folder, database_url)
        database = open_database(settings)
        prepare(settings, database, advices)
        name = database.engine.dialect.name
        database.dispose()
        before = os.getloadavg()[0]
        ran = subprocess.run(
            [sys.executable, __file__, "--make", folder, "--database", database_url],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        seconds, processor, base, most = map(float, ran.stdout.split()[-4:])
        (pack,) = settings.packs_dir.iterdir()
        size = pack.stat().st_size / MEGABYTE
        with zipfile.ZipFile(pack) as opened:
            opened.extractall(f"{folder}/opened")
        began = time.perf_counter()
        checked = subprocess.run(
            [sys.executable, "-I", "-S", f"{folder}/opened/verify.py"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        verified = time.perf_counter() - began
    summary = checked.stdout.splitlines()[-1]
    is_whole = advices == ADVICES
    rows = [
        ("advices, clients, stocks of each", f"{advices:,}, {CLIENTS}, {STOCKS}", "", ""),
        ("database", name, "", ""),
        ("job to pack, s", f"{seconds:.1f} (processor {processor:.1f})",
         "≤ 30" if is_whole else "", _yes(seconds <= SECONDS_GOAL) if is_whole else ""),
        ("memory that the pack adds to the process, MB", f"{most - base:.0f} (to {base:.0f})",
         "≤ 200", _yes(most - base <= MEMORY_GOAL)),
        ("size of the pack, MB", f"{size:.0f}", "", ""),
        ("verify.py of all of it, s", f"{verified:.0f}", "", ""),
        ("what it said", summary, "0 faults", _yes(checked.returncode == 0)),
        ("load of the machine before", f"{before:.1f}", "", ""),
    ]  # fmt: skip
    lines = ["| The inspection pack | Measured | Goal | Met |", "|---|---|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _settings(folder: str, database_url: str) -> Settings:
    return Settings(
        data_dir=Path(folder), rate_limit_scale=Decimal(10**6), database_url=database_url
    )


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def prepare(settings: Settings, database: Database, advices: int) -> None:
    """A firm with so many sealed advices, each with a letter, and a pack that waits to be made."""
    # Imported here: what makes the pack, and is measured, has none of it.
    from book import Desk, hold_near_model
    from fastapi.testclient import TestClient
    from firms import Size, make_firm

    ids = make_firm(database, Size(CLIENTS, STOCKS, STOCKS, flows=0, orders=0, firm_closes=0))
    weights = hold_near_model(database, CLIENTS)
    app = create_app(settings, database)
    desk = Desk(TestClient(app, base_url="http://127.0.0.1"))
    model = desk.model_of(weights)
    rows = [{"clientId": str(one)} for one in ids]
    desk.call("PUT", f"/admin/models/{model}/subscribers", {"add": rows, "remove": []})
    run, _ = desk.run(app.state.books.wait, model)
    desk.send(app.state.books.wait, run)
    while advice.set_letters_due(database, clock.now()):
        pass
    seal_again(database, advices)
    today = clock.today().isoformat()
    desk.call("POST", "/admin/inspection-pack", {"from": today, "to": today})


def seal_again(database: Database, advices: int) -> None:
    """Seal the advices that were sent under new ids, until there are enough."""
    with database.reading() as session:
        seals = session.execute(select(AdviceSeal).order_by(AdviceSeal.seq)).scalars().all()
        originals = [sealing.from_text(seal.package) for seal in seals]
        letters = {
            letter.advice_id: letter.letter
            for letter in session.execute(select(AdviceLetter)).scalars()
        }
    more = advices - len(seals)
    for start in range(0, more, AT_ONCE):
        now = clock.now()
        with database.transaction() as session:
            first, signer = sealing.next_number(session), signing.signer_of(session)
            batch = [
                replace(
                    originals[place % len(originals)],
                    advice_id=uuid.uuid4(), sent_at=now, number=first + place, rebalance_id=None,
                )
                for place in range(min(AT_ONCE, more - start))
            ]  # fmt: skip
            heads = [sealing.advice_columns(one) for one in batch]
            session.execute(insert(Advice), heads)
            links = sealing.seal_all(session, batch, now)
            rows = []
            for place, (one, link) in enumerate(zip(batch, links, strict=True)):
                letter = letters[originals[place % len(originals)].advice_id]
                digest = sealing.digest_of(letter)
                signature = signer.sign(sealing.letter_link_of(link, digest))
                rows.append({
                    "advice_id": one.advice_id, "set_at": now, "letter": letter, "sha256": digest,
                    "key_id": signer.key_id, "signature": signature,
                })  # fmt: skip
            session.execute(insert(AdviceLetter), rows)
            session.execute(delete(LetterDue))


def make(folder: str, database_url: str) -> None:
    """Make the pack that waits; prints seconds, of them of the processor, memory before and at most."""
    tune_gc()
    settings = _settings(folder, database_url)
    database = open_database(settings)
    with database.reading() as session:
        session.execute(select(InspectionPack)).scalars().all()
    base = _most_memory()
    wall, cpu = time.perf_counter(), time.process_time()
    jobs.make_due(database, settings, clock.now)
    print(time.perf_counter() - wall, time.process_time() - cpu, base, _most_memory())
    database.dispose()


def _most_memory() -> float:
    # Of this program alone: `getrusage` counts what the parent had when it forked.
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("advices", type=int, nargs="?", default=ADVICES)
    reader.add_argument("--database", default="")
    reader.add_argument("--make", default="")
    asked = reader.parse_args()
    if asked.make:
        make(asked.make, asked.database)
    else:
        print(table(asked.advices, asked.database))
