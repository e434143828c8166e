"""Several servers on one database: what they tell each other through Redis. Redis only notifies; PostgreSQL decides."""
