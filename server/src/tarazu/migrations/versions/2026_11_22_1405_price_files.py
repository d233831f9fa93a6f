"""Files that prices came from, and holdings of which a split or a bonus is suspected."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_1405_price_files"
down_revision = "2026_11_22_1405_before_send"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "price_files",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=True),
        sa.Column("prices", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["people.id"], name=op.f("fk_price_files_account_id")
        ),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_price_files")),
    )
    op.create_table(
        "suspected_actions",
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("instrument_id", sa.Uuid(), nullable=False),
        sa.Column(
            "seen_in",
            sa.Enum("SHARES", "PRICE", name="seenin", native_enum=False, length=40),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["people.id"], name=op.f("fk_suspected_actions_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["instrument_id"], ["instruments.id"], name=op.f("fk_suspected_actions_instrument_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "instrument_id", name=op.f("pk_suspected_actions")),
    )


def downgrade() -> None:
    op.drop_table("suspected_actions")
    op.drop_table("price_files")
