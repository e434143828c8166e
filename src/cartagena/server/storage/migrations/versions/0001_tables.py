"""Tables, events and keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Column("stage", sa.String(10), nullable=False),
        sa.Column("lobby", sa.Boolean, nullable=False),
        sa.Column("wake", sa.Boolean, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
    )
    op.create_index("tables_by_stage", "tables", ["stage", "touched"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(20), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("move_id", sa.String(60)),
    )
    op.create_index("events_by_move_id", "events", ["table_id", "move_id"], unique=True)
    op.create_table(
        "keys",
        sa.Column("table_id", sa.String(20), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("chairs", sa.String(20), nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
        sa.Column("host", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("keys")
    op.drop_table("events")
    op.drop_table("tables")
