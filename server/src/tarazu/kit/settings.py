"""Every TARAZU_… setting, read once at the start. Nothing else reads the environment."""

import os
from decimal import Decimal
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "TARAZU_"


class MalformedSettings(Exception):
    """A TARAZU_… name is unknown, or its value cannot be read; the text names it."""


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=".env", extra="ignore", frozen=True
    )

    data_dir: Path = Path("data")
    database_url: str = ""
    redis_url: str = ""
    jobs: Literal["serve", "worker"] = "serve"
    """Who does the timed work: every process that serves, or `tarazu worker` alone."""
    secrets_keys: str = ""
    smtp_url: str = ""
    mail_from: str = "Tarazu <no-reply@tarazu.invalid>"
    public_url: str = ""
    allowed_hosts: str = ""
    """Names, with commas between them, at which the product answers beside the public URL's."""
    signup_mode: str = "approval"
    admin_setup_code: str = ""
    price_source: Literal["auto", "simulated"] = "auto"
    prices_folder: str = ""
    """Where the exchange's daily files of closing prices are put, to be read as they come."""
    packs_folder: str = ""
    """Where inspection packs are kept; machines that serve together share it."""
    rate_limit_scale: Decimal = Field(default=Decimal(1), gt=0)
    expose_openapi: bool = False
    demo: bool = False
    metrics_allow: str = ""
    audit_stream: str = ""
    """Where every row of the audit trail goes as well: `file:/path`, `syslog+tcp://host:601`,
    `syslog+udp://host:514` or `syslog+unix:/dev/log`; "" for nowhere."""
    trusted_proxies: str = ""
    connections_per_address: int = Field(default=128, ge=1)
    """How many connections one address may hold; trusted proxies as many as they need."""
    bind_sessions: bool = False
    require_totp: Literal["", "ADMIN", "ALL"] = ""
    oidc_issuer: str = ""
    """The address of the firm's OpenID Connect provider; "" without single sign-on."""
    oidc_client_id: str = ""
    oidc_client_secret: str = ""
    oidc_label: str = "Single sign-on"
    """What the button on the log-in page says."""
    oidc_domains: str = ""
    """E-mail domains, with commas between them, that may sign in by it; "" for any."""
    allow_loopback_oidc: bool = False
    """For tests: a provider on this computer, without https."""
    session_idle_minutes: int = Field(default=30, ge=1)
    session_hours: int = Field(default=12, ge=1)
    security_contact: str = ""
    """Whom to tell of a weakness: `/.well-known/security.txt` names it."""
    backup_dir: str = ""
    backup_hours: int = Field(default=24, ge=0)
    backups_kept: int = Field(default=14, ge=1)
    backup_passphrase: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    app_link: str = "tarazu://broker"
    broker_hosts: str = ""
    allow_loopback_brokers: bool = False
    zerodha_login_url: str = ""
    zerodha_ticker_url: str = ""
    zerodha_basket_url: str = ""
    """Where the client's page posts a basket of orders; Kite's own page unless given."""
    angel_login_url: str = ""
    angel_ticker_url: str = ""
    angel_scrip_master_url: str = ""
    angel_public_ip: str = ""

    @field_validator("signup_mode")
    @classmethod
    def _known_signup_mode(cls, mode: str) -> str:
        domain = mode.removeprefix("domain:")
        if mode in {"approval", "closed", "open"} or (domain != mode and "." in domain):
            return mode
        raise ValueError("use approval, closed, open or domain:example.com")

    @field_validator("angel_public_ip")
    @classmethod
    def _known_address(cls, address: str) -> str:
        return str(ip_address(address)) if address else ""

    @field_validator("public_url")
    @classmethod
    def _whole_url(cls, url: str) -> str:
        if url and urlsplit(url).scheme not in {"http", "https"}:
            raise ValueError("use a whole address such as https://desk.example.com")
        return url.rstrip("/")

    @field_validator("allowed_hosts")
    @classmethod
    def _bare_names(cls, given: str) -> str:
        if set(given) & set("/:@* "):
            raise ValueError("use names such as desk.example.com,10.0.0.5, without ports")
        return given.lower()

    @field_validator("security_contact")
    @classmethod
    def _reachable(cls, contact: str) -> str:
        scheme, _, rest = contact.partition(":")
        if not contact or (scheme in {"https", "mailto", "tel"} and rest and contact.isprintable()):
            return contact
        raise ValueError("use mailto:security@example.com or https://example.com/security")

    @field_validator("trusted_proxies", "metrics_allow")
    @classmethod
    def _addresses(cls, given: str) -> str:
        try:
            networks_in(given)
        except ValueError:
            raise ValueError("use addresses or networks such as 10.0.0.0/8") from None
        return given

    @field_validator("app_link")
    @classmethod
    def _harmless_link(cls, link: str) -> str:
        # Browsers are sent there with a client's tokens: nothing that would run in the page.
        scheme = urlsplit(link).scheme
        if not scheme or scheme in {"javascript", "data", "vbscript", "blob", "file"}:
            raise ValueError(
                "use the app's link such as tarazu://broker or https://app.example.com"
            )
        return link

    @field_validator("audit_stream")
    @classmethod
    def _known_stream(cls, url: str) -> str:
        parts = urlsplit(url)
        is_path = parts.scheme in {"file", "syslog+unix"} and parts.path.startswith("/")
        is_host = parts.scheme in {"syslog+tcp", "syslog+udp"} and parts.hostname and parts.port
        if url and not (is_path and not parts.netloc) and not is_host:
            raise ValueError(
                "use file:/path, syslog+tcp://host:port, syslog+udp://host:port or syslog+unix:/path"
            )
        return url

    @field_validator("redis_url")
    @classmethod
    def _known_bus(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("use redis://… or rediss://…, or leave it out for one process")
        return url

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        if not url or url.startswith(("sqlite:", "postgresql:", "postgresql+psycopg:")):
            return url.replace("postgresql:", "postgresql+psycopg:", 1)
        raise ValueError("use postgresql+psycopg://… or leave it out for SQLite")

    @property
    def address(self) -> str:
        """Where people find the product: what links in mails begin with."""
        return self.public_url or "http://127.0.0.1:8000"

    @property
    def is_https(self) -> bool:
        """Whether people come by https."""
        return self.public_url.startswith("https:")

    @property
    def has_sso(self) -> bool:
        """Whether there is single sign-on."""
        return bool(self.oidc_issuer and self.oidc_client_id)

    @property
    def oidc_domain_names(self) -> frozenset[str]:
        """The names of `oidc_domains`, in small letters."""
        return frozenset(
            domain for part in self.oidc_domains.lower().split(",") if (domain := part.strip())
        )

    @property
    def allowed_host_names(self) -> frozenset[str]:
        """The names of `allowed_hosts`, in small letters."""
        return frozenset(name for name in self.allowed_hosts.split(",") if name)

    @property
    def is_simulated(self) -> bool:
        """Whether the prices are made up: what is advised at them is practice."""
        return self.demo or self.price_source == "simulated"

    @property
    def smtp_server(self) -> str:
        """Host and port of the mail server, without its user and password; "" without one."""
        server = urlsplit(self.smtp_url)
        return f"{server.hostname}:{server.port or ''}" if self.smtp_url else ""

    @property
    def outbox_dir(self) -> Path:
        """Where mails are written while no SMTP server is set."""
        return self.data_dir / "outbox"

    @property
    def packs_dir(self) -> Path:
        """Where the files of inspection and audit packs are, until they are removed."""
        return Path(self.packs_folder) if self.packs_folder else self.data_dir / "packs"

    @property
    def audit_heads_file(self) -> Path:
        """Where the end of the audit trail is noted each day, outside the database."""
        return self.data_dir / "audit-heads.log"

    @property
    def resolved_database_url(self) -> str:
        """The database's address: SQLite in the data directory unless one is given."""
        return self.database_url or f"sqlite:///{(self.data_dir / 'tarazu.db').resolve()}"

    @classmethod
    def read(cls, **given: Any) -> Self:
        """The settings of the environment and `.env`; `given` values win.

        Raises:
            MalformedSettings: an unknown name or a value that does not fit.
        """
        _refuse_unknown_names(set(cls.model_fields))
        try:
            return cls(**{name: value for name, value in given.items() if value is not None})
        except ValidationError as error:
            first = error.errors()[0]
            name = PREFIX + str(first["loc"][0]).upper()
            raise MalformedSettings(
                f"{name}: {first['msg'].removeprefix('Value error, ')}"
            ) from error


@lru_cache(maxsize=8)
def networks_in(listed: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Addresses and networks, written with commas between them.

    Raises:
        ValueError: a part is neither.
    """
    parts = [part.strip() for part in listed.split(",")]
    return tuple(ip_network(part, strict=False) for part in parts if part)


def _refuse_unknown_names(known: set[str]) -> None:
    names = [name for name in os.environ if name.upper().startswith(PREFIX)]  # noqa: TID251
    dotenv = Path(".env")
    if dotenv.is_file():
        lines = dotenv.read_text(encoding="utf-8").splitlines()
        names += [
            line.split("=", 1)[0].removeprefix("export ").strip() for line in lines if "=" in line
        ]
    for name in names:
        if (
            name.upper().startswith(PREFIX)
            and name.upper().removeprefix(PREFIX).lower() not in known
        ):
            raise MalformedSettings(f"{name} is not a setting of Tarazu")
