"""Tables by post: when the due-time query is to find a table, and when a server last ran."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("due", sa.BigInteger))
    op.create_index("tables_by_due", "tables", ["due"])
    op.create_table(
        "uptime",
        sa.Column("name", sa.String(10), primary_key=True),
        sa.Column("alive", sa.BigInteger, nullable=False),
        sa.Column("earliest", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("uptime")
    op.drop_index("tables_by_due", "tables")
    op.drop_column("tables", "due")
