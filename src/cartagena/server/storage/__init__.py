"""The database: schema, migrations, the write queue, backup and pruning."""
