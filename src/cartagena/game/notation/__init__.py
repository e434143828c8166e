"""Positions, moves and cards as text, and back."""
