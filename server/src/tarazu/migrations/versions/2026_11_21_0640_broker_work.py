"""Broker work."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_0640_broker_work"
down_revision = "2026_11_21_0251_every_screen"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_broker_sessions()
    _add_syncs()


def downgrade() -> None:
    _drop_syncs()
    _drop_broker_sessions()


def _add_broker_sessions() -> None:
    op.create_table(
        "broker_connect_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("made_by", sa.Uuid(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("mail_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_broker_connect_links_client_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_broker_connect_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_broker_connect_links_digest")),
    )
    with op.batch_alter_table("broker_connect_links", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_broker_connect_links_client_id"), ["client_id"], unique=False
        )
    with op.batch_alter_table("broker_login_states", schema=None) as batch_op:
        batch_op.add_column(sa.Column("link_id", sa.Uuid(), nullable=True))
    for table in ("firm_broker_sessions", "client_broker_sessions"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("end_reason", sa.String(), nullable=True))
            batch_op.add_column(
                sa.Column("renewal_begun_at", sa.DateTime(timezone=True), nullable=True)
            )
    with op.batch_alter_table("client_broker_sessions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("confirmed_by", sa.Uuid(), nullable=True))


def _drop_broker_sessions() -> None:
    with op.batch_alter_table("client_broker_sessions", schema=None) as batch_op:
        batch_op.drop_column("confirmed_by")
    for table in ("client_broker_sessions", "firm_broker_sessions"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("renewal_begun_at")
            batch_op.drop_column("end_reason")
    with op.batch_alter_table("broker_login_states", schema=None) as batch_op:
        batch_op.drop_column("link_id")
    with op.batch_alter_table("broker_connect_links", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_broker_connect_links_client_id"))
    op.drop_table("broker_connect_links")


def _add_syncs() -> None:
    op.create_table(
        "master_lines",
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zerodha_token", sa.BigInteger(), nullable=True),
        sa.Column("angel_token", sa.String(), nullable=True),
        sa.Column("tick_size", sa.BigInteger(), nullable=False),
        sa.Column("lot_size", sa.Integer(), nullable=False),
        sa.Column("zerodha_on", sa.Date(), nullable=True),
        sa.Column("angel_on", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("exchange", "symbol", name=op.f("pk_master_lines")),
    )
    with op.batch_alter_table("master_lines", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_master_lines_zerodha_token"), ["zerodha_token"], unique=False
        )

    op.create_table(
        "master_reads",
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("broker", "day", name=op.f("pk_master_reads")),
    )
    op.create_table(
        "broker_lines",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), nullable=True),
        sa.Column("free", sa.BigInteger(), nullable=False),
        sa.Column("t1", sa.BigInteger(), nullable=False),
        sa.Column("pledged", sa.BigInteger(), nullable=False),
        sa.Column("today", sa.BigInteger(), nullable=False),
        sa.Column("margin_funded", sa.BigInteger(), nullable=False),
        sa.Column("average_price", sa.BigInteger(), nullable=False),
        sa.Column("last_price", sa.BigInteger(), nullable=True),
        sa.Column("is_doubted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_broker_lines_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["instrument_id"], ["instruments.id"], name=op.f("fk_broker_lines_instrument_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "exchange", "symbol", name=op.f("pk_broker_lines")),
    )
    with op.batch_alter_table("broker_lines", schema=None) as batch_op:
        batch_op.create_index(
            "ix_broker_lines_unmapped",
            ["client_id"],
            unique=False,
            sqlite_where=sa.text("instrument_id IS NULL"),
            postgresql_where=sa.text("instrument_id IS NULL"),
        )

    op.create_table(
        "client_syncs",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column(
            "outcome",
            sa.Enum(
                "WAITING",
                "DONE",
                "NO_SESSION",
                "DEAD",
                "DOUBTED",
                "FAILED",
                name="outcome",
                native_enum=False,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("synced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("checked_session_id", sa.Uuid(), nullable=True),
        sa.Column("emptied_on", sa.Date(), nullable=True),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("collateral", sa.BigInteger(), nullable=False),
        sa.Column("ledger_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ledger_net", sa.BigInteger(), nullable=False),
        sa.Column("ledger_traded", sa.BigInteger(), nullable=False),
        sa.Column("ledger_turnover", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_client_syncs_client_id")
        ),
        sa.PrimaryKeyConstraint("client_id", name=op.f("pk_client_syncs")),
    )
    op.create_table(
        "former_names",
        sa.Column("instrument_id", sa.Uuid(), nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("zerodha_token", sa.BigInteger(), nullable=False),
        sa.Column("angel_token", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["instrument_id"], ["instruments.id"], name=op.f("fk_former_names_instrument_id")
        ),
        sa.PrimaryKeyConstraint("instrument_id", "until", name=op.f("pk_former_names")),
    )
    with op.batch_alter_table("former_names", schema=None) as batch_op:
        batch_op.create_index(
            "ix_former_names_exchange_symbol", ["exchange", "symbol"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_former_names_isin"), ["isin"], unique=False)

    op.create_table(
        "quantity_changes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), nullable=True),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=False),
        sa.Column("isin", sa.String(), nullable=False),
        sa.Column("before", sa.BigInteger(), nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("ordered", sa.BigInteger(), nullable=False),
        sa.Column("average_before", sa.BigInteger(), nullable=False),
        sa.Column("average_after", sa.BigInteger(), nullable=False),
        sa.Column("hint", sa.String(), nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seen_by", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_quantity_changes_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["instrument_id"], ["instruments.id"], name=op.f("fk_quantity_changes_instrument_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quantity_changes")),
    )
    with op.batch_alter_table("quantity_changes", schema=None) as batch_op:
        batch_op.create_index(
            "ix_quantity_changes_client_id_seen_at", ["client_id", "seen_at"], unique=False
        )

    op.create_table(
        "sync_runs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column(
            "kind",
            sa.Enum("ASKED", "LOGIN", "NIGHTLY", name="runkind", native_enum=False, length=40),
            nullable=False,
        ),
        sa.Column("day", sa.Date(), nullable=True),
        sa.Column(
            "state",
            sa.Enum("RUNNING", "DONE", name="runstate", native_enum=False, length=40),
            nullable=False,
        ),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("renewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["people.id"], name=op.f("fk_sync_runs_account_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sync_runs")),
        sa.UniqueConstraint("day", name=op.f("uq_sync_runs_day")),
    )
    with op.batch_alter_table("sync_runs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sync_runs_state"), ["state"], unique=False)

    op.create_table(
        "sync_run_clients",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column(
            "outcome",
            sa.Enum(
                "WAITING",
                "DONE",
                "NO_SESSION",
                "DEAD",
                "DOUBTED",
                "FAILED",
                name="outcome",
                native_enum=False,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_sync_run_clients_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["sync_runs.id"], name=op.f("fk_sync_run_clients_run_id")
        ),
        sa.PrimaryKeyConstraint("run_id", "client_id", name=op.f("pk_sync_run_clients")),
    )
    with op.batch_alter_table("holdings", schema=None) as batch_op:
        batch_op.add_column(sa.Column("t1", sa.BigInteger(), server_default="0", nullable=False))
        batch_op.add_column(
            sa.Column("bought_today", sa.BigInteger(), server_default="0", nullable=False)
        )

    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.add_column(sa.Column("synced_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("lapsed_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(
            "ix_orders_open",
            ["ordered_at"],
            unique=False,
            sqlite_where=sa.text("status = 'OPEN'"),
            postgresql_where=sa.text("status = 'OPEN'"),
        )


def _drop_syncs() -> None:
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_orders_open",
            sqlite_where=sa.text("status = 'OPEN'"),
            postgresql_where=sa.text("status = 'OPEN'"),
        )
        batch_op.drop_column("lapsed_at")
        batch_op.drop_column("synced_at")

    with op.batch_alter_table("holdings", schema=None) as batch_op:
        batch_op.drop_column("bought_today")
        batch_op.drop_column("t1")

    op.drop_table("sync_run_clients")
    with op.batch_alter_table("sync_runs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sync_runs_state"))

    op.drop_table("sync_runs")
    with op.batch_alter_table("quantity_changes", schema=None) as batch_op:
        batch_op.drop_index("ix_quantity_changes_client_id_seen_at")

    op.drop_table("quantity_changes")
    with op.batch_alter_table("former_names", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_former_names_isin"))
        batch_op.drop_index("ix_former_names_exchange_symbol")

    op.drop_table("former_names")
    op.drop_table("client_syncs")
    with op.batch_alter_table("broker_lines", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_broker_lines_unmapped",
            sqlite_where=sa.text("instrument_id IS NULL"),
            postgresql_where=sa.text("instrument_id IS NULL"),
        )

    op.drop_table("broker_lines")
    op.drop_table("master_reads")
    with op.batch_alter_table("master_lines", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_master_lines_zerodha_token"))

    op.drop_table("master_lines")
