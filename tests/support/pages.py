"""The Markdown pages of the repository, and what is in them."""

import re

from paths import ROOT

_FOLDERS = ("docs", "impulse_env", "agents", "training", "notebooks")
PAGES = sorted(
    page
    for page in (
        ROOT / "llms.txt",
        *ROOT.glob("*.md"),
        *(p for name in _FOLDERS for p in (ROOT / name).rglob("*.md")),
    )
    # Programs leave pages in hidden folders, such as pytest in its cache.
    if not any(part.startswith(".") for part in page.relative_to(ROOT).parts)
)
"""Every page that people read."""
_FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def text_of(page):
    return page.read_text(encoding="utf-8")


def blocks(page):
    """The fenced blocks as (language, text)."""
    return blocks_in(text_of(page))


def blocks_in(text):
    """The same of a text."""
    return [(language, body) for _, language, body in _FENCE.findall(text)]


def prose(page):
    """The text without its fenced blocks."""
    return _FENCE.sub("", text_of(page))


def spans(page):
    """Everything in backticks outside of the blocks."""
    return spans_in(text_of(page))


def spans_in(text):
    """The same of a text."""
    return re.findall(r"`([^`\n]+)`", _FENCE.sub("", text))
