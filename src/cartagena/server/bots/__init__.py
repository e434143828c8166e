"""Computer players at the tables: their seats, their processes, and hints for people."""
