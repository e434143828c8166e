"""The game server: tables that lose nothing and leak nothing. The sole authority over the games played on it."""
