"""Tables in memory: who holds them, how they change, and what happens to them in time."""
