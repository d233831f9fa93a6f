"""The exchange on which a broker has a holding, which a sale must name."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_1412_holding_exchange"
down_revision = "2026_11_22_1410_cash_by_hand"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With a default, so that the version before can still write holdings.
    op.add_column("holdings", sa.Column("exchange", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("holdings", schema=None) as batch_op:
        batch_op.drop_column("exchange")
