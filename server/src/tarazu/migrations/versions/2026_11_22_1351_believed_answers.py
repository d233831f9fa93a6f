"""Answers of brokers that are not believed, rows that are left out, a second run on a day."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_1351_believed_answers"
down_revision = "2026_11_21_1031_run_options"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("client_syncs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(
            sa.Column("emptied_times", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.add_column(sa.Column("left_out", sa.Text(), server_default="", nullable=False))
        batch_op.drop_column("emptied_on")
    with op.batch_alter_table("sync_runs", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_sync_runs_day"), type_="unique")
        batch_op.create_index("uq_sync_runs_kind_day", ["kind", "day"], unique=True)


def downgrade() -> None:
    # The version before knows one run a day and two kinds less.
    op.execute(
        "DELETE FROM sync_run_clients WHERE run_id IN "
        "(SELECT id FROM sync_runs WHERE kind IN ('EVENING', 'AGAIN'))"
    )
    op.execute("DELETE FROM sync_runs WHERE kind IN ('EVENING', 'AGAIN')")
    with op.batch_alter_table("sync_runs", schema=None) as batch_op:
        batch_op.drop_index("uq_sync_runs_kind_day")
        batch_op.create_unique_constraint(batch_op.f("uq_sync_runs_day"), ["day"])
    with op.batch_alter_table("client_syncs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("emptied_on", sa.Date(), nullable=True))
        batch_op.drop_column("left_out")
        batch_op.drop_column("emptied_times")
        batch_op.drop_column("emptied_at")
