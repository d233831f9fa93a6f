"""Model portfolios, restrictions, and rebalances of the whole book."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_1010_model_portfolios"
down_revision = "2026_11_21_1000_jobs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "book_limits",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("holdings_days", sa.Integer(), nullable=False),
        sa.Column("price_minutes", sa.Integer(), nullable=False),
        sa.Column("tolerance", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book_limits")),
    )
    op.create_table(
        "model_portfolios",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column(
            "status",
            sa.Enum("ACTIVE", "RETIRED", name="modelstatus", native_enum=False, length=40),
            nullable=False,
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_portfolios")),
        sa.UniqueConstraint("name_key", name=op.f("uq_model_portfolios_name_key")),
    )
    op.create_table(
        "model_subscribers",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("investment", sa.BigInteger(), nullable=True),
        sa.Column("subscribed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_model_subscribers_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["model_portfolios.id"], name=op.f("fk_model_subscribers_model_id")
        ),
        sa.PrimaryKeyConstraint("client_id", name=op.f("pk_model_subscribers")),
    )
    op.create_index(
        op.f("ix_model_subscribers_model_id"), "model_subscribers", ["model_id"], unique=False
    )
    op.create_table(
        "model_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("benchmark", sa.String(), nullable=False),
        sa.Column("universe", sa.Text(), nullable=False),
        sa.Column("selection_method", sa.Text(), nullable=False),
        sa.Column("risks", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["people.id"], name=op.f("fk_model_versions_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["model_portfolios.id"], name=op.f("fk_model_versions_model_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_versions")),
        sa.UniqueConstraint("model_id", "number", name=op.f("uq_model_versions_model_id_number")),
    )
    op.create_table(
        "restriction_lists",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_restriction_lists_client_id")
        ),
        sa.PrimaryKeyConstraint("client_id", name=op.f("pk_restriction_lists")),
    )
    op.create_table(
        "stock_restrictions",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("LOCKED", "NEVER_BUY", "RANGE", name="kind", native_enum=False, length=40),
            nullable=False,
        ),
        sa.Column("minimum", sa.BigInteger(), nullable=True),
        sa.Column("maximum", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_stock_restrictions_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["instrument_id"], ["instruments.id"], name=op.f("fk_stock_restrictions_instrument_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "instrument_id", name=op.f("pk_stock_restrictions")),
    )
    op.create_table(
        "advice_letters",
        sa.Column("advice_id", sa.Uuid(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("letter", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["advice_id"], ["advices.id"], name=op.f("fk_advice_letters_advice_id")
        ),
        sa.PrimaryKeyConstraint("advice_id", name=op.f("pk_advice_letters")),
    )
    op.create_table(
        "book_runs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("after_id", sa.Uuid(), nullable=True),
        sa.Column(
            "state",
            sa.Enum(
                "COMPUTING",
                "REVIEW",
                "SENDING",
                "DONE",
                "CANCELLED",
                "FAILED",
                name="runstate",
                native_enum=False,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("tolerance", sa.BigInteger(), nullable=False),
        sa.Column(
            "outside",
            sa.Enum("KEEP", "SELL", name="outside", native_enum=False, length=40),
            nullable=False,
        ),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("renewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("priced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("sending", sa.Text(), nullable=False),
        sa.Column("sent_by", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["people.id"], name=op.f("fk_book_runs_account_id")
        ),
        sa.ForeignKeyConstraint(["after_id"], ["book_runs.id"], name=op.f("fk_book_runs_after_id")),
        sa.ForeignKeyConstraint(
            ["model_id"], ["model_portfolios.id"], name=op.f("fk_book_runs_model_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["model_versions.id"], name=op.f("fk_book_runs_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book_runs")),
    )
    op.create_index(op.f("ix_book_runs_model_id"), "book_runs", ["model_id"], unique=False)
    op.create_index(op.f("ix_book_runs_state"), "book_runs", ["state"], unique=False)
    op.create_table(
        "letters_due",
        sa.Column("advice_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["advice_id"], ["advices.id"], name=op.f("fk_letters_due_advice_id")
        ),
        sa.PrimaryKeyConstraint("advice_id", name=op.f("pk_letters_due")),
    )
    op.create_table(
        "model_constituents",
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), nullable=False),
        sa.Column("allocation", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["instrument_id"], ["instruments.id"], name=op.f("fk_model_constituents_instrument_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["model_versions.id"], name=op.f("fk_model_constituents_version_id")
        ),
        sa.PrimaryKeyConstraint("version_id", "place", name=op.f("pk_model_constituents")),
    )
    op.create_table(
        "book_run_clients",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column(
            "tile",
            sa.Enum(
                "PRICE_MISSING",
                "STALE_DATA",
                "INSIDE_TOLERANCE",
                "NO_SESSION",
                "NEEDS_CASH",
                "RESTRICTED",
                "READY",
                name="tile",
                native_enum=False,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("is_included", sa.Boolean(), nullable=False),
        sa.Column("can_be_included", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("investment", sa.BigInteger(), nullable=True),
        sa.Column("cash", sa.BigInteger(), nullable=False),
        sa.Column("cash_after", sa.BigInteger(), nullable=True),
        sa.Column("funds_to_add", sa.BigInteger(), nullable=True),
        sa.Column("trades", sa.Integer(), nullable=True),
        sa.Column("buy_value", sa.BigInteger(), nullable=True),
        sa.Column("sell_value", sa.BigInteger(), nullable=True),
        sa.Column("charges", sa.BigInteger(), nullable=True),
        sa.Column("turnover", sa.BigInteger(), nullable=True),
        sa.Column("max_drift", sa.BigInteger(), nullable=True),
        sa.Column("max_drift_symbol", sa.String(), nullable=False),
        sa.Column("tracking_error", sa.BigInteger(), nullable=True),
        sa.Column("proved_gap", sa.BigInteger(), nullable=True),
        sa.Column("broker", sa.String(), nullable=False),
        sa.Column("holdings_source", sa.String(), nullable=False),
        sa.Column("synced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worked_out", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "REVIEW",
                "QUEUED",
                "SENT",
                "CHANGED",
                "FAILED",
                "CANCELLED",
                name="clientstate",
                native_enum=False,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("advice_id", sa.Uuid(), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["advice_id"], ["advices.id"], name=op.f("fk_book_run_clients_advice_id")
        ),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_book_run_clients_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["book_runs.id"], name=op.f("fk_book_run_clients_run_id")
        ),
        sa.PrimaryKeyConstraint("run_id", "client_id", name=op.f("pk_book_run_clients")),
        sa.UniqueConstraint("advice_id", name=op.f("uq_book_run_clients_advice_id")),
    )
    op.create_index(
        "ix_book_run_clients_client_id", "book_run_clients", ["client_id"], unique=False
    )
    op.create_index(
        "ix_book_run_clients_run_id_state", "book_run_clients", ["run_id", "state"], unique=False
    )
    op.create_index(
        "ix_book_run_clients_run_id_tile", "book_run_clients", ["run_id", "tile"], unique=False
    )
    op.execute(
        "INSERT INTO book_limits (id, holdings_days, price_minutes, tolerance, version) "
        "VALUES (1, 1, 30, 50, 1)"
    )


def downgrade() -> None:
    op.drop_index("ix_book_run_clients_run_id_tile", table_name="book_run_clients")
    op.drop_index("ix_book_run_clients_run_id_state", table_name="book_run_clients")
    op.drop_index("ix_book_run_clients_client_id", table_name="book_run_clients")
    op.drop_table("book_run_clients")
    op.drop_table("model_constituents")
    op.drop_table("letters_due")
    op.drop_index(op.f("ix_book_runs_state"), table_name="book_runs")
    op.drop_index(op.f("ix_book_runs_model_id"), table_name="book_runs")
    op.drop_table("book_runs")
    op.drop_table("advice_letters")
    op.drop_table("stock_restrictions")
    op.drop_table("restriction_lists")
    op.drop_table("model_versions")
    op.drop_index(op.f("ix_model_subscribers_model_id"), table_name="model_subscribers")
    op.drop_table("model_subscribers")
    op.drop_table("model_portfolios")
    op.drop_table("book_limits")
