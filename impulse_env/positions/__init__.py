"""A position as JSON: written, and read with checks."""
