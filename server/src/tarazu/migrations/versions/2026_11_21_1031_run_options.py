"""The options that a run over the book is computed with."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_1031_run_options"
down_revision = "2026_11_21_1030_change_counts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With a default, so that the version before can still begin a run.
    op.add_column("book_runs", sa.Column("options", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("book_runs", schema=None) as batch_op:
        batch_op.drop_column("options")
