"""The timed work of an installation, and the process that does nothing else.

The same jobs run in one process and in many: in every `tarazu serve`, or in `tarazu worker` alone.
"""

import asyncio
import contextlib
import signal
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tarazu.advice import jobs as advice_jobs
from tarazu.audit import jobs as audit_jobs
from tarazu.auth import jobs as auth_jobs
from tarazu.book_runs.worker import BookRunWorker, set_letters
from tarazu.brokers import jobs as broker_jobs
from tarazu.brokers.gateway import BrokerGateway
from tarazu.corporate_actions import jobs as corporate_action_jobs
from tarazu.demo import jobs as demo_jobs
from tarazu.follow_up import jobs as follow_up_jobs
from tarazu.imports import jobs as import_jobs
from tarazu.inspection import jobs as inspection_jobs
from tarazu.instruments import jobs as instrument_jobs
from tarazu.invoices import jobs as invoice_jobs
from tarazu.kit import clock, idempotency, jobs
from tarazu.kit.db import Database
from tarazu.kit.mail import MailSender
from tarazu.kit.processes import HERE
from tarazu.kit.pubsub import MessageBus, pubsub_of
from tarazu.kit.schedule import Job, Schedule
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import Progress, publish_progress_of
from tarazu.obligations import jobs as obligation_jobs
from tarazu.portfolio import jobs as portfolio_jobs
from tarazu.portfolio import service as portfolio
from tarazu.prices import jobs as price_jobs
from tarazu.prices import service as last_prices
from tarazu.sync import jobs as sync_jobs
from tarazu.sync.running import Syncs
from tarazu.track_record import jobs as track_record_jobs
from tarazu.upkeep import jobs as upkeep_jobs
from tarazu.upkeep.soundness import DatabaseWatch

INSTALLATION: Final = ""
"""The scope of jobs that all processes of an installation share."""
HOUR: Final = 3600
ALIVE_EVERY: Final = 10.0
"""Seconds between two signs of life of a worker."""
PATIENCE: Final = 4.0
"""Seconds that a stop waits for the current work."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """What jobs need: the installation, the brokers, the runs, the mail."""

    settings: Settings
    database: Database
    gateway: BrokerGateway
    syncs: Syncs
    postman: MailSender
    books: BookRunWorker

    def tell(self, progress: Progress) -> None:
        """Report to the browsers of every process."""
        self.books.tell(progress)


def jobs_of(tools: WorkerContext) -> list[Job]:
    """The work of the installation: each job is done by one of all processes.

    Mails, sessions, syncs, book runs, imports, corporate actions and daily closes are claimed one
    by one, so every process looks for them; the jobs with a scope run in one process at a time.
    """
    database, gateway = tools.database, tools.gateway
    # Until the next start, so that an invoice that cannot be set does not hold up the others.
    unset: set[uuid.UUID] = set()
    return [
        Job("mail", 5, lambda: tools.postman.send_due(database, clock.now())),
        Job("sessions", 60, lambda: broker_jobs.renew_due(database, gateway, clock.now())),
        Job("imports", 10, lambda: import_jobs.resume(database, clock.now())),
        Job("syncs", 10, lambda: sync_jobs.resume_runs(tools.syncs)),
        Job("books", 5, tools.books.resume),
        Job(
            "letters",
            5,
            lambda: set_letters(database, clock.now, tools.settings.public_url),
            INSTALLATION,
            has_work=lambda: advice_jobs.has_letters_due(database),
        ),
        Job(
            "invoices",
            5,
            lambda: invoice_jobs.make_files_due(database, clock.now(), failed=unset),
            INSTALLATION,
            has_work=lambda: invoice_jobs.has_files_due(database, unset),
        ),
        Job(
            "follow-up",
            5,
            lambda: follow_up_jobs.match_due(database, clock.now(), tools.tell),
            INSTALLATION,
            has_work=lambda: follow_up_jobs.has_matching_due(database, clock.now()),
        ),
        Job(
            "follow-up-drafts",
            60,
            lambda: follow_up_jobs.draft_due(database, clock.now(), tools.tell),
            INSTALLATION,
            has_work=lambda: follow_up_jobs.has_drafts_due(database, clock.now()),
        ),
        Job(
            "reminders",
            60,
            lambda: follow_up_jobs.send_reminders(database, tools.settings, clock.now()),
            INSTALLATION,
            has_work=lambda: follow_up_jobs.has_reminders_due(database, clock.now()),
        ),
        Job(
            "track-records",
            60,
            lambda: track_record_jobs.keep_records(database, clock.now()),
            INSTALLATION,
            has_work=lambda: track_record_jobs.has_records_due(database, clock.now()),
        ),
        Job(
            "call-prices",
            15,
            lambda: track_record_jobs.note_prices(database, clock.now()),
            INSTALLATION,
            has_work=lambda: track_record_jobs.has_prices_due(database, clock.now()),
        ),
        Job(
            "corporate-actions",
            20,
            lambda: corporate_action_jobs.apply_due(database, clock.now()),
        ),
        Job("close", 20, lambda: portfolio_jobs.close_due_days(database, clock.now())),
        Job(
            "connection",
            300,
            lambda: broker_jobs.check_firm_session(database, gateway, clock.now()),
            INSTALLATION,
        ),
        Job("lists", 300, lambda: _read_lists(database, gateway), INSTALLATION),
        *_upkeep(tools.settings, database),
    ]


def jobs_of_serving(settings: Settings, database: Database, watch: DatabaseWatch) -> list[Job]:
    """The work on the memory of a serving process, and the files that it serves."""
    return [
        Job("packs", 2, lambda: inspection_jobs.make_due(database, settings, clock.now)),
        Job(
            "old-packs",
            HOUR,
            lambda: inspection_jobs.remove_old(database, settings, clock.now()),
        ),
        Job("prices", 60, lambda: last_prices.save_last_prices(database), runs_at_stop=True),
        Job("watch", HOUR, lambda: watch.look(clock.now())),
        Job("audit-stream-watch", 60, lambda: watch.look_at_stream(clock.now())),
        Job("filed-prices", 5, lambda: last_prices.take_filed(database)),
    ]


def _upkeep(settings: Settings, database: Database) -> list[Job]:
    heads_file = settings.audit_heads_file
    # Each machine and data directory has a file of its own with the trail's end.
    place = f"{HERE.partition('/')[0]}:{heads_file.resolve().parent}"

    def hourly(name: str, act: Callable[..., object]) -> Job:
        return Job(name, HOUR, lambda: act(database, clock.now()), INSTALLATION)

    timed = [
        Job("audit", HOUR, lambda: audit_jobs.note_head(database, heads_file, clock.now()), place),
        hourly("rebalances", advice_jobs.drop_old_rebalances),
        hourly("reports", upkeep_jobs.drop_old_reports),
        hourly("links", upkeep_jobs.drop_old_links),
        hourly("drafts", upkeep_jobs.drop_old_drafts),
        hourly("changes", upkeep_jobs.drop_old_changes),
        hourly("answers", idempotency.drop_old),
        hourly("accounts", auth_jobs.drop_what_is_past),
        hourly("jobs", jobs.drop_done),
        hourly("client-counts", obligation_jobs.count_clients),
        Job(
            "obligations",
            HOUR,
            lambda: obligation_jobs.send_reminders(database, settings, clock.now()),
            INSTALLATION,
        ),
    ]
    if settings.audit_stream:
        target = settings.audit_stream
        timed.append(
            Job(
                "audit-stream",
                5,
                lambda: audit_jobs.send_due(database, target, clock.now()),
                INSTALLATION,
                has_work=lambda: audit_jobs.has_rows_due(database, target, clock.now()),
            )
        )
    if settings.demo:
        timed.append(
            Job(
                "demo",
                60,
                lambda: demo_jobs.open_due_day(database, clock.now()),
                INSTALLATION,
                has_work=lambda: demo_jobs.is_day_due(database, clock.now()),
            )
        )
    if settings.prices_folder:
        folder = Path(settings.prices_folder)
        timed.append(
            Job(
                "price-folder",
                60,
                lambda: import_jobs.read_price_folder(database, folder, clock.now()),
                INSTALLATION,
            )
        )
    if settings.backup_dir and settings.backup_hours:
        # Only with a folder, so that a process without one does not claim the job.
        timed.append(
            Job(
                "backups",
                300,
                lambda: upkeep_jobs.back_up(database, settings, clock.now()),
                INSTALLATION,
            )
        )
    return timed


def _read_lists(database: Database, gateway: BrokerGateway) -> None:
    """Read the brokers' lists of instruments, and follow changed tokens."""
    moved = instrument_jobs.read_masters(database, gateway, clock.now())
    if moved:
        with database.transaction() as session:
            portfolio.follow_new_tokens(session, moved)


