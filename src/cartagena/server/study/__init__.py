"""The processes that read records, try positions and review games."""
