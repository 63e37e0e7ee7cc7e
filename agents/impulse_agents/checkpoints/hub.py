"""Checkpoints on the Hugging Face Hub: ``hf:OWNER/NAME``, ``hf:OWNER/NAME@REVISION``.

A repository contains a checkpoint ``policy.safetensors`` and its card as README.md.
``hf:OWNER/NAME/other.safetensors`` is another file of it. A REVISION is a branch, a tag or a
commit. Downloads stay in the cache of `huggingface_hub`. It downloads a commit only once, so a
commit always means the same weights, and works without a network. HF_HOME, HF_ENDPOINT and similar
variables apply as usual.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from impulse_agents.base import AgentError
from impulse_env import __version__
from impulse_env.extras import missing_extra

_PREFIX: Final = "hf:"
_FILE: Final = "policy.safetensors"
_FORM: Final = re.compile(
    r"(?P<repository>[\w.-]+/[\w.-]+)(/(?P<file>[\w./-]+\.safetensors))?(@(?P<revision>[\w./-]+))?"
)
_MOST_BYTES: Final = 1 << 30
"""Size limit of a download: a hundred times this project's largest file."""


@dataclass(frozen=True)
class _Place:
    repository: str
    file: str
    revision: str | None


def is_name(given: str) -> bool:
    """Whether the name of a checkpoint means one on the hub."""
    return given.startswith(_PREFIX)


def download(given: str) -> Path:
    """Return the file of a checkpoint on the hub; download it unless it is in the cache.

    Args:
        given: Its name, such as "hf:OWNER/NAME@v1".

    Raises:
        AgentError: The name is malformed, the file does not exist or is too large, or the hub
            cannot be reached and the file is not in the cache.
        MissingExtraError: `huggingface_hub` is not installed.
    """
    place = _place(given)
    here = _pinned(place)
    if here is not None:
        return here
    hub = _library(given)
    address = {"repo_id": place.repository, "filename": place.file, "revision": place.revision}
    ours = {"library_name": "impulse-env", "library_version": __version__}
    try:
        size = hub.get_hf_file_metadata(hub.hf_hub_url(**address), **ours).size
    except Exception as error:
        earlier = cached(given)  # without a network, use the last download
        if earlier is not None and not isinstance(error, hub.errors.HfHubHTTPError):
            return earlier
        raise AgentError(_sentence(given, place, error, hub)) from error
    if size is None or size > _MOST_BYTES:
        raise AgentError(
            f"{given} has {size or 'an unknown number of':,} bytes, and {_MOST_BYTES:,} are allowed"
        )
    try:
        return Path(hub.hf_hub_download(**address, **ours))
    except Exception as error:
        raise AgentError(_sentence(given, place, error, hub)) from error


def cached(given: str) -> Path | None:
    """Return the cached file of a checkpoint on the hub, without a request; None without one."""
    try:
        hub = _library(given)
        place = _place(given)
        path = hub.try_to_load_from_cache(place.repository, place.file, revision=place.revision)
    except (AgentError, ImportError, ValueError):
        return None
    return Path(path) if isinstance(path, str) else None


def _place(given: str) -> _Place:
    match = _FORM.fullmatch(given.removeprefix(_PREFIX))
    if match is None:
        raise AgentError(
            f"{given!r} names nothing on the hub: write hf:OWNER/NAME, hf:OWNER/NAME@REVISION or "
            "hf:OWNER/NAME/FILE.safetensors@REVISION"
        )
    return _Place(match["repository"], match["file"] or _FILE, match["revision"])


def _pinned(place: _Place) -> Path | None:
    """Return the downloaded file of a commit, which never changes; None without one."""
    if re.fullmatch(r"[0-9a-f]{40}", place.revision or "") is None:
        return None
    return cached(f"{_PREFIX}{place.repository}/{place.file}@{place.revision}")


def _library(given: str) -> Any:
    try:
        import huggingface_hub  # half a second, and it may not be installed
        import huggingface_hub.errors
    except ImportError as error:
        raise missing_extra(f"policy:{given}", error) or error from error
    return huggingface_hub


def _sentence(given: str, place: _Place, error: Exception, hub: Any) -> str:
    """Return the cause of an error in a sentence; the library writes paragraphs."""
    errors = hub.errors
    if isinstance(error, errors.HFValidationError):
        return f"{given!r} names nothing on the hub: {_line(error)}"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{place.repository} on the hub has no revision {place.revision!r}"
    if isinstance(error, errors.EntryNotFoundError):
        return f"{place.repository} on the hub has no file {place.file}"
    if isinstance(error, errors.RepositoryNotFoundError):
        return (
            f"{place.repository} does not exist on the hub, or is private (then run "
            "`hf auth login` first)"
        )
    return f"{given} cannot be downloaded from the hub: {_line(error)}"


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
