"""Benchmarks: each figure beside the one that it is compared with."""
