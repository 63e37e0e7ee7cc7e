"""Training, tournaments, evaluation and benchmarks for Impulse, and the command `impulse`."""
