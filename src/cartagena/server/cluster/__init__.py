"""Several servers on one database: what they tell each other through Redis. All of it is hints; PostgreSQL decides."""
