"""An agent for Impulse with a network of its own."""
