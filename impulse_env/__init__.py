"""Impulse (Carl Chudyk, 2014) as a reinforcement-learning environment."""

from impulse_env.registration import register_all

register_all()