def run_worker(settings: Settings, database: Database, say: Callable[[str], object]) -> None:
    """Do the timed work until SIGTERM or SIGINT; wait for a database that is away."""
    asyncio.run(_work(settings, database, say))


async def _work(settings: Settings, database: Database, say: Callable[[str], object]) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    bus = pubsub_of(settings, database)
    prices = price_jobs.Listener(database, bus)
    bus.start()
    tools = _tools(settings, database, bus)
    listening = Job("prices", price_jobs.LOOK_EVERY, prices.look_after)
    filed = Job("filed-prices", 5, lambda: last_prices.take_filed(database))
    schedule = Schedule([*jobs_of(tools), listening, filed], database)
    schedule.start()
    say("Tarazu's worker is ready.")
    await _show_alive(settings.data_dir / "worker.alive", stopped)
    await _stop(tools, schedule)
    bus.stop()
    database.dispose()


def _tools(settings: Settings, database: Database, bus: MessageBus) -> WorkerContext:
    gateway = BrokerGateway(settings, database)

    def tell(progress: Progress) -> None:
        publish_progress_of(bus, None, progress)

    syncs = Syncs(database, gateway, clock.now, tell)
    postman = MailSender(settings.smtp_url, settings.mail_from, settings.outbox_dir)
    books = BookRunWorker(database, clock.now, tell)
    return WorkerContext(settings, database, gateway, syncs, postman, books)


async def _show_alive(file: Path, stopped: asyncio.Event) -> None:
    """Touch a file every few seconds: the worker answers no requests that could show it is alive."""
    while not stopped.is_set():
        await asyncio.to_thread(_touch, file)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), ALIVE_EVERY)


def _touch(file: Path) -> None:
    # A full disk is reported by the jobs that need it; here the file's age is enough.
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


async def _stop(tools: WorkerContext, schedule: Schedule) -> None:
    """Stop within ten seconds, whatever hangs; unfinished work is left to another process."""
    tools.postman.stop()
    await asyncio.gather(
        asyncio.to_thread(tools.syncs.stop, PATIENCE),
        asyncio.to_thread(tools.books.stop, PATIENCE),
        schedule.stop(PATIENCE),
    )
    await asyncio.to_thread(tools.postman.release, tools.database, clock.now())
    heads_file = tools.settings.audit_heads_file
    await asyncio.to_thread(audit_jobs.note_head, tools.database, heads_file, clock.now())
    tools.gateway.close()
