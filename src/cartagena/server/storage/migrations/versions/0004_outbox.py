"""Messages to people who are away: contacts, their links to tokens, webhooks, the outbox, and the server's keys."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "contacts",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("keys", sa.Text, nullable=False),
        sa.Column("wishes", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("quiet_until", sa.BigInteger, nullable=False),
    )
    op.create_index("contacts_by_digest", "contacts", ["digest"], unique=True)
    op.create_table(
        "links",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("contact", sa.String(20), primary_key=True),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_index("links_by_contact", "links", ["contact"])
    op.create_table(
        "webhooks",
        sa.Column("table_id", sa.String(20), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("cause", sa.String(40), primary_key=True),
        sa.Column("contact", sa.String(20), primary_key=True),
        sa.Column("table_id", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("chairs", sa.String(20), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.String(20), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    for name in ("due", "contact", "table_id"):
        op.create_index(f"outbox_by_{name.removesuffix('_id')}", "outbox", [name])


def downgrade() -> None:
    for name in ("outbox", "secrets", "webhooks", "links", "contacts"):
        op.drop_table(name)
