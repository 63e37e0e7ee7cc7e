"""An SVG as pixels, by resvg, and a window that shows them, by pygame (the extra `render`)."""

import io
import os
from typing import Any, Final

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


_DRIVER: Final = "SDL_VIDEODRIVER"
_BLIND_DRIVERS: Final = ("dummy", "offscreen")
"""What SDL draws with where there is no display, and nobody sees."""
_FRAME: Final = 90
"""Pixels that a desktop needs for bars and the window's own frame."""


def require_display() -> Any:
    """Return pygame with a display to draw on; raises `RenderError` if there is none.

    Who names one of SDL's drivers that show nothing, as tests do, gets it.
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
    """A window of its own; pygame has one a process, so a second `Window` takes it over.

    Attributes:
        is_closed: Whether it was closed; it then stays so, and drawings are not shown any more.
    """

    def __init__(self, title: str, pace: float) -> None:
        """Open nothing yet: the first drawing does.

        Args:
            title: What stands above it.
            pace: Most drawings a second; `show` waits.

        Raises:
            RenderError: There is no display, or nothing to draw with.
        """
        self._pygame = require_display()
        self._clock = self._pygame.time.Clock()
        self._title = title
        self._pace = pace
        self.is_closed = False

    def show(self, svg: str, width: int, height: int) -> None:
        """Show a drawing of that size, smaller if the desktop is."""
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
        """Close the window; again does nothing."""
        if not self.is_closed:
            self.is_closed = True
            self._pygame.display.quit()
