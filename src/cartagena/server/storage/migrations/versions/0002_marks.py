"""Marks of tables that are to be removed, and keys found by their digest."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "marks",
        sa.Column("table_id", sa.String(20), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("keys_by_digest", "keys", ["digest"])


def downgrade() -> None:
    op.drop_index("keys_by_digest", "keys")
    op.drop_table("marks")
