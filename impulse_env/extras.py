"""The extra that installs each optional package, for a helpful error when one is missing."""

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
    "mcp": "mcp",
    "mcp_types": "mcp",
    "uvicorn": "mcp",
    "starlette": "mcp",
    "wandb": "wandb",
    "mlflow": "mlflow",
    "IPython": "notebooks",
    "pyspiel": "bench",
    "envpool": "bench",
}
"""The extra of each package, by the package's import name."""


class MissingExtraError(ImpulseError, ImportError):
    """A package is not installed; the message names the extra that installs it."""


def missing_extra(
    what: str, error: ImportError, whole_extra: str | None = None
) -> MissingExtraError | None:
    """Return the error for an optional package that could not be imported.

    Args:
        what: The part that needs the package, such as "impulse train".
        error: The error that the import raised.
        whole_extra: The extra that installs everything this part needs, if the package's own extra
            is not enough.

    Returns:
        The error to raise instead; None if no extra installs the package.
    """
    package = (error.name or "").partition(".")[0]
    extra = EXTRA_BY_PACKAGE.get(package)
    if extra is None:
        return None
    return MissingExtraError(
        f"{what} needs {package}, which is not installed: "
        f'pip install "impulse-env[{whole_extra or extra}]"',
        name=error.name,
    )
