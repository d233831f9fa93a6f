"""Checks of the machine, the folders, and the servers that the settings name."""

import datetime as dt
import os
import shutil
import smtplib
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tarazu.kit import encryption
from tarazu.kit.settings import Settings
from tarazu.upkeep import backups
from tarazu.upkeep.findings import FREE_SPACE, Finding, State

LEAST_FREE = 1 << 30
LEAST_FREE_SHARE = 0.05
REACHED_WITHIN = 5


def check_settings(settings: Settings, now: dt.datetime) -> Iterator[Finding]:
    """Check every part that needs no database."""
    yield _disk(settings)
    yield _data_directory(settings)
    yield _keys_file(settings)
    yield _public_url(settings)
    yield _mail_server(settings)
    yield _redis(settings)
    yield _backups(settings, now)
    yield _prices_folder(settings)


def _data_directory(settings: Settings) -> Finding:
    part, path = "Data directory", settings.data_dir
    if path.is_dir() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        return Finding(
            part, State.LOOK, f"Other accounts of this machine can read {path}.",
            f"chmod 700 {path}",
        )  # fmt: skip
    return Finding(part, State.FINE, f"Only its owner can read {path}.")


def _keys_file(settings: Settings) -> Finding:
    part = "Key file"
    if settings.secrets_keys:
        return Finding(part, State.FINE, "The keys come from TARAZU_SECRETS_KEYS.")
    path = encryption.key_file(settings.data_dir)
    if not path.is_file():
        cure = "Restore it from your copy, or start an empty installation once."
        return Finding(part, State.WRONG, f"{path} is missing.", cure)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return Finding(part, State.WRONG, f"Others can read {path}.", f"chmod 600 {path}")
    return Finding(
        part, State.FINE, f"Only its owner can read {path}. Keep a copy apart from the backups."
    )


def _disk(settings: Settings) -> Finding:
    place = next(
        path for path in (settings.data_dir, *settings.data_dir.resolve().parents) if path.exists()
    )
    usage = shutil.disk_usage(place)
    text_of = f"{usage.free / 2**30:.1f} GB of {usage.total / 2**30:.1f} GB are free."
    if usage.free < LEAST_FREE or usage.free < LEAST_FREE_SHARE * usage.total:
        return Finding("Disk", State.WRONG, text_of, FREE_SPACE)
    return Finding("Disk", State.FINE, text_of)


def _public_url(settings: Settings) -> Finding:
    part = "Public URL"
    if not settings.public_url:
        cure = "Set TARAZU_PUBLIC_URL to the address that people use: links in mails start with it."
        return Finding(part, State.LOOK, "It is not set.", cure)
    if not settings.is_https and urlsplit(settings.public_url).hostname not in {
        "localhost",
        "127.0.0.1",
    }:
        cure = "Use https: otherwise passwords and tokens are sent unencrypted."
        return Finding(part, State.WRONG, f"{settings.public_url} is not https.", cure)
    return Finding(part, State.FINE, settings.public_url)


def _mail_server(settings: Settings) -> Finding:
    part = "Mail"
    if not settings.smtp_url:
        cure = "Set TARAZU_SMTP_URL; without it no mail reaches a client."
        return Finding(part, State.LOOK, f"Mails are written to {settings.outbox_dir}.", cure)
    server = urlsplit(settings.smtp_url)
    host = server.hostname or "localhost"
    port = server.port or (465 if server.scheme == "smtps" else 587)
    try:
        if server.scheme == "smtps":
            with smtplib.SMTP_SSL(host, port, timeout=REACHED_WITHIN) as smtp:
                smtp.noop()
        else:
            with smtplib.SMTP(host, port, timeout=REACHED_WITHIN) as smtp:
                smtp.noop()
    except (OSError, smtplib.SMTPException) as error:
        reason = " ".join(str(error).split())
        cure = "Is TARAZU_SMTP_URL correct, and can this computer reach it?"
        return Finding(part, State.WRONG, f"{host}:{port} does not answer: {reason}", cure)
    return Finding(part, State.FINE, f"{host}:{port} answers.")


def _redis(settings: Settings) -> Finding:
    part = "Redis"
    if not settings.redis_url:
        return Finding(part, State.FINE, "Not used: one process serves.")
    server = urlsplit(settings.redis_url)
    place = (server.hostname or "localhost", server.port or 6379)
    try:
        with socket.create_connection(place, REACHED_WITHIN):
            pass
    except OSError as error:
        cure = "The product works without it, but processes do not share news; is TARAZU_REDIS_URL correct?"
        return Finding(part, State.LOOK, f"{place[0]}:{place[1]} does not answer: {error}", cure)
    return Finding(part, State.FINE, f"{place[0]}:{place[1]} answers.")


def _prices_folder(settings: Settings) -> Finding:
    part, folder = "Price folder", settings.prices_folder
    if not folder:
        return Finding(part, State.FINE, "TARAZU_PRICES_FOLDER is not set: no folder is watched.")
    if not Path(folder).is_dir():
        cure = "Create it, or correct TARAZU_PRICES_FOLDER."
        return Finding(part, State.WRONG, f"{folder} is not a folder.", cure)
    if not os.access(folder, os.R_OK | os.X_OK):
        cure = "Give the account that runs the product read access."
        return Finding(part, State.WRONG, f"{folder} cannot be read.", cure)
    return Finding(part, State.FINE, f"{folder} is watched for files of closing prices.")


def _backups(settings: Settings, now: dt.datetime) -> Finding:
    part = "Backups"
    if not settings.backup_dir or settings.backup_hours == 0:
        cure = "Set TARAZU_BACKUP_DIR to a folder, best on another disk, or run `tarazu backup`."
        return Finding(part, State.LOOK, "No automatic backups.", cure)
    made = backups.made_before(Path(settings.backup_dir))
    if not made:
        cure = "Is the product running, and may it write there?"
        return Finding(part, State.WRONG, f"There is none in {settings.backup_dir}.", cure)
    age = now - dt.datetime.fromtimestamp(made[-1].stat().st_mtime, dt.UTC)
    message = (
        f"{len(made)} in {settings.backup_dir}, the newest {age.total_seconds() / 3600:.1f} h old."
    )
    if age > 2 * dt.timedelta(hours=settings.backup_hours):
        return Finding(part, State.WRONG, message, "Look for job_failed with backups in the log.")
    if not settings.backup_passphrase:
        cure = (
            "Set TARAZU_BACKUP_PASSPHRASE: anyone who has the file can read your clients' records."
        )
        return Finding(part, State.LOOK, message, cure)
    return Finding(part, State.FINE, message)
