"""A game in English and as text."""
