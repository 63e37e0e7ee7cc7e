"""What a build adds to the package: where the project lives, and machine code.

A checkout knows no address but that of its remote, so they are made when the package is built: from
``IMPULSE_REPOSITORY``, or where GitHub's workflow runs, or from the remote ``origin``. Without any
of them the package has no addresses, and its README tells what the pictures show.

With ``IMPULSE_MACHINE_CODE``, a folder that `tests/tools/build_wheels.py` fills, the wheel is one
for this platform and this Python.
"""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[^):]+)\)")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<path>[^)#:]+)(?P<anchor>#[^)]*)?\)")


class AddressHook(MetadataHookInterface):
    """Fills in `urls` and `readme`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that pyproject.toml calls dynamic."""
        root = Path(self.root)
        address = repository(root)
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": for_package_index(text, address, metadata["version"]),
        }
        metadata["urls"] = {} if address is None else urls(address)


def repository(root: Path) -> str | None:
    """Return the address of the repository without a slash at its end; None if nobody says."""
    server, name = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
    given = os.environ.get("IMPULSE_REPOSITORY") or (f"{server}/{name}" if server and name else "")
    if not given and (root / ".git").exists():
        asked = subprocess.run(
            ["git", "remote", "get-url", "origin"], cwd=root, capture_output=True, encoding="utf-8"
        )
        given = re.sub(r"^git@([^:]+):", r"https://\1/", asked.stdout.strip())
    address = given.removesuffix("/").removesuffix(".git")
    return address if address.startswith("https://") else None


def urls(address: str) -> dict[str, str]:
    """Return the addresses by what they are for."""
    return {
        "Source": address,
        "Documentation": f"{address}/blob/main/docs/index.md",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def for_package_index(text: str, address: str | None, version: str) -> str:
    """Return the README with whole addresses, or without pictures and links if there are none."""
    if address is None:
        text = _PICTURE.sub(r"*\g<alt>*", text)
        return _LINK.sub(r"\g<text>", text)
    text = _PICTURE.sub(rf"![\g<alt>]({address}/raw/v{version}/\g<path>)", text)
    return _LINK.sub(
        lambda link: (
            f"[{link['text']}]({address}/blob/v{version}/{link['path']}{link['anchor'] or ''})"
        ),
        text,
    )


class MachineCodeHook(BuildHookInterface[Any]):
    """Puts machine code into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files, and say where the wheel fits."""
        given = os.environ.get("IMPULSE_MACHINE_CODE")
        if not given:
            return
        folder = Path(given)
        kinds = ("*.code", "*.ptx", "libimpulse.*")
        for path in sorted(path for kind in kinds for path in folder.rglob(kind)):
            build_data["force_include"][str(path)] = path.relative_to(folder).as_posix()
        build_data["pure_python"] = False
        build_data["tag"] = tag()


def tag() -> str:
    """Return the tag of a wheel with machine code.

    Of the system's C library, only ``libimpulse.so`` needs anything: memcpy and memset.
    """
    from packaging.tags import sys_tags

    best = next(iter(sys_tags()))
    is_linux = sys.platform == "linux"
    where = f"manylinux_2_17_{platform.machine()}" if is_linux else best.platform
    return f"{best.interpreter}-{best.abi}-{where}"
