"""The published numbers as claims that anybody can measure again.

claims    reads `docs/claims.toml`, one claim for each number
sources   reads values that cards and standings hold already
estimate  compares two estimates, with a stated error rate
verify    runs the command of a claim again and stores the new value
"""
