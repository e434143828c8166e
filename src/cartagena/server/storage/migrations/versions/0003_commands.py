"""Commands of the operator with their results, and blocked networks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "commands",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("sender", sa.String(100), nullable=False),
        sa.Column("verb", sa.String(20), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("taken", sa.BigInteger),
        sa.Column("done", sa.BigInteger),
        sa.Column("result", sa.Text),
    )
    op.create_table(
        "blocks",
        sa.Column("network", sa.String(50), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("blocks")
    op.drop_table("commands")
