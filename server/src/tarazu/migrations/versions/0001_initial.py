"""The tables of an installation."""

import datetime as dt
from typing import Any

import sqlalchemy as sa
import uuid_utils.compat
from alembic import op

revision = "0001_initial"
down_revision = None
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_kit()
    _create_people()
    _create_teams()
    _create_auth()
    _create_firm()
    _create_instruments()
    _create_brokers()
    _create_fees()
    _create_invoices()
    _create_portfolio()
    _create_orders()
    _create_prices()
    _create_advice()
    _create_clients()
    _create_imports()
    _create_sync()
    _create_models()
    _create_follow_up()
    _create_client_page()
    _create_benchmarks()
    _create_tax()
    _create_track_record()
    _create_pending_actions()
    _create_registers()
    _create_papers()
    _create_obligations()
    _add_first_fee_schedule()
    _add_invoice_settings()
    op.bulk_insert(
        sa.table("book_limits", *map(sa.column, ("id", "tolerance", "version"))),
        [{"id": 1, "tolerance": 50, "version": 1}],
    )
    _add_follow_up_settings()
    _add_past_performance()
    _add_sign_in_settings()


def downgrade() -> None:
    """Drop every table, those that name others first."""
    metadata = sa.MetaData()
    metadata.reflect(op.get_bind())
    for table in reversed(metadata.sorted_tables):
        if table.name != "alembic_version":
            op.drop_table(table.name)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION IF EXISTS tarazu_keep_rows()")


