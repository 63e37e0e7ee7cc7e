"""The game: Impulse as compiled functions over one record. It does not know it is being learned."""
