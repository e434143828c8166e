"""Pictures of a position: plain text and SVG."""
