"""What lists need so that their cost does not grow: indexes of clients, kept sums of fees."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_1020_flat_lists"
down_revision = "2026_11_21_1010_model_portfolios"
branch_labels = None
depends_on = None

LIVE_CLIENTS = sa.text("deleted_at IS NULL AND role = 'CLIENT'")
DELETED = sa.text("deleted_at IS NOT NULL")
PAID = sa.text("deleted_at IS NULL AND paid_on IS NOT NULL")

SUMS = """
    INSERT INTO client_fee_sums
        (client_id, client_code, is_listed, fees, paid, due, due_on, next_due_on, paid_on)
    SELECT f.client_id, p.client_code, p.deleted_at IS NULL, count(*),
        coalesce(sum(CASE WHEN f.status = 'PAID' THEN f.amount END), 0),
        coalesce(sum(CASE WHEN f.status = 'DUE' THEN f.amount END), 0),
        min(CASE WHEN f.status = 'DUE' AND f.amount > 0 THEN f.due_on END),
        coalesce(min(CASE WHEN f.status = 'DUE' AND f.amount > 0 THEN f.due_on END), '9999-12-31'),
        max(f.paid_on)
    FROM fees f JOIN people p ON p.id = f.client_id
    WHERE f.deleted_at IS NULL
    GROUP BY f.client_id, p.client_code, p.deleted_at
"""
TOTALS = """
    UPDATE fee_totals SET
        listed_paid = (SELECT coalesce(sum(paid), 0) FROM client_fee_sums WHERE is_listed),
        listed_due = (SELECT coalesce(sum(due), 0) FROM client_fee_sums WHERE is_listed)
"""


def upgrade() -> None:
    with op.batch_alter_table("people") as batch_op:
        batch_op.create_index(
            "ix_people_live_clients",
            ["client_code"],
            sqlite_where=LIVE_CLIENTS,
            postgresql_where=LIVE_CLIENTS,
        )
        batch_op.create_index(
            "ix_people_deleted", ["deleted_at"], sqlite_where=DELETED, postgresql_where=DELETED
        )
    with op.batch_alter_table("fees") as batch_op:
        batch_op.create_index(
            "ix_fees_paid", ["paid_on", "client_id"], sqlite_where=PAID, postgresql_where=PAID
        )
    op.create_table(
        "client_fee_sums",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("client_code", sa.String(), nullable=False),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.Column("fees", sa.Integer(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("due_on", sa.Date(), nullable=True),
        sa.Column("next_due_on", sa.Date(), nullable=False),
        sa.Column("paid_on", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_client_fee_sums_client_id")
        ),
        sa.PrimaryKeyConstraint("client_id", name=op.f("pk_client_fee_sums")),
    )
    op.create_index(
        "ix_client_fee_sums_next_due",
        "client_fee_sums",
        ["is_listed", "next_due_on", "client_code"],
    )
    with op.batch_alter_table("fee_totals") as batch_op:
        for name in ("listed_paid", "listed_due"):
            batch_op.add_column(
                sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
            )
    op.execute(SUMS)
    op.execute(TOTALS)


def downgrade() -> None:
    with op.batch_alter_table("fee_totals") as batch_op:
        batch_op.drop_column("listed_due")
        batch_op.drop_column("listed_paid")
    op.drop_table("client_fee_sums")
    with op.batch_alter_table("fees") as batch_op:
        batch_op.drop_index("ix_fees_paid")
    with op.batch_alter_table("people") as batch_op:
        batch_op.drop_index("ix_people_deleted")
        batch_op.drop_index("ix_people_live_clients")
