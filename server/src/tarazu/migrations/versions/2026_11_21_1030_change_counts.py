"""How often tables were changed, so that what is kept in memory of them is known to hold."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_1030_change_counts"
down_revision = "2026_11_21_1020_flat_lists"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "change_counts",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_change_counts")),
    )


def downgrade() -> None:
    op.drop_table("change_counts")
