"""Lists the faults of the built site: `python tests/tools/check_site.py build/site`."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""The attributes that a browser loads by itself, by tag."""
_ABSOLUTE = "404.html"
"""The page that can appear at any address, so its links begin at the root."""


class _Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.update(value for key, value in attrs if key in ("id", "name") and value)
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if given.get(_LOADED.get(tag, "")):
            self.loaded.append(given[_LOADED[tag]])


def problems(site):
    """Return a line for each link that leads nowhere, and for whatever is loaded from elsewhere."""
    site = Path(site).resolve()
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    found = [f"{site} has no pages"] if not pages else []
    for path, page in pages.items():
        if path.name == _ABSOLUTE:
            page.links, page.loaded = [], [url for url in page.loaded if urlsplit(url).netloc]
        for url in page.loaded:
            if urlsplit(url).netloc:
                found.append(f"{path}: loads {url}")
        for url in [*page.links, *page.loaded]:
            found += _of_link(site, path, url, pages)
    for style in site.rglob("*.css"):
        for url in re.findall(r"url\(\s*[\"']?(\w+:)?//[^)]*", style.read_text(encoding="utf-8")):
            found.append(f"{style}: loads {url}")
    return found


def _of_link(site, path, url, pages):
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        return []
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(site) or not target.exists():
        return [f"{path}: {url} leads nowhere"]
    known = pages.get(target)
    if parts.fragment and known and unquote(parts.fragment) not in known.anchors:
        return [f"{path}: {url} has no such anchor"]
    return []


if __name__ == "__main__":
    told = problems(sys.argv[1])
    print("\n".join(told) or "All links lead somewhere; nothing is loaded from elsewhere.")
    sys.exit(bool(told))
