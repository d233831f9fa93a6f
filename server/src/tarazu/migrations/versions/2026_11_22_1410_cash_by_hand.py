"""Cash that staff enter, and the last day whose cash flows are in a fee."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_1410_cash_by_hand"
down_revision = "2026_11_22_1405_price_files"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # All may be null, so that the version before can still write these rows.
    op.add_column("accounts", sa.Column("hand_cash", sa.BigInteger(), nullable=True))
    op.add_column("accounts", sa.Column("hand_cash_on", sa.Date(), nullable=True))
    op.add_column("accounts", sa.Column("hand_cash_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("accounts", sa.Column("hand_cash_by", sa.Uuid(), nullable=True))
    op.add_column("fees", sa.Column("counted_until", sa.Date(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("fees", schema=None) as batch_op:
        batch_op.drop_column("counted_until")
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        for name in ("hand_cash_by", "hand_cash_at", "hand_cash_on", "hand_cash"):
            batch_op.drop_column(name)