def _create_kit() -> None:
    op.create_table(
        "audit",
        sa.Column(
            "seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("at", INSTANT, nullable=False, index=True),
        sa.Column("account_id", sa.Uuid()),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("ip", sa.String(), nullable=False),
        sa.Column("session_id", sa.Uuid()),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False, index=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("record_id", sa.String(), nullable=False, index=True),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
    )
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("mac", sa.String(), nullable=False),
    )
    op.create_table(
        "audit_streams",
        sa.Column("target", sa.String(), primary_key=True),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", INSTANT, nullable=False),
        sa.Column("failed_at", INSTANT),
        sa.Column("error", sa.String(), nullable=False),
    )
    op.create_table(
        "change_counts",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "idempotency",
        sa.Column("account_id", sa.Uuid(), primary_key=True),
        sa.Column("route", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("at", INSTANT, nullable=False, index=True),
    )
    op.create_table(
        "jobs",
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("due_at", INSTANT),
        sa.Column("owner", sa.String()),
        sa.Column("leased_until", INSTANT),
        sa.Column("claims", sa.BigInteger(), nullable=False),
        sa.Column("started_at", INSTANT),
        sa.Column("done_at", INSTANT),
        sa.Column("error", sa.String()),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary()),
        sa.Index("ix_jobs_kind_due_at", "kind", "due_at"),
    )
    op.create_table(
        "kept_keys",
        sa.Column("purpose", sa.String(), primary_key=True),
        sa.Column("sealed", sa.Text(), nullable=False),
    )
    op.create_table(
        "key_canaries",
        sa.Column("key_id", sa.String(), primary_key=True),
        sa.Column("sealed", sa.Text(), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("term", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("attachment_name", sa.String()),
        sa.Column("attachment", sa.LargeBinary()),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(40), nullable=False, index=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("queued_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("error", sa.String()),
        sa.Column("secret", sa.Text()),
    )
    op.create_table(
        "signing_keys",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
    )


def _create_people() -> None:
    op.create_table(
        "client_code_counter",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("last_number", sa.Integer(), nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("country_code", sa.String(), nullable=False),
        sa.Column("contact_number", sa.String(), nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("awaits_approval", sa.Boolean(), nullable=False),
        sa.Column("client_code", sa.String(), unique=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("born_on", sa.Date()),
        sa.Column("password_hash", sa.String()),
        sa.Column("must_change_password", sa.Boolean(), nullable=False),
        sa.Column("password_changed_at", INSTANT),
        sa.Column("temporary_until", INSTANT),
        sa.Column("sessions_void_at", INSTANT),
        sa.Column("family", sa.String(), nullable=False, server_default="", index=True),
        sa.Column("kind", sa.String(40), nullable=False, server_default="INDIVIDUAL"),
        sa.Column("accredited_from", sa.Date()),
        sa.Column("accredited_until", sa.Date()),
        sa.Column("language", sa.String(40), nullable=False, server_default="EN"),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted_at", INSTANT),
        sa.Column("deleted_by", sa.Uuid()),
        sa.CheckConstraint("(role = 'CLIENT') = (client_code IS NOT NULL)", name="client_has_code"),
        sa.Index(
            "ix_people_deleted",
            "deleted_at",
            sqlite_where=sa.text("deleted_at IS NOT NULL"),
            postgresql_where=sa.text("deleted_at IS NOT NULL"),
        ),
        sa.Index(
            "ix_people_live_clients",
            "client_code",
            sqlite_where=sa.text("deleted_at IS NULL AND role = 'CLIENT'"),
            postgresql_where=sa.text("deleted_at IS NULL AND role = 'CLIENT'"),
        ),
        sa.Index("ix_people_role_client_code", "role", "client_code"),
        sa.Index(
            "uq_people_email_live",
            "email",
            unique=True,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        ),
    )


def _create_auth() -> None:
    op.create_table(
        "attempts",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("blocked_until", INSTANT),
    )
    op.create_table(
        "devices",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
        sa.Index("uq_devices_account_id_digest", "account_id", "digest", unique=True),
    )
    op.create_table(
        "otp_challenges",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("challenge_digest", sa.String(), nullable=False, unique=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), index=True),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("used_at", INSTANT),
    )
    op.create_table(
        "reset_links",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("token_digest", sa.String(), nullable=False, unique=True),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
    )
    op.create_table(
        "second_factors",
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("confirmed_at", INSTANT),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("token_digest", sa.String(), nullable=False, unique=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("is_first_time", sa.Boolean(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT),
        sa.Column("ip", sa.String(), nullable=False),
        sa.Column("user_agent", sa.String(), nullable=False),
        sa.Column("device_digest", sa.String()),
        sa.Column("method", sa.String(40), nullable=False),
        sa.Column("proved_at", INSTANT),
    )
    _create_passkeys_and_sso()


def _create_passkeys_and_sso() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("credential_id", sa.String(), nullable=False, unique=True),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
    )
    op.create_table(
        "passkey_challenges",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("purpose", sa.String(40), nullable=False),
        sa.Column("session_id", sa.Uuid()),
        sa.Column("expires_at", INSTANT, nullable=False, index=True),
    )
    op.create_table(
        "sso_sign_ins",
        sa.Column("cookie_digest", sa.String(), primary_key=True),
        sa.Column("state_digest", sa.String()),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("proved_at", INSTANT),
        sa.Column("refusal", sa.String(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False, index=True),
    )
    op.create_table(
        "sso_identities",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("linked_at", INSTANT, nullable=False),
        sa.Index("uq_sso_identities_issuer_subject", "issuer", "subject", unique=True),
        sa.Index("uq_sso_identities_account_id_issuer", "account_id", "issuer", unique=True),
    )
    op.create_table(
        "sign_in_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("step_up", sa.Boolean(), nullable=False),
        sa.Column("step_up_minutes", sa.Integer(), nullable=False),
        sa.Column("user_passwords", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )


def _create_firm() -> None:
    op.create_table(
        "charge_tables",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("effective_on", sa.Date(), nullable=False, unique=True),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
    )
    op.create_table(
        "fee_schedules",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("effective_on", sa.Date(), nullable=False, unique=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("slabs", sa.Text(), nullable=False),
        sa.Column("fixed_amount", sa.BigInteger()),
        sa.Column("is_above_high_water_mark", sa.Boolean(), nullable=False),
        sa.Column("yearly_limit", sa.BigInteger()),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
    )
    op.create_table(
        "firm_images",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
    )
    op.create_table(
        "firm",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("registration_number", sa.String(), nullable=False),
        sa.Column("analyst_name", sa.String(), nullable=False),
        sa.Column("designation", sa.String(), nullable=False, server_default=""),
        sa.Column("registered_from", sa.Date(), nullable=False),
        sa.Column("validity", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("contact", sa.String(), nullable=False),
        sa.Column("disclosures", sa.Text(), nullable=False),
        sa.Column("disclosure_answers", sa.Text(), nullable=False, server_default=""),
        sa.Column("disclosures_confirmed_on", sa.Date()),
        sa.Column("standard_warning", sa.Text(), nullable=False),
        sa.Column("no_assurance", sa.Text(), nullable=False),
        sa.Column("standard_warning_hi", sa.Text(), nullable=False, server_default=""),
        sa.Column("no_assurance_hi", sa.Text(), nullable=False, server_default=""),
        sa.Column("ai_use", sa.Text(), nullable=False, server_default=""),
        sa.Column("ai_use_hi", sa.Text(), nullable=False, server_default=""),
        sa.Column("logo", sa.String(64), sa.ForeignKey("firm_images.sha256")),
        sa.Column("signature", sa.String(64), sa.ForeignKey("firm_images.sha256")),
        sa.Column("advice_days", sa.Integer(), nullable=False, server_default="3"),
        sa.Column("rationale_required", sa.Boolean(), nullable=False),
        sa.Column("standard_rationale", sa.Text(), nullable=False, server_default=""),
        sa.Column("rationales", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("price_tolerance", sa.BigInteger(), nullable=False),
        sa.Column("price_minutes", sa.Integer(), nullable=False, server_default="15"),
        sa.Column("holdings_days", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("band", sa.BigInteger(), nullable=False),
        sa.Column("minimum_trade", sa.BigInteger(), nullable=False),
        sa.Column("trade_penalty", sa.BigInteger(), nullable=False),
        sa.Column("include_charges", sa.Boolean(), nullable=False),
        sa.Column("allow_fresh_funds", sa.Boolean(), nullable=False),
        sa.Column("price_buffer", sa.BigInteger(), nullable=False),
        sa.Column("advice_minimum_trade", sa.BigInteger(), nullable=False),
        sa.Column("sells_pledged", sa.Boolean(), nullable=False),
        sa.Column("limits_purchases", sa.Boolean(), nullable=False),
        sa.Column("usable_proceeds", sa.BigInteger(), nullable=False),
        sa.Column("renewal_on", sa.Date()),
        sa.Column("is_demo", sa.Boolean(), nullable=False),
        sa.Column("mail_tested_at", INSTANT),
        sa.Column("mail_tested_with", sa.String(), nullable=False, server_default=""),
        sa.Column("setup_later", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "holidays",
        sa.Column("date", sa.Date(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
    )
    op.create_table(
        "follow_up_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("window_days", sa.Integer(), nullable=False),
        sa.Column("tolerance", sa.Integer(), nullable=False),
        sa.Column("sends_reminders", sa.Boolean(), nullable=False),
        sa.Column("mails_links", sa.Boolean(), nullable=False),
        sa.Column("basket_rows", sa.Integer(), nullable=False),
        sa.Column("limit_percentage", sa.BigInteger(), nullable=False),
        sa.Column("tracking_limit", sa.BigInteger()),
        sa.Column("idle_cash_limit", sa.BigInteger()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "past_performance_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        *(
            sa.Column(name, sa.Date(), nullable=False)
            for name in ("verified_from", "enrol_until", "certified_until", "effective_on")
        ),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("words_own", "words_certified", "words_verified", "source")
        ),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("enrolment", "certificate", "verification")
        ),
        *(
            sa.Column(name, sa.Date())
            for name in (
                *("enrolled_on", "certified_first", "certified_last"),
                *("verified_first", "verified_last"),
            )
        ),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )


def _create_instruments() -> None:
    op.create_table(
        "instruments",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False, index=True),
        sa.Column("series", sa.String(), nullable=False),
        sa.Column("sector", sa.String(), nullable=False),
        sa.Column("tick_size", sa.BigInteger(), nullable=False),
        sa.Column("lot_size", sa.Integer(), nullable=False),
        sa.Column("zerodha_token", sa.BigInteger(), nullable=False, unique=True),
        sa.Column("angel_token", sa.String()),
        sa.Column("reference_close", sa.BigInteger(), nullable=False),
        sa.Column("reference_on", sa.Date(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Index("uq_instruments_exchange_symbol", "exchange", "symbol", unique=True),
    )
    op.create_table(
        "master_lines",
        sa.Column("exchange", sa.String(), primary_key=True),
        sa.Column("symbol", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zerodha_token", sa.BigInteger(), index=True),
        sa.Column("angel_token", sa.String()),
        sa.Column("tick_size", sa.BigInteger(), nullable=False),
        sa.Column("lot_size", sa.Integer(), nullable=False),
        sa.Column("zerodha_on", sa.Date()),
        sa.Column("angel_on", sa.Date()),
    )
    op.create_table(
        "master_reads",
        sa.Column("broker", sa.String(), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("begun_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
    )
    op.create_table(
        "former_names",
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), primary_key=True),
        sa.Column("until", sa.Date(), primary_key=True),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False, index=True),
        sa.Column("zerodha_token", sa.BigInteger(), nullable=False),
        sa.Column("angel_token", sa.String()),
        sa.Index("ix_former_names_exchange_symbol", "exchange", "symbol"),
    )
    op.create_table(
        "watches",
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("at", INSTANT, nullable=False),
    )
    op.create_table(
        "corporate_actions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("isin", sa.String(), nullable=False, index=True),
        sa.Column("new_isin", sa.String(), nullable=False, index=True),
        sa.Column("symbol", sa.String(), nullable=False, server_default=""),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("ex_on", sa.Date(), nullable=False, index=True),
        sa.Column("record_on", sa.Date(), nullable=True),
        sa.Column("new", sa.Integer(), nullable=False),
        sa.Column("old", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=True),
        sa.Column("cost_share", sa.BigInteger(), nullable=True),
        sa.Column("pay_on", sa.Date(), nullable=True),
        sa.Column("purpose", sa.String(), nullable=False, server_default=""),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid(), sa.ForeignKey("people.id"), nullable=True),
        sa.Column("removed_at", INSTANT, nullable=True),
        sa.Column("removed_by", sa.Uuid(), sa.ForeignKey("people.id"), nullable=True),
    )


def _create_brokers() -> None:
    op.create_table(
        "brokers",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("logo", sa.Text(), nullable=False),
        sa.Column("api_key", sa.Text(), nullable=False),
        sa.Column("api_secret", sa.Text(), nullable=False),
        sa.Column("api_url", sa.Text(), nullable=False),
        sa.Column("is_renew_session_allowed", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "firm_broker_sessions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("broker_user_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.Uuid()),
        sa.Column("access_token", sa.Text()),
        sa.Column("refresh_token", sa.Text()),
        sa.Column("feed_token", sa.Text()),
        sa.Column("connected_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False, index=True),
        sa.Column("ended_at", INSTANT),
        sa.Column("end_reason", sa.String()),
        sa.Column("renewal_begun_at", INSTANT),
    )
    op.create_table(
        "pace",
        sa.Column("line", sa.String(), primary_key=True),
        sa.Column("free_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "broker_connect_links",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("digest", sa.String(), nullable=False, unique=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("made_by", sa.Uuid()),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
        sa.Column("mail_id", sa.Uuid()),
    )
    op.create_table(
        "broker_login_states",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("digest", sa.String(), nullable=False, unique=True),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("session_id", sa.Uuid()),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("link_id", sa.Uuid()),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
    )
    op.create_table(
        "client_broker_sessions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("broker_user_id", sa.String(), nullable=False),
        sa.Column("access_token", sa.Text()),
        sa.Column("refresh_token", sa.Text()),
        sa.Column("feed_token", sa.Text()),
        sa.Column("connected_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT),
        sa.Column("confirmed_at", INSTANT),
        sa.Column("confirmed_by", sa.Uuid()),
        sa.Column("end_reason", sa.String()),
        sa.Column("renewal_begun_at", INSTANT),
        sa.Index("ix_client_broker_sessions_client_id_expires_at", "client_id", "expires_at"),
    )


def _create_fees() -> None:
    op.create_table(
        "fee_totals",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("listed_paid", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("listed_due", sa.BigInteger(), nullable=False, server_default="0"),
    )
    op.create_table(
        "client_fee_sums",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("client_code", sa.String(), nullable=False),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.Column("fees", sa.Integer(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("due_on", sa.Date()),
        sa.Column("next_due_on", sa.Date(), nullable=False),
        sa.Column("paid_on", sa.Date()),
        sa.Index("ix_client_fee_sums_next_due", "is_listed", "next_due_on", "client_code"),
    )
    op.create_table(
        "fees",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("starting_on", sa.Date(), nullable=False),
        sa.Column("due_on", sa.Date()),
        sa.Column("final_on", sa.Date()),
        sa.Column("starting_value", sa.BigInteger(), nullable=False),
        sa.Column("final_value", sa.BigInteger()),
        sa.Column("net_gain", sa.BigInteger()),
        sa.Column("applicable_percentage", sa.BigInteger()),
        sa.Column("amount", sa.BigInteger()),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("paid_on", sa.Date()),
        sa.Column("payment_mode", sa.String(40)),
        sa.Column("payment_reference", sa.String(), nullable=False, server_default=""),
        sa.Column("refunded", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("ended_on", sa.Date()),
        sa.Column("schedule_id", sa.Uuid(), sa.ForeignKey("fee_schedules.id")),
        sa.Column("over_limit", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("limit_until", sa.Date()),
        sa.Column("counted_until", sa.Date()),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted_at", INSTANT),
        sa.Column("deleted_by", sa.Uuid()),
        sa.Index(
            "ix_fees_paid",
            "paid_on",
            "client_id",
            sqlite_where=sa.text("deleted_at IS NULL AND paid_on IS NOT NULL"),
            postgresql_where=sa.text("deleted_at IS NULL AND paid_on IS NOT NULL"),
        ),
    )


def _create_invoices() -> None:
    op.create_table(
        "invoice_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("gstin", sa.String(), nullable=False),
        sa.Column("invoice_prefix", sa.String(), nullable=False),
        sa.Column("credit_prefix", sa.String(), nullable=False),
        sa.Column("upi_id", sa.String(), nullable=False),
        sa.Column("bank_line", sa.String(), nullable=False),
        sa.Column("without_upi_since", sa.Date()),
        sa.Column("default_mode", sa.String(40)),
        sa.Column("cap_behaviour", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "invoice_rules",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("effective_on", sa.Date(), nullable=False, unique=True),
        sa.Column("advance_months", sa.Integer()),
        sa.Column("gst_rate", sa.BigInteger(), nullable=False),
        sa.Column("sac", sa.String(), nullable=False),
        sa.Column("upi_pattern", sa.String(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
    )
    op.create_table(
        "client_billing",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("state_code", sa.String(2), nullable=False),
        sa.Column("gstin", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "invoice_series",
        sa.Column("kind", sa.String(40), primary_key=True),
        sa.Column("year_from", sa.Date(), primary_key=True),
        sa.Column("last_serial", sa.Integer(), nullable=False),
    )
    op.create_table(
        "invoices",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("number", sa.String(), nullable=False, unique=True),
        sa.Column("year_from", sa.Date(), nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("fee_id", sa.Uuid(), sa.ForeignKey("fees.id"), nullable=False, index=True),
        sa.Column("invoice_id", sa.Uuid(), sa.ForeignKey("invoices.id"), index=True),
        sa.Column("issued_on", sa.Date(), nullable=False),
        sa.Column("paid_on", sa.Date(), nullable=False),
        sa.Column("mode", sa.String(40), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("central_tax", sa.BigInteger(), nullable=False),
        sa.Column("state_tax", sa.BigInteger(), nullable=False),
        sa.Column("integrated_tax", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("place_of_supply", sa.String(2), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("mail_id", sa.Uuid()),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
        sa.UniqueConstraint("kind", "year_from", "serial"),
        sa.Index("ix_invoices_issued_on", "issued_on", "id"),
    )
    op.create_table(
        "invoice_files",
        sa.Column("invoice_id", sa.Uuid(), sa.ForeignKey("invoices.id"), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("set_at", INSTANT, nullable=False),
    )
    op.create_table(
        "invoice_files_due",
        sa.Column("invoice_id", sa.Uuid(), sa.ForeignKey("invoices.id"), primary_key=True),
    )


def _create_portfolio() -> None:
    op.create_table(
        "firm_closes",
        sa.Column("date", sa.Date(), primary_key=True),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("clients", sa.Integer(), nullable=False),
        sa.Column("closed_at", INSTANT),
    )
    op.create_table(
        "firm_totals",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("clients", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", INSTANT),
    )
    op.create_table(
        "accounts",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("is_counted", sa.Boolean(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("available_cash", sa.BigInteger(), nullable=False),
        sa.Column("intraday_payin", sa.BigInteger(), nullable=False),
        sa.Column("starting_capital", sa.BigInteger(), nullable=False),
        sa.Column("started_on", sa.Date()),
        sa.Column("funds_added", sa.BigInteger(), nullable=False),
        sa.Column("funds_withdrawn", sa.BigInteger(), nullable=False),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("broker_user_id", sa.String(), nullable=False),
        sa.Column("synced_at", INSTANT),
        sa.Column("first_synced_at", INSTANT),
        sa.Column("holdings_source", sa.String(), nullable=False),
        sa.Column("hand_cash", sa.BigInteger()),
        sa.Column("hand_cash_on", sa.Date()),
        sa.Column("hand_cash_at", INSTANT),
        sa.Column("hand_cash_by", sa.Uuid()),
        sa.Column("revision", sa.BigInteger(), nullable=False, index=True),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "cash_flows",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted_at", INSTANT),
        sa.Column("deleted_by", sa.Uuid()),
        sa.Index("ix_cash_flows_client_id_date", "client_id", "date"),
    )
    op.create_table(
        "client_closes",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("date", sa.Date(), primary_key=True),
        sa.Column("holdings_value", sa.BigInteger(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "holdings",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), primary_key=True),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("pledged", sa.BigInteger(), nullable=False),
        sa.Column("t1", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("bought_today", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("average_price", sa.BigInteger(), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False, server_default=""),
        sa.CheckConstraint("pledged >= 0 AND pledged <= quantity", name="pledged_is_part"),
        sa.CheckConstraint("quantity > 0", name="whole_shares"),
    )
    op.create_table(
        "restriction_lists",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "stock_restrictions",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("minimum", sa.BigInteger()),
        sa.Column("maximum", sa.BigInteger()),
        sa.Column("reason", sa.Text(), nullable=False),
    )
    op.create_table(
        "stock_totals",
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), primary_key=True),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("invested", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "suspected_actions",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), primary_key=True),
        sa.Column("seen_in", sa.String(40), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
    )


def _create_orders() -> None:
    op.create_table(
        "orders",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("broker_order_id", sa.String(), nullable=False),
        sa.Column("ordered_at", INSTANT, nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("side", sa.String(40), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("filled_quantity", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("average_price", sa.BigInteger(), nullable=False),
        sa.Column("product", sa.String(), nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("raw_status", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False, server_default=""),
        sa.Column("tag", sa.String(), nullable=False, server_default=""),
        sa.Column("synced_at", INSTANT),
        sa.Column("lapsed_at", INSTANT),
        sa.Index("ix_orders_client_id_ordered_at", "client_id", "ordered_at"),
        sa.Index(
            "ix_orders_open",
            "ordered_at",
            sqlite_where=sa.text("status = 'OPEN'"),
            postgresql_where=sa.text("status = 'OPEN'"),
        ),
        sa.Index(
            "uq_orders_client_id_broker_order_id", "client_id", "broker_order_id", unique=True
        ),
    )
    op.create_table(
        "trades",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("trade_id", sa.String(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("traded_at", INSTANT, nullable=False),
        sa.Column("after", INSTANT),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("side", sa.String(40), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("price", sa.BigInteger()),
        sa.Column("product", sa.String(), nullable=False),
        sa.Column("tag", sa.String(), nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.Index("ix_trades_client_id_traded_at", "client_id", "traded_at"),
        sa.Index("ix_trades_exchange_trade_id_day", "exchange", "trade_id", "day"),
        sa.Index(
            "uq_trades_client_id_exchange_trade_id_day_symbol",
            "client_id",
            "exchange",
            "trade_id",
            "day",
            "symbol",
            unique=True,
        ),
    )
    op.create_table(
        "trades_read",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("read_at", INSTANT, nullable=False),
    )
    op.create_table(
        "matching_due",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("since", INSTANT, nullable=False, index=True),
    )
    op.create_table(
        "isins_due",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("isins", sa.Text(), nullable=False),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
    )


def _create_prices() -> None:
    op.create_table(
        "day_closes",
        sa.Column("instrument_token", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("date", sa.Date(), primary_key=True),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("open", sa.BigInteger(), nullable=True),
        sa.Column("volume", sa.BigInteger(), nullable=True),
    )
    op.create_table(
        "last_prices",
        sa.Column("instrument_token", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
    )
    op.create_table(
        "price_files",
        sa.Column("hash", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("day", sa.Date()),
        sa.Column("prices", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
    )


def _create_advice() -> None:
    op.create_table(
        "advices",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("rebalance_id", sa.Uuid(), unique=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("total_stocks", sa.Integer(), nullable=False),
        sa.Column("total_invested_value", sa.BigInteger(), nullable=False),
        sa.Column("total_buy_value", sa.BigInteger(), nullable=False),
        sa.Column("total_sell_value", sa.BigInteger(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("mail_id", sa.Uuid(), sa.ForeignKey("outbox.id"), index=True),
        sa.Column("model_id", sa.Uuid()),
        sa.Column("model_name", sa.String(), nullable=False, server_default=""),
        sa.Column("model_number", sa.Integer()),
        sa.Column("run_id", sa.Uuid()),
        sa.Column("valid_until", sa.Date()),
        sa.Index("ix_advices_created_at", "created_at"),
        sa.Index("ix_advices_client_id_created_at", "client_id", "created_at"),
    )
    op.create_table(
        "advice_drafts",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column(
            "account_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True, index=True
        ),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("is_follow_up", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False, index=True),
    )
    op.create_table(
        "rebalances",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("priced_at", INSTANT, nullable=False, index=True),
        sa.Column("package", sa.Text(), nullable=False),
    )
    op.create_table(
        "advice_letters",
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), primary_key=True),
        sa.Column("set_at", INSTANT, nullable=False),
        sa.Column("letter", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
    )
    op.create_table(
        "advice_seals",
        sa.Column(
            "seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), nullable=False, unique=True),
        sa.Column("sealed_at", INSTANT, nullable=False),
        sa.Column("package", sa.Text(), nullable=False),
        sa.Column("package_hash", sa.String(), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False, unique=True),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
    )
    op.create_table(
        "advice_stocks",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), nullable=False, index=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("product", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("instrument_token", sa.BigInteger(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("allocation", sa.BigInteger(), nullable=False),
        sa.Column("possible_allocation", sa.BigInteger(), nullable=False),
        sa.Column("drift", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("last_price", sa.BigInteger(), nullable=False),
        sa.Column("current_value", sa.BigInteger(), nullable=False),
        sa.Column("additional_value", sa.BigInteger(), nullable=False),
        sa.Column("freed_value", sa.BigInteger(), nullable=False),
        sa.Column("projected_value", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "letters_due",
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), primary_key=True),
    )
    op.create_table(
        "advice_links",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("digest", sa.String(), nullable=False, unique=True),
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), nullable=False, index=True),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("made_by", sa.Uuid()),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("revoked_at", INSTANT),
        sa.Column("opened_at", INSTANT),
    )


def _create_clients() -> None:
    op.create_table(
        "remarks",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("updated_at", INSTANT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted_at", INSTANT),
        sa.Column("deleted_by", sa.Uuid()),
    )


def _create_imports() -> None:
    op.create_table(
        "imports",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("file_hash", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("is_dry_run", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
    )


def _create_sync() -> None:
    op.create_table(
        "broker_lines",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("exchange", sa.String(), primary_key=True),
        sa.Column("symbol", sa.String(), primary_key=True),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id")),
        sa.Column("free", sa.BigInteger(), nullable=False),
        sa.Column("t1", sa.BigInteger(), nullable=False),
        sa.Column("pledged", sa.BigInteger(), nullable=False),
        sa.Column("today", sa.BigInteger(), nullable=False),
        sa.Column("margin_funded", sa.BigInteger(), nullable=False),
        sa.Column("average_price", sa.BigInteger(), nullable=False),
        sa.Column("last_price", sa.BigInteger()),
        sa.Column("is_doubted", sa.Boolean(), nullable=False),
        sa.Index(
            "ix_broker_lines_unmapped",
            "client_id",
            sqlite_where=sa.text("instrument_id IS NULL"),
            postgresql_where=sa.text("instrument_id IS NULL"),
        ),
    )
    op.create_table(
        "client_syncs",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tried_at", INSTANT, nullable=False),
        sa.Column("synced_at", INSTANT),
        sa.Column("checked_session_id", sa.Uuid()),
        sa.Column("emptied_at", INSTANT),
        sa.Column("emptied_times", sa.Integer(), nullable=False),
        sa.Column("left_out", sa.Text(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("collateral", sa.BigInteger(), nullable=False),
        sa.Column("ledger_at", INSTANT),
        sa.Column("ledger_net", sa.BigInteger(), nullable=False),
        sa.Column("ledger_traded", sa.BigInteger(), nullable=False),
        sa.Column("ledger_turnover", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "quantity_changes",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id")),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("before", sa.BigInteger(), nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("ordered", sa.BigInteger(), nullable=False),
        sa.Column("average_before", sa.BigInteger(), nullable=False),
        sa.Column("average_after", sa.BigInteger(), nullable=False),
        sa.Column("hint", sa.String(), nullable=False),
        sa.Column("found_at", INSTANT, nullable=False),
        sa.Column("seen_at", INSTANT),
        sa.Column("seen_by", sa.Uuid()),
        sa.Index("ix_quantity_changes_client_id_seen_at", "client_id", "seen_at"),
    )
    op.create_table(
        "sync_runs",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("day", sa.Date()),
        sa.Column("state", sa.String(40), nullable=False, index=True),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Index("uq_sync_runs_kind_day", "kind", "day", unique=True),
    )
    op.create_table(
        "sync_run_clients",
        sa.Column("run_id", sa.Uuid(), sa.ForeignKey("sync_runs.id"), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("finished_at", INSTANT),
    )


def _create_models() -> None:
    op.create_table(
        "book_limits",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("tolerance", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "model_portfolios",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False, unique=True),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "model_subscribers",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column(
            "model_id", sa.Uuid(), sa.ForeignKey("model_portfolios.id"), nullable=False, index=True
        ),
        sa.Column("investment", sa.BigInteger()),
        sa.Column("subscribed_at", INSTANT, nullable=False),
    )
    op.create_table(
        "model_followings",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column(
            "model_id", sa.Uuid(), sa.ForeignKey("model_portfolios.id"), nullable=False, index=True
        ),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("is_whole", sa.Boolean(), nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("until", INSTANT),
    )
    op.create_table(
        "model_track_records",
        sa.Column("model_id", sa.Uuid(), sa.ForeignKey("model_portfolios.id"), primary_key=True),
        sa.Column("made_from", sa.String(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
    )
    op.create_table(
        "model_versions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("model_id", sa.Uuid(), sa.ForeignKey("model_portfolios.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("benchmark", sa.String(), nullable=False),
        sa.Column("universe", sa.Text(), nullable=False),
        sa.Column("selection_method", sa.Text(), nullable=False),
        sa.Column("risks", sa.Text(), nullable=False),
        sa.UniqueConstraint("model_id", "number", name="uq_model_versions_model_id_number"),
    )
    op.create_table(
        "book_runs",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column(
            "model_id", sa.Uuid(), sa.ForeignKey("model_portfolios.id"), nullable=False, index=True
        ),
        sa.Column("version_id", sa.Uuid(), sa.ForeignKey("model_versions.id"), nullable=False),
        sa.Column("after_id", sa.Uuid(), sa.ForeignKey("book_runs.id")),
        sa.Column("state", sa.String(40), nullable=False, index=True),
        sa.Column("tolerance", sa.BigInteger(), nullable=False),
        sa.Column("outside", sa.String(40), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, server_default=""),
        sa.Column("client_ids", sa.Text(), nullable=False, server_default=""),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("computed_at", INSTANT),
        sa.Column("priced_at", INSTANT),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("sending", sa.Text(), nullable=False),
        sa.Column("sent_by", sa.String(), nullable=False),
        sa.Column("sent_at", INSTANT),
        sa.Column("finished_at", INSTANT),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "model_constituents",
        sa.Column("version_id", sa.Uuid(), sa.ForeignKey("model_versions.id"), primary_key=True),
        sa.Column("place", sa.Integer(), primary_key=True),
        sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), nullable=False),
        sa.Column("allocation", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "book_run_clients",
        sa.Column("run_id", sa.Uuid(), sa.ForeignKey("book_runs.id"), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("tile", sa.String(40), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("is_included", sa.Boolean(), nullable=False),
        sa.Column("can_be_included", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("investment", sa.BigInteger()),
        sa.Column("cash", sa.BigInteger(), nullable=False),
        sa.Column("cash_after", sa.BigInteger()),
        sa.Column("funds_to_add", sa.BigInteger()),
        sa.Column("trades", sa.Integer()),
        sa.Column("buy_value", sa.BigInteger()),
        sa.Column("sell_value", sa.BigInteger()),
        sa.Column("charges", sa.BigInteger()),
        sa.Column("tax", sa.BigInteger()),
        sa.Column("turnover", sa.BigInteger()),
        sa.Column("max_drift", sa.BigInteger()),
        sa.Column("max_drift_symbol", sa.String(), nullable=False),
        sa.Column("tracking_error", sa.BigInteger()),
        sa.Column("proved_gap", sa.BigInteger()),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("holdings_source", sa.String(), nullable=False),
        sa.Column("synced_at", INSTANT),
        sa.Column("worked_out", sa.Text(), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), unique=True),
        sa.Column("sent_at", INSTANT),
        sa.Index("ix_book_run_clients_client_id", "client_id"),
        sa.Index("ix_book_run_clients_run_id_state", "run_id", "state"),
        sa.Index("ix_book_run_clients_run_id_tile", "run_id", "tile"),
    )


def _create_follow_up() -> None:
    op.create_table(
        "advice_executions",
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("sent_at", INSTANT, nullable=False),
        sa.Column("window_ends_on", sa.Date(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("model_name", sa.String(), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("followed_percentage", sa.BigInteger()),
        sa.Column("advised_value", sa.BigInteger(), nullable=False),
        sa.Column("filled_value", sa.BigInteger(), nullable=False),
        sa.Column("shortfall", sa.BigInteger()),
        sa.Column("shortfall_bps", sa.BigInteger()),
        sa.Column("shortfall_price", sa.BigInteger()),
        sa.Column("shortfall_not_traded", sa.BigInteger()),
        sa.Column("shortfall_charges", sa.BigInteger()),
        sa.Column("minutes_to_first_fill", sa.Integer()),
        sa.Column("minutes_to_ninety", sa.Integer()),
        sa.Column("computed_at", INSTANT, nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False, server_default=""),
        sa.Index("ix_advice_executions_client_id_sent_at", "client_id", "sent_at"),
        sa.Index("ix_advice_executions_is_over", "is_over", "window_ends_on"),
        sa.Index("ix_advice_executions_sent_at", "sent_at", "advice_id"),
        sa.Index("ix_advice_executions_state_sent_at", "state", "sent_at", "advice_id"),
    )
    op.create_table(
        "line_executions",
        sa.Column(
            "advice_id", sa.Uuid(), sa.ForeignKey("advice_executions.advice_id"), primary_key=True
        ),
        sa.Column("place", sa.Integer(), primary_key=True),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("advised_quantity", sa.BigInteger(), nullable=False),
        sa.Column("advised_price", sa.BigInteger(), nullable=False),
        sa.Column("filled_quantity", sa.BigInteger(), nullable=False),
        sa.Column("average_price", sa.BigInteger()),
        sa.Column("beyond", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("status_text", sa.String(), nullable=False),
        sa.Column("shortfall", sa.BigInteger()),
        sa.Column("shortfall_bps", sa.BigInteger()),
        sa.Column("slippage_bps", sa.BigInteger()),
        sa.Index("ix_line_executions_isin", "isin"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "follow_up_drafts",
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), primary_key=True),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("decided_at", INSTANT, nullable=False),
    )
    op.create_table(
        "line_fills",
        sa.Column(
            "advice_id", sa.Uuid(), sa.ForeignKey("advice_executions.advice_id"), primary_key=True
        ),
        sa.Column("place", sa.Integer(), primary_key=True),
        sa.Column(
            "trade_id",
            sa.Uuid(),
            sa.ForeignKey("trades.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Index("ix_line_fills_trade_id", "trade_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "matched_inputs",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("fingerprint", sa.String(), nullable=False),
    )
    op.create_table(
        "advice_responses",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), nullable=False, index=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("answer", sa.String(40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("answered_at", INSTANT, nullable=False, index=True),
        sa.Column("ip", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("language", sa.String(40), nullable=False),
        sa.Column("package_hash", sa.String(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("replied_at", INSTANT),
        sa.Column("replied_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Index("ix_advice_responses_client_id", "client_id", "answered_at"),
    )
    op.create_table(
        "advice_reminders",
        sa.Column("advice_id", sa.Uuid(), sa.ForeignKey("advices.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("mail_id", sa.Uuid(), sa.ForeignKey("outbox.id"), nullable=False),
        sa.Column("sent_at", INSTANT, nullable=False),
    )
    op.create_table(
        "without_reminders",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
    )


def _create_client_page() -> None:
    op.create_table(
        "page_codes",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column(
            "link_id", sa.Uuid(), sa.ForeignKey("advice_links.id"), nullable=False, index=True
        ),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("used_at", INSTANT),
    )
    op.create_table(
        "page_sessions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column(
            "link_id", sa.Uuid(), sa.ForeignKey("advice_links.id"), nullable=False, index=True
        ),
        sa.Column("digest", sa.String(), nullable=False, unique=True),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
    )
    op.create_table(
        "basket_states",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("digest", sa.String(), nullable=False, unique=True),
        sa.Column(
            "link_id", sa.Uuid(), sa.ForeignKey("advice_links.id"), nullable=False, index=True
        ),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
    )


def _add_first_fee_schedule() -> None:
    """Add the schedule that every fee uses until the firm writes its own."""
    schedules = sa.table(
        "fee_schedules",
        sa.column("id", sa.Uuid()),
        sa.column("effective_on", sa.Date()),
        sa.column("kind", sa.String()),
        sa.column("slabs", sa.Text()),
        sa.column("is_above_high_water_mark", sa.Boolean()),
        sa.column("yearly_limit", sa.BigInteger()),
        sa.column("source", sa.String()),
        sa.column("created_at", sa.DateTime(timezone=True)),
    )
    first = {
        "id": uuid_utils.compat.uuid7(),
        "effective_on": dt.date(2024, 2, 14),
        "kind": "SLABS",
        "slabs": '[{"from": "0", "percentage": "20"}]',
        "is_above_high_water_mark": True,
        # Ten-thousandths of a rupee.
        "yearly_limit": 151_000 * 10_000,
        "source": "Default. Yearly limit per family: SEBI circular 2025/004 of 8 January 2025, "
        "individuals and HUF, statutory charges excluded.",
        "created_at": dt.datetime(2026, 11, 21, tzinfo=dt.UTC),
    }
    op.bulk_insert(schedules, [first])


def _add_invoice_settings() -> None:
    """Add the settings that every firm starts with, and what the law said in November 2026."""
    texts = ("gstin", "invoice_prefix", "credit_prefix", "upi_id", "bank_line", "cap_behaviour")
    settings = sa.table(
        "invoice_settings",
        sa.column("is_on", sa.Boolean()),
        sa.column("updated_at", sa.DateTime(timezone=True)),
        *map(sa.column, ("id", "version", *texts)),
    )
    first = {
        "id": 1,
        "is_on": False,
        "gstin": "",
        "invoice_prefix": "INV",
        "credit_prefix": "CRN",
        "upi_id": "",
        "bank_line": "",
        "cap_behaviour": "FLAG",
        "version": 1,
        "updated_at": dt.datetime(2026, 11, 25, tzinfo=dt.UTC),
    }
    op.bulk_insert(settings, [first])
    rules = sa.table(
        "invoice_rules",
        sa.column("id", sa.Uuid()),
        sa.column("effective_on", sa.Date()),
        sa.column("created_at", sa.DateTime(timezone=True)),
        *map(sa.column, ("advance_months", "gst_rate", "sac", "upi_pattern", "source")),
    )
    tax = (
        "GST 18 %: notification 11/2017-Central Tax (Rate) of 28 June 2017, heading 9971, and its "
        "annexure for the SAC; ask your accountant to confirm both."
    )
    versions: list[tuple[dt.date, int | None, str]] = [
        (dt.date(2017, 7, 1), None, ""),
        (
            dt.date(2025, 1, 8),
            3,
            " Advance of one quarter: SEBI circular 2025/004 of 8 January 2025.",
        ),
        (
            dt.date(2025, 4, 2),
            12,
            (
                " Advance of one year: SEBI circular 2025/48 of 2 April 2025. Validated UPI IDs: SEBI "
                "circular 2025/86 of 11 June 2025."
            ),
        ),
    ]
    op.bulk_insert(
        rules,
        [
            {
                "id": uuid_utils.compat.uuid7(),
                "effective_on": day,
                "advance_months": months,
                # Hundredths of a percent.
                "gst_rate": 1800,
                "sac": "997156",
                "upi_pattern": "*.ra@valid*",
                "source": tax + source,
                "created_at": dt.datetime(2026, 11, 25, tzinfo=dt.UTC),
            }
            for day, months, source in versions
        ],
    )


def _add_sign_in_settings() -> None:
    """Add the settings that every firm starts with: nobody is asked for a fresh proof."""
    settings = sa.table(
        "sign_in_settings",
        sa.column("updated_at", sa.DateTime(timezone=True)),
        *map(sa.column, ("id", "step_up", "step_up_minutes", "user_passwords", "version")),
    )
    first = {
        "id": 1,
        "step_up": False,
        "step_up_minutes": 10,
        "user_passwords": True,
        "version": 1,
        "updated_at": dt.datetime(2026, 11, 26, tzinfo=dt.UTC),
    }
    op.bulk_insert(settings, [first])


def _add_follow_up_settings() -> None:
    """Add the settings that every firm starts with; percentages in hundredths of a percent."""
    settings = sa.table(
        "follow_up_settings",
        sa.column("updated_at", sa.DateTime(timezone=True)),
        *map(
            sa.column,
            (
                "id",
                "window_days",
                "tolerance",
                "sends_reminders",
                "mails_links",
                "basket_rows",
                "limit_percentage",
                "tracking_limit",
                "idle_cash_limit",
                "version",
            ),
        ),
    )
    first = {
        "id": 1,
        "window_days": 5,
        "tolerance": 0,
        "sends_reminders": True,
        "mails_links": True,
        "basket_rows": 10,
        "limit_percentage": 100,
        "tracking_limit": 200,
        "idle_cash_limit": 500,
        "version": 1,
        "updated_at": dt.datetime(2026, 11, 23, tzinfo=dt.UTC),
    }
    op.bulk_insert(settings, [first])


def _add_past_performance() -> None:
    """Add the rules for past performance as circulars had them in November 2026."""
    days = ("verified_from", "enrol_until", "certified_until", "effective_on")
    texts = ("words_own", "words_certified", "words_verified", "source")
    papers = ("enrolment", "certificate", "verification")
    settings = sa.table(
        "past_performance_settings",
        sa.column("updated_at", sa.DateTime(timezone=True)),
        *(sa.column(name, sa.Date()) for name in days),
        *map(sa.column, ("id", "version", *texts, *papers)),
    )
    first = {
        "id": 1,
        "verified_from": dt.date(2026, 5, 4),
        "enrol_until": dt.date(2026, 9, 3),
        "certified_until": dt.date(2028, 5, 3),
        "effective_on": dt.date(2026, 11, 23),
        "words_own": "The performance shown is that of this client's own account, given to this "
        "client alone. It is not PaRRVA-verified: no Past Risk and Return Verification Agency has "
        "checked it. Past performance does not indicate future results.",
        "words_certified": "This past performance is certified by a chartered or cost accountant "
        "and given to one person, who asked for it. It is not PaRRVA-verified: no Past Risk and "
        "Return Verification Agency has checked it. It is not to be passed on. Past performance "
        "does not indicate future results.",
        "words_verified": "This past performance was verified by a Past Risk and Return "
        "Verification Agency (PaRRVA). Verification is no assurance of returns. Past performance "
        "does not indicate future results.",
        "source": "SEBI circular of 30 October 2025 and BSE notice of 21 November 2025 (certified, "
        "on request); SEBI circular of 29 April 2026 and BSE notice of 4 August 2026 (PaRRVA). "
        "Compare dates and words with the originals.",
        **dict.fromkeys(papers, ""),
        "version": 1,
        "updated_at": dt.datetime(2026, 11, 23, tzinfo=dt.UTC),
    }
    op.bulk_insert(settings, [first])


def _create_benchmarks() -> None:
    op.create_table(
        "benchmarks",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
    )
    op.create_table(
        "benchmark_values",
        sa.Column(
            "benchmark_id",
            sa.Uuid(),
            sa.ForeignKey("benchmarks.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("date", sa.Date(), primary_key=True),
        sa.Column("value", sa.BigInteger(), nullable=False),
    )
    settings = op.create_table(
        "benchmark_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmarks.id")),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    first = {"id": 1, "version": 1, "updated_at": dt.datetime(2026, 11, 23, tzinfo=dt.UTC)}
    op.bulk_insert(settings, [first])


def _create_track_record() -> None:
    op.create_table(
        "call_prices",
        sa.Column("batch_id", sa.Uuid(), primary_key=True),
        sa.Column("instrument_token", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
    )


def _create_tax() -> None:
    op.create_table(
        "lot_entries",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("bought_on", sa.Date()),
        sa.Column("moved_on", sa.Date(), nullable=False),
        sa.Column("amount", sa.BigInteger()),
        sa.Column("demat", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("removed_at", INSTANT),
        sa.Column("removed_by", sa.Uuid(), sa.ForeignKey("people.id")),
    )
    op.create_table(
        "tax_classes",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("income", sa.String(40)),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "tax_rate_versions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("effective_on", sa.Date(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("removed_at", INSTANT),
        sa.Column("removed_by", sa.Uuid(), sa.ForeignKey("people.id")),
    )
    op.create_table(
        "highs_of_2018",
        sa.Column("isin", sa.String(), primary_key=True),
        sa.Column("high", sa.BigInteger(), nullable=False),
        sa.Column("entered_at", INSTANT, nullable=False),
        sa.Column("entered_by", sa.Uuid(), sa.ForeignKey("people.id")),
    )


def _create_pending_actions() -> None:
    """What corporate actions do to prices, holdings and closes."""
    op.create_table(
        "price_steps",
        _key_of_action(),
        _key_of_stock(),
        sa.Column("ex_at", INSTANT, nullable=False),
        sa.Column("new", sa.Integer(), nullable=False),
        sa.Column("old", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("action_id", "instrument_id"),
    )
    op.create_table(
        "holding_changes",
        _key_of_client(),
        _key_of_stock(),
        sa.Column("at", INSTANT),
        *(
            sa.Column(name, sa.BigInteger(), nullable=False)
            for name in ("before", "after", "average_before", "average_after", "traded")
        ),
        sa.PrimaryKeyConstraint("client_id", "instrument_id", "at"),
        sa.Index("ix_holding_changes_instrument_id_at", "instrument_id", "at"),
    )
    op.create_table(
        "pending_actions",
        _key_of_client(),
        _key_of_action(),
        _key_of_stock(),
        sa.Column("quantity_before", sa.BigInteger(), nullable=False),
        sa.Column("expected_quantity", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("credited_at", INSTANT),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("false_cost", sa.BigInteger(), nullable=False),
        sa.Column("is_adjusted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("client_id", "action_id", "instrument_id"),
        *(
            sa.Index(f"ix_pending_actions_{name}", name)
            for name in ("action_id", "state", "credited_at")
        ),
    )
    op.create_table(
        "close_adjustments",
        _key_of_client(),
        sa.Column("date", sa.Date()),
        _key_of_action(),
        _key_of_stock(),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("client_id", "date", "action_id", "instrument_id"),
        *(sa.Index(f"ix_close_adjustments_{name}", name) for name in ("date", "action_id")),
    )
    op.create_table(
        "firm_close_adjustments",
        sa.Column("date", sa.Date()),
        _key_of_action(),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("date", "action_id"),
    )


def _create_teams() -> None:
    op.create_table(
        "team_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False, unique=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
    )
    op.create_table(
        "team_members",
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("team_id", sa.Uuid(), sa.ForeignKey("teams.id"), primary_key=True, index=True),
    )
    op.create_table(
        "team_clients",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("team_id", sa.Uuid(), sa.ForeignKey("teams.id"), nullable=False, index=True),
    )


def _create_registers() -> None:
    op.create_table(
        "send_guards",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("level", sa.String(40), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "second_approval",
        sa.Column("action", sa.String(40), primary_key=True),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
    op.create_table(
        "register_rules",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("effective_on", sa.Date(), nullable=False),
        *_texts("content", "source"),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
        sa.UniqueConstraint("name", "effective_on"),
    )
    op.create_table(
        "register_files",
        sa.Column("sha256", sa.String(64), primary_key=True),
        *_names("name", "media_type"),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
    )
    _create_register(
        "complaints",
        sa.Column("received_on", sa.Date(), nullable=False, index=True),
        _key_of_client(),
        *_names("complainant", "channel", "reference", "subject", "nature"),
        sa.Column("resolved_on", sa.Date()),
        *_texts("resolution"),
    )
    _create_register(
        "staff_certificates",
        sa.Column("staff_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        *_names("series", "number"),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("valid_until", sa.Date(), nullable=False),
        sa.Column("file", sa.String(64), sa.ForeignKey("register_files.sha256")),
        sa.UniqueConstraint("staff_id", "series", "valid_until"),
    )
    _create_register(
        "declared_interests",
        sa.Column("staff_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("holder", sa.String(40), nullable=False),
        *_names("relative"),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column(
            "instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"), nullable=False, index=True
        ),
        sa.Column("side", sa.String(40)),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("dated_on", sa.Date(), nullable=False, index=True),
        sa.Column("ended_on", sa.Date()),
    )
    _create_register(
        "advertisements",
        *_names("title", "medium"),
        *_texts("text"),
        *_names("approval_number"),
        sa.Column("approved_on", sa.Date()),
        sa.Column("released_on", sa.Date()),
    )
    _create_register(
        "ai_tools",
        *_names("name"),
        *_texts("extent", "extent_hi"),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date()),
    )
    _create_register(
        "handles",
        *_names("platform", "handle"),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date()),
    )
    _create_register(
        "incidents",
        sa.Column("noticed_at", INSTANT, nullable=False, index=True),
        *_names("summary"),
        *_texts("details"),
        sa.Column("reported_at", INSTANT),
        *_names("report"),
    )


def _create_papers() -> None:
    op.create_table(
        "client_kyc",
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("pan", sa.String(10), nullable=False, index=True),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("status_on", sa.Date()),
        *_names("note"),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "consent_texts",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("effective_on", sa.Date(), nullable=False),
        *_texts("text", "text_hi"),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
        sa.UniqueConstraint("kind", "number"),
        sa.UniqueConstraint("kind", "effective_on"),
    )
    op.create_table(
        "client_consents",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("text_id", sa.Uuid(), sa.ForeignKey("consent_texts.id"), nullable=False),
        sa.Column("given_on", sa.Date(), nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.Column("method", sa.String(40), nullable=False),
        sa.Column("language", sa.String(40), nullable=False),
        sa.Column("text_hash", sa.String(64), nullable=False),
        *_names("ip", "agent"),
        sa.Column("recorded_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("file", sa.String(64), sa.ForeignKey("register_files.sha256")),
        sa.Column("withdrawn_at", INSTANT),
        sa.Column("withdrawn_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Index("ix_client_consents_client_id", "client_id", "text_id"),
    )


def _create_register(name: str, *columns: Any) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Uuid(), primary_key=True),
        *columns,
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )


def _names(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _key_of_action() -> sa.Column[Any]:
    return sa.Column("action_id", sa.Uuid(), sa.ForeignKey("corporate_actions.id"))


def _key_of_stock() -> sa.Column[Any]:
    return sa.Column("instrument_id", sa.Uuid(), sa.ForeignKey("instruments.id"))


def _key_of_client() -> sa.Column[Any]:
    return sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id"))


def _create_obligations() -> None:
    op.create_table(
        "obligation_versions",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("obligation_id", sa.String(), nullable=False, index=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("form", sa.String(40), nullable=False),
        sa.Column("trigger", sa.String(40), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("duty", "evidence", "source", "terms")
        ),
        sa.Column("effective_on", sa.Date(), nullable=False),
        sa.Column("is_ended", sa.Boolean(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Uuid()),
    )
    op.create_table(
        "obligation_files",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "obligation_evidence",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("obligation_id", sa.String(), nullable=False),
        sa.Column("instance", sa.String(), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("file_sha256", sa.String(64), sa.ForeignKey("obligation_files.sha256")),
        sa.Column("proof", sa.String(64), nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.Column("recorded_by", sa.Uuid()),
        sa.Index("ix_obligation_evidence_instance", "obligation_id", "instance"),
    )
    op.create_table(
        "inspection_packs",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("client_id", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.Column("sample_every", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False, index=True),
        sa.Column("made_by", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("finished_at", INSTANT),
    )
    op.create_table(
        "approvals",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        *_texts("about", "request"),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("asked_by", sa.Uuid(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("asked_at", INSTANT, nullable=False, index=True),
        sa.Column("asked_from", sa.Text(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("decided_by", sa.Uuid(), sa.ForeignKey("people.id")),
        sa.Column("decided_at", INSTANT),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("result", sa.String(40), nullable=False),
        sa.Index("ix_approvals_asked_by_digest", "asked_by", "digest"),
    )
    op.create_table(
        "obligation_reminders",
        sa.Column("obligation_id", sa.String(), primary_key=True),
        sa.Column("instance", sa.String(), primary_key=True),
        sa.Column("step", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("sent_at", INSTANT, nullable=False),
    )
    op.create_table(
        "client_counts",
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("clients", sa.Integer(), nullable=False),
    )
    op.create_table(
        "compliance_settings",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("is_part_time", sa.Boolean()),
        sa.Column("deposit", sa.BigInteger()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
    )
