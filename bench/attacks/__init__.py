"""What one stranger can do to the server at full speed, and what the others notice of it."""
