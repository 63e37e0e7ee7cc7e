"""Training scripts, evaluation and benchmarks; nothing here is part of the package."""
