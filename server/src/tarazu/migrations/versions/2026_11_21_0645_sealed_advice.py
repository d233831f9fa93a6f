"""Sealed advice, the end of the audit trail told twice, secrets of mails kept apart."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_0645_sealed_advice"
down_revision = "2026_11_21_0640_broker_work"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signing_keys")),
    )
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("mac", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_head")),
    )
    op.create_table(
        "advice_seals",
        sa.Column(
            "seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("advice_id", sa.Uuid(), nullable=False),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("package", sa.Text(), nullable=False),
        sa.Column("package_hash", sa.String(), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["advice_id"], ["advices.id"], name=op.f("fk_advice_seals_advice_id")
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_advice_seals")),
        sa.UniqueConstraint("advice_id", name=op.f("uq_advice_seals_advice_id")),
        sa.UniqueConstraint("hash", name=op.f("uq_advice_seals_hash")),
    )
    op.create_index(op.f("ix_audit_at"), "audit", ["at"])
    op.add_column("outbox", sa.Column("secret", sa.Text(), nullable=True))
    _blank_secrets_of_sent_mails()


def _blank_secrets_of_sent_mails() -> None:
    """Passwords, links and codes that earlier versions left in mails that are long gone."""
    outbox = sa.table(
        "outbox",
        sa.column("subject", sa.String()),
        sa.column("text", sa.Text()),
        sa.column("html", sa.Text()),
        sa.column("status", sa.String()),
    )
    op.execute(
        outbox.update()
        .where(
            outbox.c.status != "QUEUED",
            outbox.c.subject.in_(
                ["Your Tarazu account", "Reset your password", "Your one-time code"]
            ),
        )
        .values(text="[removed after sending]", html="[removed after sending]")
    )


def downgrade() -> None:
    # The triggers that use it are gone while a migration runs.
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION IF EXISTS tarazu_keep_rows()")
    # A secret that waits to be sent goes with its mail: without it the mail is of no use.
    op.execute("DELETE FROM outbox WHERE secret IS NOT NULL")
    op.drop_column("outbox", "secret")
    op.drop_index(op.f("ix_audit_at"), "audit")
    op.drop_table("advice_seals")
    op.drop_table("audit_head")
    op.drop_table("signing_keys")
