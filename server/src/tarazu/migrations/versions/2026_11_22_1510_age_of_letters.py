"""A letter is as old as its advice: the trigger that asked for the day of its setting goes.

A start sets it up again as it is now. One set later than its advice kept the advice from being
removed when its years were over.
"""

from alembic import op

revision = "2026_11_22_1510_age_of_letters"
down_revision = "2026_11_22_1412_holding_exchange"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _drop_trigger()


def downgrade() -> None:
    # The version before sets up its own.
    _drop_trigger()


def _drop_trigger() -> None:
    place = "" if op.get_bind().dialect.name == "sqlite" else " ON advice_letters"
    op.execute(f"DROP TRIGGER IF EXISTS advice_letters_no_delete{place}")
