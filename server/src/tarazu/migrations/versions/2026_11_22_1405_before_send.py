"""What is asked for before advice is sent: disclosures that were confirmed, ages, a test mail."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_1405_before_send"
down_revision = "2026_11_22_1351_believed_answers"
branch_labels = None
depends_on = None

# Shipped until now, and never said by anybody of the firm.
SHIPPED = (
    "The Research Analyst, its associates and their relatives hold no financial interest and no "
    "holding of one percent or more in the securities named here, have no material conflict of "
    "interest, and received no compensation from their issuers in the past twelve months, unless "
    "stated above."
)
NAMES = ("disclosures", "registration_number", "analyst_name")


def upgrade() -> None:
    with op.batch_alter_table("firm", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("disclosure_answers", sa.Text(), server_default="", nullable=False)
        )
        batch_op.add_column(sa.Column("disclosures_confirmed_on", sa.Date(), nullable=True))
        batch_op.add_column(
            sa.Column("standard_rationale", sa.Text(), server_default="", nullable=False)
        )
        batch_op.add_column(sa.Column("rationales", sa.Text(), server_default="[]", nullable=False))
        batch_op.add_column(
            sa.Column("price_minutes", sa.Integer(), server_default="15", nullable=False)
        )
        batch_op.add_column(
            sa.Column("holdings_days", sa.Integer(), server_default="1", nullable=False)
        )
        batch_op.add_column(sa.Column("mail_tested_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(
            sa.Column("mail_tested_with", sa.String(), server_default="", nullable=False)
        )
    # Limits of runs until now; where the minutes were not chosen, the new default holds.
    op.execute("UPDATE firm SET holdings_days = (SELECT holdings_days FROM book_limits)")
    op.execute(
        "UPDATE firm SET price_minutes = (SELECT price_minutes FROM book_limits) "
        "WHERE (SELECT price_minutes FROM book_limits) <> 30"
    )
    with op.batch_alter_table("book_limits", schema=None) as batch_op:
        batch_op.drop_column("holdings_days")
        batch_op.drop_column("price_minutes")
    firm = sa.table("firm", *(sa.column(name) for name in NAMES))
    op.execute(sa.update(firm).where(firm.c.disclosures == SHIPPED).values(disclosures=""))
    for name in ("registration_number", "analyst_name"):
        op.execute(sa.update(firm).where(firm.c[name] == "Not set").values({name: ""}))


def downgrade() -> None:
    with op.batch_alter_table("book_limits", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("holdings_days", sa.Integer(), server_default="1", nullable=False)
        )
        batch_op.add_column(
            sa.Column("price_minutes", sa.Integer(), server_default="30", nullable=False)
        )
    for name in ("holdings_days", "price_minutes"):
        # On a database that was never founded there is no firm yet.
        op.execute(
            f"UPDATE book_limits SET {name} = coalesce((SELECT {name} FROM firm), {name})"  # noqa: S608  # nosec B608 - of constants
        )
    with op.batch_alter_table("firm", schema=None) as batch_op:
        for name in (
            "mail_tested_with",
            "mail_tested_at",
            "holdings_days",
            "price_minutes",
            "rationales",
            "standard_rationale",
            "disclosures_confirmed_on",
            "disclosure_answers",
        ):
            batch_op.drop_column(name)
