"""Impulse (Carl Chudyk, 2014) as a reinforcement-learning environment."""
