"""Game tables: their events, the decisions about them, and what each seat is told."""
