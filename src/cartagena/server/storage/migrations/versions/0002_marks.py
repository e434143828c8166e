"""When a table was marked for removal, and keys found by their digest."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("marked", sa.BigInteger, nullable=True))
    op.create_index("keys_by_digest", "keys", ["digest"])


def downgrade() -> None:
    op.drop_index("keys_by_digest", "keys")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("marked")
