"""The rules as one page for a language model."""

from importlib.resources import files


def rules_digest() -> str:
    """Return the rules, the notation of views and all calls, in at most 3,000 tokens."""
    return (files("impulse_env.language") / "digest.md").read_text(encoding="utf-8")
