"""The database: schema, migrations, the write queue and backup."""
