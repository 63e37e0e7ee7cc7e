"""An SVG as pixels, with resvg (the extra `render`). Nothing here opens a window."""

import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_env.drawing.lettering import FAMILY, FILES
from impulse_env.errors import ImpulseError


class RenderError(ImpulseError, ImportError):
    """The picture cannot be drawn here; the message says what is missing."""


def require_rasteriser() -> tuple[Any, Any]:
    """Return the modules that make pixels; raises `RenderError` if they are missing."""
    # It greets on standard output otherwise.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
        import resvg_py
    except ImportError as error:
        raise RenderError(
            'pictures need resvg and pygame: pip install "impulse-env[render]"; '
            'render_mode "ansi" and the SVG need nothing'
        ) from error
    return resvg_py, pygame


def png_bytes(svg: str, width: int) -> bytes:
    """Return a drawing as a PNG file; raises `RenderError`.

    The fonts of the machine are not looked at: every machine draws the same.
    """
    resvg, _ = require_rasteriser()
    return bytes(
        resvg.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(FILES.values()),
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )


def pixels_of(png: bytes) -> NDArray[np.uint8]:
    """Return the pixels of a PNG file, shape ``(height, width, 3)``; raises `RenderError`."""
    _, pygame = require_rasteriser()
    surface = pygame.image.load(io.BytesIO(png))
    pixels: NDArray[np.uint8] = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    return np.ascontiguousarray(pixels)
