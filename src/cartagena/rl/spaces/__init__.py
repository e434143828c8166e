"""The action and observation spaces that every adapter shares."""
