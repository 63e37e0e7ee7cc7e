"""Which extra brings which package, so that a missing one is one sentence that helps."""

from typing import Final

from impulse_env.errors import ImpulseError

EXTRA_BY_PACKAGE: Final = {
    "torch": "networks",
    "safetensors": "networks",
    "huggingface_hub": "hub",
    "aiohttp": "play",
    "rich": "tournament",
    "scipy": "tournament",
    "jinja2": "tournament",
    "matplotlib": "tournament",
    "stable_baselines3": "train",
    "sb3_contrib": "train",
    "tensorboard": "train",
    "pandas": "analysis",
    "pyarrow": "data",
    "resvg_py": "render",
    "pygame": "render",
    "ray": "ray",
    "wandb": "wandb",
    "mlflow": "mlflow",
    "IPython": "notebooks",
    "pyspiel": "bench",
    "envpool": "bench",
}
"""By the name under which a package is imported."""


class MissingExtraError(ImpulseError, ImportError):
    """A package is not installed; the message names the extra that brings it."""


def missing_extra(
    what: str, error: ImportError, wanted: str | None = None
) -> MissingExtraError | None:
    """Return the sentence for a package of an extra that could not be imported.

    Args:
        what: What needs it, such as "impulse train".
        error: What the import raised.
        wanted: The extra that brings all that it needs, if the package's own is not enough.

    Returns:
        The error to raise instead; None if the package belongs to no extra.
    """
    package = (error.name or "").partition(".")[0]
    extra = EXTRA_BY_PACKAGE.get(package)
    if extra is None:
        return None
    return MissingExtraError(
        f"{what} needs {package}, which is not installed: "
        f'pip install "impulse-env[{wanted or extra}]"',
        name=error.name,
    )
