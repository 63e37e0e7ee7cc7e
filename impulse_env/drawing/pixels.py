"""An SVG as pixels, by resvg, and a window that shows them, by pygame (the extra `render`)."""

import io
import os
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.drawing.lettering import FAMILY, FILES
from impulse_env.errors import ImpulseError


class RenderError(ImpulseError, ImportError):
    """This machine cannot draw the picture; the message says what is missing."""


def require_rasteriser() -> tuple[Any, Any]:
    """Return the modules that make pixels; raises `RenderError` if they are missing."""
    # Without this, pygame prints a greeting to standard output.
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

    The fonts of the machine are ignored, so every machine draws the same.
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


_DRIVER: Final = "SDL_VIDEODRIVER"
_BLIND_DRIVERS: Final = ("dummy", "offscreen")
"""SDL's drivers for machines without a display, which show nothing."""
_FRAME: Final = 90
"""Pixels for a desktop's bars and the frame of the window."""


def require_display() -> Any:
    """Return pygame with a display to draw on; raises `RenderError` if there is none.

    A caller that names one of SDL's drivers without a display, as tests do, gets it.
    """
    _, pygame = require_rasteriser()
    try:
        pygame.display.init()
        driver = pygame.display.get_driver()
    except pygame.error as error:
        driver = str(error)
    if driver in _BLIND_DRIVERS and os.environ.get(_DRIVER) != driver:
        pygame.display.quit()
    if not pygame.display.get_init():
        raise RenderError(
            f'render_mode "human" opens a window, and there is no display ({driver}); '
            'use "rgb_array" or "ansi"'
        )
    return pygame


class Window:
    """A window for drawings; pygame has one per process, so a second `Window` takes it over.

    Attributes:
        is_closed: Whether it was closed; it then stays closed and ignores further drawings.
    """

    def __init__(self, title: str, pace: float) -> None:
        """Check the display; the first drawing opens the window.

        Args:
            title: The title of the window.
            pace: Highest number of drawings per second; `show` waits.

        Raises:
            RenderError: There is no display, or a package is missing.
        """
        self._pygame = require_display()
        self._clock = self._pygame.time.Clock()
        self._title = title
        self._pace = pace
        self.is_closed = False

    def show(self, svg: str, width: int, height: int) -> None:
        """Show a drawing of that size, reduced to fit the desktop."""
        pygame = self._pygame
        if self.is_closed or any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        across, down = pygame.display.get_desktop_sizes()[0]
        zoom = min(1.0, (across - _FRAME) / width, (down - _FRAME) / height)
        picture = pygame.image.load(io.BytesIO(png_bytes(svg, round(width * zoom))))
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() != picture.get_size():
            surface = pygame.display.set_mode(picture.get_size())
            pygame.display.set_caption(self._title)
        surface.blit(picture, (0, 0))
        pygame.display.flip()
        self._clock.tick(self._pace)

    def close(self) -> None:
        """Close the window; further calls do nothing."""
        if not self.is_closed:
            self.is_closed = True
            self._pygame.display.quit()
